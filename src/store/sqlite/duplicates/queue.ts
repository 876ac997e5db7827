// Notes in a lead's own transaction what has to be compared anew.
import type { Database } from "bun:sqlite"
import type { LeadData } from "../../../core/lead.ts"
import { matchedDiffer, matchedText } from "../../shared/matched-lead.ts"
import { prepare } from "../file/database.ts"
import type { PendingWrites } from "../queue/pending-writes.ts"

export interface DuplicateQueue {
  made(account: number, rid: number): void
  changed(account: number, rid: number, before: LeadData, after: LeadData): void
  removed(account: number, rid: number, lead: LeadData): void
}

export function duplicateQueue(db: Database, pending: PendingWrites): DuplicateQueue {
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
  return {
    made(account, rid) {
      pending.insert(note, account, rid, null)
    },
    changed(account, rid, before, after) {
      if (matchedDiffer(before, after)) note.run(account, rid, matchedText(before))
    },
    removed(account, rid, lead) {
      note.run(account, rid, matchedText(lead))
      dropPairs.run(account, rid)
      dropAliases.run(account, rid)
    },
  }
}
