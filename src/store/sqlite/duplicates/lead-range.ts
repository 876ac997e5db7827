import type { WriteDb } from "../../sql/db.ts"
import type { LeadRange } from "../../tables/duplicates/statements.ts"

/** Numbers of leads are the file's, so that the newest may be another account's. */
const RANGE = `SELECT (SELECT coalesce(max(rid), 0) FROM leads) AS last, lead_count AS leads
  FROM accounts WHERE key = $1`

export async function leadRange(db: WriteDb, account: number): Promise<LeadRange> {
  return (await db.get<LeadRange>(RANGE, [account])) ?? { last: 0, leads: 0 }
}
