import type { ScoreChange, ScoringStore } from "../../contract/store.ts"
import { openSecondWriter, prepare } from "../file/database.ts"
import { moveWriter } from "../outbox/segment-moves.ts"
import { patientBegin } from "../queue/write-queue.ts"
import { segmentReads } from "./named-segments.ts"
import { leadScoring, scoreSetter } from "./scoring.ts"
import { ruleReads } from "./scoring-rules.ts"
import { wholeLeads } from "./whole-leads.ts"

/** Opens the file for a scoring run in another thread, beside the store of the same process. */
export function openScoringStore(file: string): ScoringStore {
  const db = openSecondWriter(file)
  const begin = patientBegin(db)
  const setScore = scoreSetter(db)
  const scoring = leadScoring(db)
  const addMove = moveWriter(db)
  const segments = segmentReads(db)
  const whole = wholeLeads(db)
  const leased = prepare(db, "SELECT 1 FROM accounts WHERE key = ? AND scoring_lease = ?")

  function setAll(account: number, changes: readonly ScoreChange[], lease: string): number {
    if (!leased.get(account, lease)) throw new Error("the lease of this scoring run is another's")
    let written = 0
    for (const { ref, version, score, moves = [] } of changes) {
      if (!setScore(account, ref, version, score)) continue
      written++
      for (const move of moves) addMove(account, move)
    }
    return written
  }

  return {
    rules: ruleReads(db).list,
    heardSegments: async (account) => ((await segments.heard(account)) === 0 ? [] : segments.list(account)),
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
