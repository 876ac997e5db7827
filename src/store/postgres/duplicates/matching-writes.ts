import type { IndexUpdate } from "../../contract/matching.ts"
import { ENSURE } from "../../tables/duplicates/statements.ts"
import type { Tx } from "../writes/transaction.ts"
import { writeKeys } from "./match-keys.ts"

/**
 * Takes leads out of the queue and writes their new index rows. Leads that a request is about to queue anew stay:
 * neither waits for the other.
 */
export async function indexLeads(tx: Tx, account: number, updates: readonly IndexUpdate[]): Promise<void> {
  tx.later(ENSURE, [account])
  const queued = updates.filter(({ turn }) => turn !== undefined)
  const taken = await tx.all<{ rid: number }>(
    `WITH taken AS (
       SELECT q.rid FROM duplicate_queue q JOIN unnest($2::bigint[], $3::bigint[]) AS t (rid, turn)
         ON q.account_id = $1 AND q.rid = t.rid AND q.turn = t.turn FOR UPDATE OF q SKIP LOCKED)
     DELETE FROM duplicate_queue q USING taken t WHERE q.account_id = $1 AND q.rid = t.rid RETURNING q.rid`,
    [account, queued.map(({ ref }) => ref), queued.map(({ turn }) => turn ?? 0)],
  )
  const isTaken = new Set(taken.map(({ rid }) => rid))
  // Leads that have changed since they were read are still in the queue.
  const done = updates.filter(({ ref, turn }) => turn === undefined || isTaken.has(ref))
  writeKeys(tx, account, done)
  countTerms(tx, account, done)
  const there = done.filter(({ turn, isThere }) => turn !== undefined && isThere).map(({ ref }) => ref)
  const gone = done.filter(({ turn, isThere }) => turn !== undefined && !isThere).map(({ ref }) => ref)
  if (there.length > 0) {
    tx.later(
      `INSERT INTO duplicate_due (account_id, rid) SELECT $1::bigint, * FROM unnest($2::bigint[])
       ON CONFLICT DO NOTHING`,
      [account, there],
    )
  }
  if (gone.length > 0) dropDue(tx, account, gone)
}

function countTerms(tx: Tx, account: number, updates: readonly IndexUpdate[]): void {
  const terms = new Map<number, number>()
  const add = (term: number, by: number) => terms.set(term, (terms.get(term) ?? 0) + by)
  for (const { dropTerms, addTerms } of updates) {
    for (const term of dropTerms) add(term, -1)
    for (const term of addTerms) add(term, 1)
  }
  const changed = [...terms].filter(([, by]) => by !== 0)
  if (changed.length === 0) return
  tx.later(
    `INSERT INTO match_terms AS t (account_id, term, leads)
     SELECT $1::bigint, * FROM unnest($2::bigint[], $3::bigint[])
     ON CONFLICT (account_id, term) DO UPDATE SET leads = t.leads + excluded.leads`,
    [account, changed.map(([term]) => term), changed.map(([, by]) => by)],
  )
  const fewer = changed.filter(([, by]) => by < 0).map(([term]) => term)
  if (fewer.length > 0)
    tx.later("DELETE FROM match_terms WHERE account_id = $1 AND term = ANY ($2::bigint[]) AND leads <= 0", [
      account,
      fewer,
    ])
}

export function dropDue(tx: Tx, account: number, refs: readonly number[]): void {
  tx.later("DELETE FROM duplicate_due WHERE account_id = $1 AND rid = ANY ($2::bigint[])", [account, refs])
}
