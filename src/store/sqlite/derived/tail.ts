// Leads that the derived tables have not followed yet: whatever asks the tables looks at these leads themselves.
import type { Database } from "bun:sqlite"
import { leaveTurn, prepare } from "../connection/database.ts"
import { attachAgain } from "./file.ts"
import type { Tail } from "./lacking.ts"

interface State {
  high: number
  log: number
  whole: number
}

/** A log whose numbers have a gap behind the tables, or end before them, is of another database: nothing is trusted. */
const HEAD = `SELECT (SELECT coalesce(max(rid), 0) FROM leads) AS last,
  (SELECT coalesce(max(n), 0) FROM lead_log) AS log, (SELECT coalesce(min(n), 0) FROM lead_log) AS first`
const CHANGED = "SELECT DISTINCT rid FROM lead_log WHERE n > ? AND account = ? AND rid BETWEEN 1 AND ?"

/** Reads tails on a connection that has the derived tables attached. They are up to date when `of` is called. */
export function createTails(db: Database): (account: number) => Tail {
  const state = prepare<State, []>(db, "SELECT high, log, whole FROM index_state")
  const head = prepare<{ last: number; log: number; first: number }, []>(db, HEAD)
  const changes = prepare<{ rid: number }>(db, CHANGED)
  return (account) => {
    leaveTurn(db)
    const tail = of(account)
    // Only a file that others have replaced stays behind for good.
    return !tail.isEmpty && attachAgain(db) ? of(account) : tail
  }

  function of(account: number): Tail {
    // First how far the tables are, then the leads: what is followed in between is looked at twice, and nothing missed.
    const at = state.get() ?? { high: 0, log: 0 }
    const { last, log, first } = head.get()!
    const isOfThis = first <= at.log + 1 && log >= at.log
    const high = isOfThis ? Math.min(at.high, last) : 0
    const changed = high > 0 && log > at.log ? changes.all(at.log, account, high).map(({ rid }) => rid) : []
    return { account, high, last, log, changed, isEmpty: high >= last && changed.length === 0 }
  }
}

/** How far the tables are; `isWhole` is false until they have had all leads once. */
export function createProgress(db: Database): () => { log: number; isBehind: boolean; isWhole: boolean } {
  const state = prepare<State, []>(db, "SELECT high, log, whole FROM index_state")
  const head = prepare<{ last: number; log: number }, []>(db, HEAD)
  return () => {
    leaveTurn(db)
    const at = state.get() ?? { high: 0, log: 0, whole: 0 }
    const { last, log } = head.get()!
    return { log: at.log, isBehind: at.high < last || at.log !== log, isWhole: at.whole === 1 }
  }
}

/** Fewer are looked at in no time, and indexed within a moment. */
const NOTICED = 2_000

/** About how many of an account's leads the tables lack while they are made anew; 0 while they only follow the writes. */
export function unindexedLeads(db: Database): (account: number) => number {
  const leads = prepare<{ n: number }>(
    db,
    `SELECT CASE WHEN whole = 1 THEN 0 ELSE
       lead_count * (1 - min(1.0, high / max(1.0, (SELECT max(rid) FROM leads)))) END AS n
     FROM accounts, index_state WHERE key = ?`,
  )
  return (account) => {
    const n = Math.ceil(leads.get(account)?.n ?? 0)
    return n < NOTICED ? 0 : n
  }
}
