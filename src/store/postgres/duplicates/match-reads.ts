// Looks up in the matcher's tables and the leads what a lead that is not stored is compared with.
import type { MatchReads } from "../../contract/store.ts"
import type { Db } from "../../sql/db.ts"
import { parsedDocument } from "../../tables/leads/shape.ts"
import { matchKeys } from "./match-keys.ts"

const LEADS =
  "SELECT rid AS ref, id, data AS text, shape FROM leads WHERE account_id = $1 AND rid = ANY ($2::bigint[])"
const COUNTS = "SELECT term, leads FROM match_terms WHERE account_id = $1 AND term = ANY ($2::bigint[])"

export function matchReads(db: Db): MatchReads {
  return {
    ...matchKeys(db),
    async counts(account, terms) {
      const rows = await db.all<{ term: number; leads: number }>(COUNTS, [account, terms])
      return new Map(rows.map(({ term, leads }) => [term, leads]))
    },
    async leads(account, refs) {
      const rows = await db.all<{ ref: number; id: string; text: string; shape: number }>(LEADS, [
        account,
        refs,
      ])
      return rows.map(({ ref, id, text, shape }) => ({ ref, id, lead: parsedDocument(text, shape) }))
    },
  }
}
