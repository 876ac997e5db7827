// The log of leads that were changed or removed, which the derived tables follow. New leads are known by their rids.
import type { Database } from "bun:sqlite"
import { prepare } from "../connection/database.ts"

/** Rows between two times that followed ones are dropped, and how many go at most: about a millisecond. */
const PRUNE_EVERY = 500
const PRUNED = 2_000

export interface LeadLog {
  /** A lead is there that was not. It is logged where another lead has had its rid. */
  created(account: number, rid: number): void
  /** Logs that a lead's search or matching fields have changed. */
  changed(account: number, rid: number): void
  removed(account: number, rid: number): void
  accountGone(account: number): void
  /** A transaction has begun: another process may have removed leads since. */
  begun(): void
  /** Whether anything was noted since this was asked last. */
  takeNews(): boolean
}

/** Writes the log on the connection that writes leads. `followed` tells up to which number it is not needed any more. */
export function createLeadLog(db: Database, followed: () => number): LeadLog {
  const add = prepare(db, "INSERT INTO lead_log (account, rid) VALUES (?, ?)")
  // The last row stays: its number is never given again.
  const prune = prepare(
    db,
    `DELETE FROM lead_log WHERE n <= ? AND n <= (SELECT min(n) + ${PRUNED} FROM lead_log)
     AND n < (SELECT max(n) FROM lead_log)`,
  )
  const head = prepare<{ rid: number }, []>(db, "SELECT rid FROM lead_head")
  const raise = prepare(db, "UPDATE lead_head SET rid = ?1 WHERE rid < ?1")
  let isNews = false
  /** The highest rid that a lead has had which is gone, as far as the transaction has asked for it. */
  let highest: number | undefined
  function note(account: number, rid: number): void {
    isNews = true
    const n = Number(add.run(account, rid).lastInsertRowid)
    if (n % PRUNE_EVERY === 0) prune.run(followed())
  }
  return {
    created(account, rid) {
      isNews = true
      highest ??= head.get()!.rid
      if (rid <= highest) note(account, rid)
    },
    changed: note,
    removed(account, rid) {
      raise.run(rid)
      highest = undefined
      note(account, rid)
    },
    accountGone: (account) => note(account, 0),
    begun() {
      highest = undefined
    },
    takeNews() {
      const was = isNews
      isNews = false
      return was
    },
  }
}
