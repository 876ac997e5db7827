// Queues leads for the matcher in the transaction that changes them.
import type { Database } from "bun:sqlite"
import { matchedDiffer, matchedText } from "../../tables/duplicates/matched-lead.ts"
import type { Projection } from "../../tables/leads/projections.ts"
import { prepare } from "../file/database.ts"
import type { PendingWrites } from "../queue/pending-writes.ts"

export function duplicateQueue(db: Database, pending: PendingWrites): Projection {
  const note = prepare(
    db,
    `INSERT INTO duplicate_queue (account_id, rid, before) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET turn = turn + 1`,
  )
  const dropPairs = prepare(
    db,
    `DELETE FROM duplicate_pairs WHERE rid IN (
       SELECT rid FROM duplicate_pairs INDEXED BY duplicate_pairs_leads WHERE account_id = ?1 AND a = ?2 AND state < 2
       UNION ALL SELECT rid FROM duplicate_pairs INDEXED BY duplicate_pairs_b WHERE account_id = ?1 AND b = ?2 AND state < 2)`,
  )
  const dropAliases = prepare(db, "DELETE FROM lead_aliases WHERE account_id = ? AND rid = ?")
  return ({ account, ref, before, after }) => {
    if (!before) pending.insert(note, account, ref, null)
    else if (!after || matchedDiffer(before, after)) note.run(account, ref, matchedText(before))
    if (after) return
    dropPairs.run(account, ref)
    dropAliases.run(account, ref)
  }
}
