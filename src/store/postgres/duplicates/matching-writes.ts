import type { Compared, IndexUpdate } from "../../contract/duplicates.ts"
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

function dropDue(tx: Tx, account: number, refs: readonly number[]): void {
  tx.later("DELETE FROM duplicate_due WHERE account_id = $1 AND rid = ANY ($2::bigint[])", [account, refs])
}

const KEEP = `INSERT INTO duplicate_pairs (account_id, a, b, state, probability, reasons, evidence, created_at)
  SELECT $1::bigint, a.rid, b.rid, CASE WHEN EXISTS (SELECT 1 FROM duplicate_dismissals
      WHERE account_id = $1 AND low = least(a.id, b.id) AND high = greatest(a.id, b.id)) THEN 1 ELSE 0 END,
    f.probability, f.reasons, f.evidence, $7::bigint
  FROM unnest($2::bigint[], $3::bigint[], $4::float8[], $5::text[], $6::text[])
    WITH ORDINALITY AS f (a, b, probability, reasons, evidence, n)
  JOIN leads a ON a.account_id = $1 AND a.rid = f.a JOIN leads b ON b.account_id = $1 AND b.rid = f.b ORDER BY f.n
  ON CONFLICT (account_id, a, b) WHERE state < 2 DO UPDATE SET
    probability = excluded.probability, reasons = excluded.reasons, evidence = excluded.evidence`

/** Writes the pairs that comparing found, and deletes those that it lost. */
export function keepPairs(tx: Tx, account: number, results: readonly Compared[], at: number): void {
  dropDue(
    tx,
    account,
    results.map(({ ref }) => ref),
  )
  // Of a pair that was found from both sides the later finding counts, as one statement writes a row once.
  const found = new Map<string, readonly [number, number, number, string, string]>()
  const lost: [number, number][] = []
  for (const { ref, found: partners, lost: none } of results) {
    for (const { other, probability, reasons, evidence } of partners) {
      const [a, b] = [Math.min(ref, other), Math.max(ref, other)]
      const texts = [JSON.stringify(reasons.map(Object.values)), JSON.stringify(evidence)] as const
      found.set(`${a} ${b}`, [a, b, probability, ...texts])
    }
    for (const other of none) {
      lost.push([Math.min(ref, other), Math.max(ref, other)])
      found.delete(`${Math.min(ref, other)} ${Math.max(ref, other)}`)
    }
  }
  if (lost.length > 0) {
    tx.later(
      `DELETE FROM duplicate_pairs p USING unnest($2::bigint[], $3::bigint[]) AS d (a, b)
       WHERE p.account_id = $1 AND p.a = d.a AND p.b = d.b AND p.state = 0 AND p.asked = 0`,
      [account, lost.map(([a]) => a), lost.map(([, b]) => b)],
    )
  }
  const rows = [...found.values()]
  if (rows.length === 0) return
  tx.later(KEEP, [
    account,
    rows.map(([a]) => a),
    rows.map(([, b]) => b),
    rows.map(([, , probability]) => probability),
    rows.map(([, , , reasons]) => reasons),
    rows.map(([, , , , evidence]) => evidence),
    at,
  ])
}
