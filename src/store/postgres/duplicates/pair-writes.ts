import type { DuplicatePair, DuplicateWrites } from "../../contract/duplicates.ts"
import type { Tx } from "../writes/transaction.ts"
import { mergeWrites } from "./merge-writes.ts"
import { lowFirst } from "./pairs.ts"
import { DECIDE, DECIDED, DISMISS, ENSURE, START_PASS } from "./statements.ts"

const SET_STATE = "UPDATE duplicate_pairs SET state = $3 WHERE account_id = $1 AND rid = $2"

/** All writes of pairs hold their account. */
export function duplicateWrites(tx: Tx): DuplicateWrites {
  return {
    ...mergeWrites(tx),
    async dismiss(account, pair, at) {
      await tx.account(account)
      tx.later(DISMISS, [account, ...idsOf(pair), at])
      tx.later(SET_STATE, [account, pair.ref, 1])
      tx.later(DECIDE, [account, pair.ref, 0, at])
      tx.later(DECIDED, [account])
    },
    async reopen(account, pair) {
      await tx.account(account)
      tx.later("DELETE FROM duplicate_dismissals WHERE account_id = $1 AND low = $2 AND high = $3", [
        account,
        ...idsOf(pair),
      ])
      tx.later(SET_STATE, [account, pair.ref, 0])
      tx.later("DELETE FROM duplicate_decisions WHERE account_id = $1 AND pair_rid = $2", [account, pair.ref])
      tx.later(DECIDED, [account])
    },
    async startPass(account) {
      const { lead_head, lead_count } = await tx.account(account)
      tx.later(ENSURE, [account])
      tx.later(START_PASS, [account, lead_head, lead_count])
    },
    async change(account, { auto_merge_above, learning, weights }) {
      await tx.account(account)
      tx.later(ENSURE, [account])
      const set = (what: string, value: string | number | null) =>
        tx.later(`UPDATE duplicate_accounts SET ${what} WHERE account_id = $1`, [account, value])
      if (auto_merge_above !== undefined) set("auto_merge_above = $2", auto_merge_above)
      if (learning !== undefined) set("learning = $2, learned = -1", learning ? 1 : 0)
      if (weights !== undefined) set("weights = $2", weights && JSON.stringify(weights))
    },
  }
}

/** The ids of both leads, the smaller first. */
function idsOf({ a, b }: DuplicatePair): [low: string, high: string] {
  return lowFirst(a.data().id, b.data().id)
}
