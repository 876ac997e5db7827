import type { WholeLead } from "../../contract/store.ts"
import type { Db } from "../../sql/db.ts"
import { POSTGRES } from "../../sql/dialect.ts"
import { suppressedSql } from "../../sql/suppressed.ts"
import { activityOf } from "../../tables/leads/stored-lead.ts"
import { pgDocumentSql } from "./documents.ts"

const SUPPRESSED = suppressedSql(POSTGRES).replaceAll("?", "$1")

/** Leads with their notes and imports, of those that are still there. */
export async function pgWholeLeads(db: Db, account: number, refs: readonly number[]): Promise<WholeLead[]> {
  type Row = {
    ref: number
    data: string
    done: string | null
    notes: string | null
    imports: string | null
    country: string | null
    suppressed: boolean | null
  }
  const rows = await db.all<Row>(
    `SELECT l.rid AS ref, ${pgDocumentSql("l")} AS data, s.activity AS done, a.default_country AS country,
       (${SUPPRESSED}) AS suppressed,
       (SELECT json_agg(n.content ORDER BY n.rid DESC)::text FROM (
         SELECT rid, content FROM notes WHERE account_id = $1 AND lead_rid = l.rid ORDER BY rid DESC LIMIT 1000) n) AS notes,
       (SELECT json_agg(i.id)::text FROM import_leads x JOIN imports i ON i.account_id = $1 AND i.rid = x.import
         WHERE x.account_id = $1 AND x.lead = l.rid) AS imports
     FROM unnest($2::bigint[]) WITH ORDINALITY AS r (rid, n)
     JOIN leads l ON l.account_id = $1 AND l.rid = r.rid JOIN lead_scores s ON s.account_id = $1 AND s.rid = l.rid
     JOIN accounts a ON a.key = $1 ORDER BY r.n`,
    [account, refs],
  )
  return rows.map(({ ref, data, done, notes, imports, country, suppressed }) => ({
    ref,
    data: JSON.parse(data),
    activity: activityOf(done),
    notes: notes === null ? [] : JSON.parse(notes),
    imports: imports === null ? [] : JSON.parse(imports),
    defaultCountry: country,
    isSuppressed: suppressed === true,
  }))
}
