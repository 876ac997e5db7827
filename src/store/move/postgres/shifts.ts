// Numbers of leads are their account's here; where one file holds all accounts they must differ. Each account's are moved up
// behind those of the accounts before it, unless they differ as they are.
import type { ReservedSQL } from "bun"
import { sendQuery } from "../../postgres/connection/query.ts"

/** Which columns hold numbers of leads. */
export const LEAD_NUMBERS: Readonly<Record<string, readonly string[]>> = {
  leads: ["rid"],
  lead_scores: ["rid"],
  lead_tags: ["rid"],
  lead_attributes: ["rid"],
  lead_contacts: ["rid"],
  lead_aliases: ["rid"],
  notes: ["lead_rid"],
  activities: ["lead_rid"],
  duplicate_pairs: ["a", "b"],
  duplicate_accounts: ["pass_to"],
  import_leads: ["lead"],
}

/** By how much the numbers of each account are moved up; empty where all stay. */
export type Shifts = ReadonlyMap<number, number>

export const NO_SHIFTS: Shifts = new Map()

export async function shiftsOf(sql: ReservedSQL): Promise<Shifts> {
  const rows = await sendQuery(
    sql,
    `SELECT a.key, a.lead_head AS head, (SELECT min(rid) FROM leads l WHERE l.account_id = a.key) AS low
     FROM accounts a ORDER BY a.key`,
  )
  const ranges = (rows as unknown as { key: number; head: number; low: number | null }[]).flatMap(
    ({ key, head, low }) => (low === null ? [] : [{ key, low, head }]),
  )
  const sorted = ranges.toSorted((a, b) => a.low - b.low)
  if (sorted.every(({ low }, i) => i === 0 || low > sorted[i - 1]!.head)) return NO_SHIFTS
  let [free, shifts] = [0, new Map<number, number>()]
  for (const { key, low, head } of ranges) {
    shifts.set(key, free + 1 - low)
    free += head - low + 1
  }
  return shifts
}
