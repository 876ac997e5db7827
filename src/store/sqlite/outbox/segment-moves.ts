import type { Database } from "bun:sqlite"
import type { SegmentMove } from "../../contract/store.ts"
import { prepare } from "../file/database.ts"

/** Notes whether anybody listens to segments of an account, after a change of what decides it. */
export function hearing(db: Database): (account: number) => void {
  // Random rather than counted: a number that was rolled back never comes again for other segments.
  const revise = prepare(
    db,
    `UPDATE accounts SET segments_heard = CASE
       WHEN EXISTS (SELECT 1 FROM segments s WHERE s.account_id = ?1)
         AND EXISTS (SELECT 1 FROM webhooks w WHERE w.account_id = ?1 AND w.active = 1 AND EXISTS (
           SELECT 1 FROM json_each(w.events) WHERE value IN ('segment.entered', 'segment.left', '*')))
       THEN (random() & 0xffffffffffff) | 1 ELSE 0 END
     WHERE key = ?1`,
  )
  const forget = prepare(
    db,
    `DELETE FROM segment_moves WHERE account_id = ?1
       AND EXISTS (SELECT 1 FROM accounts WHERE key = ?1 AND segments_heard = 0)`,
  )
  return (account) => {
    revise.run(account)
    forget.run(account)
  }
}

/** Keeps moves; a lead that comes back before anybody was told has not moved. */
export function moveWriter(db: Database): (account: number, move: SegmentMove) => void {
  const undo = prepare(
    db,
    "DELETE FROM segment_moves WHERE account_id = ? AND segment = ? AND lead = ? AND entered <> ?",
  )
  const add = prepare(
    db,
    "INSERT OR IGNORE INTO segment_moves (account_id, segment, lead, entered) VALUES (?, ?, ?, ?)",
  )
  return (account, { segment, lead, entered }) => {
    const values = [account, segment, lead, Number(entered)] as const
    if (undo.run(...values).changes === 0) add.run(...values)
  }
}
