import type { ScoreChange, ScoringStore } from "../../contract/store.ts"
import { timeZone } from "../../tables/accounts.ts"
import { ruleReads } from "../../tables/rules.ts"
import { queueTransition, segmentReads } from "../../tables/segments.ts"
import { openSecondWriter } from "../file/connections.ts"
import { prepare } from "../file/database.ts"
import { sqliteDb } from "../file/db.ts"
import { patientBegin } from "../queue/write-queue.ts"
import { leadScoring, scoreSetter } from "./scoring.ts"
import { wholeLeads } from "./whole-leads.ts"

/** Opens the file for a scoring run in another thread, beside the store of the same process. */
export function openScoringStore(file: string): ScoringStore {
  const db = openSecondWriter(file)
  const begin = patientBegin(db)
  const setScore = scoreSetter(db)
  const scoring = leadScoring(db)
  const statements = sqliteDb(db)
  const segments = segmentReads(statements)
  const whole = wholeLeads(db)
  const leased = prepare(db, "SELECT 1 FROM accounts WHERE key = ? AND scoring_lease = ?")

  function setAll(account: number, changes: readonly ScoreChange[], lease: string): number {
    if (!leased.get(account, lease)) throw new Error("the lease of this scoring run is another's")
    let written = 0
    for (const { ref, version, score, transitions = [] } of changes) {
      if (!setScore(account, ref, version, score)) continue
      written++
      for (const transition of transitions) queueTransition(statements, account, transition)
    }
    return written
  }

  return {
    rules: ruleReads(statements).list,
    watchedSegments: async (account) =>
      (await segments.watchRevision(account)) === 0 ? [] : segments.list(account),
    timeZone: (account) => timeZone(statements, account),
    wholeLeads: async (account, refs) => whole(account, refs),
    async *pages(account, needs, shape) {
      yield* scoring.pages(account, needs, shape)
    },
    async write(account, changes, lease) {
      await begin()
      // Without a pause: a thread that is ended in the middle would hold the file as long as the process lives.
      try {
        const written = setAll(account, changes, lease)
        db.run("COMMIT")
        return written
      } catch (error) {
        if (db.inTransaction) db.run("ROLLBACK")
        throw error
      }
    },
    close: () => db.close(),
  }
}
