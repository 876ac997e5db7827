// Removes what only a lead that is there can have. That leads came or changed the derived tables see by themselves.
import type { Database } from "bun:sqlite"
import type { Projection } from "../../tables/leads/projections.ts"
import { prepare } from "../file/database.ts"

export function duplicateRemoval(db: Database): Projection {
  const dropPairs = prepare(
    db,
    `DELETE FROM duplicate_pairs WHERE rid IN (
       SELECT rid FROM duplicate_pairs INDEXED BY duplicate_pairs_leads WHERE account_id = ?1 AND a = ?2 AND state < 2
       UNION ALL SELECT rid FROM duplicate_pairs INDEXED BY duplicate_pairs_b WHERE account_id = ?1 AND b = ?2 AND state < 2)`,
  )
  const dropAliases = prepare(db, "DELETE FROM lead_aliases WHERE account_id = ? AND rid = ?")
  return ({ account, ref, after }) => {
    if (after) return
    dropPairs.run(account, ref)
    dropAliases.run(account, ref)
  }
}
