import type { ChangeWrites, TrailCare } from "../../contract/changes.ts"
import { STEP, textsOf, trailCareOn } from "../../tables/trail/care.ts"
import { addBytes } from "../leads/projections.ts"
import { pgForgetWords } from "../search/known-words.ts"
import type { Tx } from "../writes/transaction.ts"

const BYTES = ["facts", "pushed", "state", "notes"]
  .map((name) => `coalesce(octet_length(${name}), 0)`)
  .join(" + ")

export const trailCare = (tx: Tx): TrailCare =>
  trailCareOn(tx, `${BYTES} AS bytes`, async (account, _, floor, bytes) => {
    const state = await tx.account(account)
    state.trail_floor = Math.max(state.trail_floor, floor)
    addBytes(state, -bytes)
  })

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
