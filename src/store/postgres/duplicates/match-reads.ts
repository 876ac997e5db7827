// Looks up in the matcher's tables and the leads what a lead that is not stored is compared with.
import type { MatchedLead, MatchReads } from "../../contract/store.ts"
import type { Db } from "../../sql/db.ts"
import { pgDocumentSql } from "../leads/documents.ts"

const LEADS = `SELECT l.rid AS ref, l.id, ${pgDocumentSql("l")} AS text FROM leads l
  WHERE l.account_id = $1 AND l.rid = ANY ($2::bigint[])`
const MEMBERS = `SELECT k.key, m.rid FROM unnest($2::bigint[]) AS k (key) CROSS JOIN LATERAL (
  SELECT rid FROM duplicate_keys d WHERE d.account_id = $1 AND d.key = k.key ORDER BY rid LIMIT $3) m`
const COUNTS = "SELECT term, leads FROM duplicate_terms WHERE account_id = $1 AND term = ANY ($2::bigint[])"

export function matchReads(db: Db): MatchReads {
  return {
    async members(account, keys, most) {
      const rows = await db.all<{ key: number; rid: number }>(MEMBERS, [account, keys, most])
      const found = new Map<number, number[]>()
      for (const { key, rid } of rows) found.getOrInsertComputed(key, () => []).push(rid)
      return found
    },
    async counts(account, terms) {
      const rows = await db.all<{ term: number; leads: number }>(COUNTS, [account, terms])
      return new Map(rows.map(({ term, leads }) => [term, leads]))
    },
    async leads(account, refs) {
      const rows = await db.all<{ ref: number; id: string; text: string }>(LEADS, [account, refs])
      return rows.map(({ ref, id, text }) => ({ ref, id, lead: JSON.parse(text) as MatchedLead }))
    },
  }
}
