import type { DuplicatePair, DuplicateWrites } from "../../contract/duplicates.ts"
import type { WriteDb } from "../../sql/db.ts"
import { mergeWrites } from "./merge-writes.ts"
import { DECIDE, DECIDED, DISMISS, ENSURE, type LeadRange, lowFirst, START_PASS } from "./statements.ts"

const SET_STATE = "UPDATE duplicate_pairs SET state = $3 WHERE account_id = $1 AND rid = $2"
const ASK = `INSERT INTO duplicate_pairs (account_id, a, b, probability, reasons, evidence, created_at, asked)
  VALUES ($1, $2, $3, $4, $5, '{}', $6, 1) ON CONFLICT (account_id, a, b) WHERE state < 2 DO UPDATE SET asked = 1`
const DROP_DISMISSAL = "DELETE FROM duplicate_dismissals WHERE account_id = $1 AND low = $2 AND high = $3"
const DROP_DECISION = "DELETE FROM duplicate_decisions WHERE account_id = $1 AND pair_rid = $2"
const set = (what: string) => `UPDATE duplicate_accounts SET ${what} WHERE account_id = $1`
const SET_ABOVE = set("auto_merge_above = $2")
const SET_LEARNING = set("learning = $2, learned = -1")
const SET_WEIGHTS = set("weights = $2")

export function duplicateWrites(
  db: WriteDb,
  leadRange: (account: number) => Promise<LeadRange>,
): DuplicateWrites {
  return {
    ...mergeWrites(db),
    async dismiss(account, pair, at) {
      db.later(DISMISS, [account, ...idsOf(pair), at])
      db.later(SET_STATE, [account, pair.ref, 1])
      db.later(DECIDE, [account, pair.ref, 0, at])
      db.later(DECIDED, [account])
    },
    async ask(account, one, other, { probability, reasons, at }) {
      const both = [Math.min(one, other), Math.max(one, other)] as const
      db.later(ASK, [account, ...both, probability, JSON.stringify(reasons.map(Object.values)), at])
    },
    async reopen(account, pair) {
      db.later(DROP_DISMISSAL, [account, ...idsOf(pair)])
      db.later(SET_STATE, [account, pair.ref, 0])
      db.later(DROP_DECISION, [account, pair.ref])
      db.later(DECIDED, [account])
    },
    async startPass(account) {
      const { last, leads } = await leadRange(account)
      db.later(ENSURE, [account])
      db.later(START_PASS, [account, last, leads])
    },
    async change(account, { auto_merge_above, learning, weights }) {
      db.later(ENSURE, [account])
      if (auto_merge_above !== undefined) db.later(SET_ABOVE, [account, auto_merge_above])
      if (learning !== undefined) db.later(SET_LEARNING, [account, learning ? 1 : 0])
      if (weights !== undefined) db.later(SET_WEIGHTS, [account, weights && JSON.stringify(weights)])
    },
  }
}

/** The ids of both leads, the smaller first. */
function idsOf({ a, b }: DuplicatePair): [low: string, high: string] {
  return lowFirst(a.data().id, b.data().id)
}
