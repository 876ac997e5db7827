import type { Database } from "bun:sqlite"
import type { DuplicateReads } from "../../contract/duplicates.ts"
import { pairReads } from "../../tables/duplicates/pair-reads.ts"
import { TO_LEARN } from "../../tables/duplicates/pairs.ts"
import { withContacts } from "../../tables/leads/contact-filter.ts"
import { createSlices, createStatementCache, prepare, sqliteDb } from "../connection/database.ts"
import { createTails, createTailWords } from "../derived/tail.ts"
import { filterSql } from "../leads/filters.ts"
import { contactSearch } from "../leads/projections.ts"

/** More that wait are estimated. */
const COUNTED = 10_000

/** The follower wakes the matcher by filling the queue, so that only what is queued is looked for. */
const ANY_WAITING = `SELECT EXISTS (SELECT 1 FROM match_queue) OR EXISTS (SELECT 1 FROM match_due)
  OR EXISTS (SELECT 1 FROM duplicate_accounts WHERE pass IS NOT NULL OR ${TO_LEARN}) AS n`

/** How many leads of an account have yet to be compared: queued ones, and those that the derived tables lack. */
function waitingLeads(db: Database): (account: number) => number {
  const tailOf = createTails(db)
  const queued = prepare<{ n: number }>(
    db,
    `SELECT (SELECT count(*) FROM (SELECT 1 FROM match_queue WHERE account_id = ?1 LIMIT ${COUNTED}))
       + (SELECT count(*) FROM (SELECT 1 FROM match_due WHERE account_id = ?1 LIMIT ${COUNTED})) AS n`,
  )
  const next = prepare<{ n: number }>(
    db,
    `SELECT count(*) AS n FROM (SELECT account_id FROM leads NOT INDEXED WHERE rid > ? ORDER BY rid LIMIT ${COUNTED})
     WHERE account_id = ?`,
  )
  return (account) => {
    const { high, last, changed, isEmpty } = tailOf(account)
    const above = isEmpty ? 0 : next.get(high, account)!.n
    // Behind those that were counted may be more.
    const behind = last - high > COUNTED ? Math.max(1, above) : above
    return behind + changed.length + queued.get(account)!.n
  }
}

/** Each step yields to the event loop: a filter may be tested on every pair. */
export function filePairReads(
  db: Database,
): Pick<DuplicateReads, "isAnyWaiting" | "status" | "page" | "pair" | "links"> {
  const words = createTailWords(db, createSlices)
  const contacts = contactSearch(db)
  const anyWaiting = prepare<{ n: number }, []>(db, ANY_WAITING)
  const waiting = waitingLeads(db)
  return {
    isAnyWaiting: async () => anyWaiting.get()!.n === 1,
    ...pairReads({
      db: sqliteDb(db, createStatementCache(db)),
      documents: "lead_documents",
      resolve: async (account, filter) =>
        words.resolve(account, await withContacts(contacts.areThere, account, filter)),
      filterSql: (account, filter) => filterSql(account, filter, "l.rid"),
      waiting: async (account) => waiting(account),
      pass: "compare",
      steps: createSlices,
    }),
  }
}
