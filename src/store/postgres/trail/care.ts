import type { ChangeWrites, TrailCare } from "../../contract/changes.ts"
import { textsOf } from "../../tables/trail/texts.ts"
import { addBytes } from "../leads/projections.ts"
import { pgForgetWords } from "../search/known-words.ts"
import type { Tx } from "../writes/transaction.ts"

/** Changes of one step. */
const STEP = 500

/** Forgets the oldest changes. What is younger can be put together without them. */
export function trailCare(tx: Tx): TrailCare {
  return {
    keeps: () => tx.all("SELECT key AS account, changes_keep AS keep FROM accounts ORDER BY key"),
    async setKeep(account, seconds) {
      tx.later("UPDATE accounts SET changes_keep = $2 WHERE key = $1", [account, seconds])
    },
    async prune(account, keep, now) {
      const oldest = await tx.all<{ seq: number; at: number; bytes: number }>(
        `SELECT seq, created_at AS at, ${BYTES} AS bytes FROM trail WHERE account_id = $1 ORDER BY seq LIMIT ${STEP}`,
        [account],
      )
      const newest = await tx.get<{ at: number }>(
        "SELECT created_at AS at FROM trail WHERE account_id = $1 ORDER BY seq DESC LIMIT 1",
        [account],
      )
      if (!newest) return false
      // A clock that runs ahead must not make everything old.
      const before = Math.min(now, newest.at) - keep
      const young = oldest.findIndex(({ at }) => at >= before)
      const old = young < 0 ? oldest : oldest.slice(0, young)
      const last = old.at(-1)
      if (!last) return false
      const state = await tx.account(account)
      state.trail_floor = Math.max(state.trail_floor, last.seq)
      addBytes(state, -old.reduce((sum, { bytes }) => sum + bytes, 0))
      tx.later("DELETE FROM trail WHERE account_id = $1 AND seq <= $2", [account, last.seq])
      return true
    },
  }
}

const BYTES = ["facts", "pushed", "state", "notes"]
  .map((name) => `coalesce(octet_length(${name}), 0)`)
  .join(" + ")

/**
 * Takes out of a lead's changes what they say of it. That they were made stays: when, by whom, and what kind of change
 * each was.
 */
export function trailErasing(tx: Tx): Pick<ChangeWrites, "erase"> {
  return {
    async erase(account, leadId, { from, to } = { from: 0, to: Number.MAX_SAFE_INTEGER }) {
      const state = await tx.account(account)
      const freed = await tx.all<{ bytes: number; texts: (string | null)[] }>(
        `WITH old AS MATERIALIZED (
           SELECT seq, ${BYTES} AS bytes, ARRAY[facts, state, notes, pushed] AS texts
             FROM trail WHERE account_id = $1 AND lead_id = $2 AND seq BETWEEN $3 AND $4
             AND (facts IS NOT NULL OR state IS NOT NULL OR notes IS NOT NULL OR pushed IS NOT NULL
               OR score_before IS NOT NULL OR score_after IS NOT NULL)
           ORDER BY seq LIMIT ${STEP})
         UPDATE trail t SET facts = NULL, state = NULL, notes = NULL, pushed = NULL, score_before = NULL, score_after = NULL
         FROM old WHERE t.account_id = $1 AND t.seq = old.seq RETURNING old.bytes, old.texts`,
        [account, leadId, from, to],
      )
      await pgForgetWords(
        tx,
        account,
        freed.flatMap(({ texts }) => texts.flatMap(textsIn)),
      )
      addBytes(state, -freed.reduce((sum, { bytes }) => sum + bytes, 0))
      return freed.length === STEP
    },
  }
}

/** All texts in a JSON text. */
function textsIn(json: string | null): string[] {
  return json === null ? [] : textsOf(JSON.parse(json))
}
