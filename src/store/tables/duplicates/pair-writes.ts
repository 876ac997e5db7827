import type { Compared, DuplicatePair, DuplicateWrites } from "../../contract/store.ts"
import { bulk, type Cell } from "../../sql/bulk.ts"
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

const PAIR = { account_id: "bigint", a: "bigint", b: "bigint" }
const lost = bulk(
  PAIR,
  (
    rows,
  ) => `DELETE FROM duplicate_pairs WHERE (account_id, a, b) IN (SELECT r.account_id, r.a, r.b FROM ${rows})
    AND state < 2 AND state = 0 AND asked = 0`,
)
const detected = bulk(
  { ...PAIR, probability: "float8", reasons: "text", evidence: "text", created_at: "bigint" },
  (
    rows,
  ) => `INSERT INTO duplicate_pairs AS p (account_id, a, b, state, probability, reasons, evidence, created_at)
    SELECT r.account_id, r.a, r.b, CASE WHEN EXISTS (
        SELECT 1 FROM duplicate_dismissals d WHERE d.account_id = r.account_id
          AND d.low = CASE WHEN a.id < b.id THEN a.id ELSE b.id END
          AND d.high = CASE WHEN a.id < b.id THEN b.id ELSE a.id END) THEN 1 ELSE 0 END,
      r.probability, r.reasons, r.evidence, r.created_at
    FROM ${rows} JOIN leads a ON a.account_id = r.account_id AND a.rid = r.a
      JOIN leads b ON b.account_id = r.account_id AND b.rid = r.b WHERE true
    ON CONFLICT (account_id, a, b) WHERE state < 2 DO UPDATE SET
      probability = excluded.probability, reasons = excluded.reasons, evidence = excluded.evidence
    WHERE p.probability <> excluded.probability OR p.reasons <> excluded.reasons OR p.evidence <> excluded.evidence`,
)

/** Writes the pairs that comparing found, and deletes those that it lost. */
export function keepPairs(db: WriteDb, account: number, results: readonly Compared[], at: number): void {
  // Of a pair that was found from both sides the later finding counts, as one statement writes a row once.
  const pairs = new Map<string, Cell[]>()
  for (const { ref, found, lost: none } of results) {
    const sides = (other: number) => [Math.min(ref, other), Math.max(ref, other)]
    for (const { other, probability, reasons, evidence } of found) {
      const texts = [JSON.stringify(reasons.map(Object.values)), JSON.stringify(evidence)]
      pairs.set(sides(other).join(), [account, ...sides(other), probability, ...texts, at])
    }
    for (const other of none) {
      db.put(lost, [account, ...sides(other)])
      pairs.delete(sides(other).join())
    }
  }
  for (const row of pairs.values()) db.put(detected, row)
}
