import type { Database } from "bun:sqlite"
import { type DuplicatePair, type DuplicateWrites, INDEX_VERSION } from "../../contract/duplicates.ts"
import { prepare } from "../file/database.ts"
import { mergeWrites } from "./merge-writes.ts"

/** Keeps an account's row of settings there. */
export function matchAccounts(db: Database) {
  const make = prepare(
    db,
    `INSERT OR IGNORE INTO duplicate_accounts (account_id, index_version) VALUES (?, ${INDEX_VERSION})`,
  )
  return (account: number) => void make.run(account)
}

/** The beginning of a statement that has all leads compared again. */
export const START_PASS = `UPDATE duplicate_accounts SET pass = 'compare', pass_place = NULL,
  pass_to = (SELECT coalesce(max(rid), 0) FROM leads),
  pass_left = (SELECT lead_count FROM accounts WHERE key = duplicate_accounts.account_id),
  compared = (SELECT lead_count FROM accounts WHERE key = duplicate_accounts.account_id)`

export function duplicateWrites(db: Database): DuplicateWrites {
  const ensure = matchAccounts(db)
  const setState = prepare(db, "UPDATE duplicate_pairs SET state = ? WHERE account_id = ? AND rid = ?")
  const addDismissal = prepare(
    db,
    `INSERT OR IGNORE INTO duplicate_dismissals (account_id, low, high, merge_rid, created_at)
     VALUES (?, ?, ?, 0, ?)`,
  )
  const dropDismissal = prepare(
    db,
    "DELETE FROM duplicate_dismissals WHERE account_id = ? AND low = ? AND high = ?",
  )
  const decide = prepare(
    db,
    `INSERT INTO duplicate_decisions (account_id, pair_rid, is_same, probability, evidence, created_at)
     SELECT account_id, rid, ?, probability, evidence, ? FROM duplicate_pairs WHERE account_id = ? AND rid = ?
     ON CONFLICT DO UPDATE SET is_same = excluded.is_same, created_at = excluded.created_at`,
  )
  const decided = prepare(db, "UPDATE duplicate_accounts SET decided = decided + 1 WHERE account_id = ?")
  const undecide = prepare(db, "DELETE FROM duplicate_decisions WHERE account_id = ? AND pair_rid = ?")
  const startPass = prepare(db, `${START_PASS} WHERE account_id = ? AND pass IS NULL`)
  const setAbove = prepare(db, "UPDATE duplicate_accounts SET auto_merge_above = ? WHERE account_id = ?")
  const setLearning = prepare(
    db,
    "UPDATE duplicate_accounts SET learning = ?, learned = -1 WHERE account_id = ?",
  )
  const setWeights = prepare(db, "UPDATE duplicate_accounts SET weights = ? WHERE account_id = ?")

  return {
    ...mergeWrites(db),
    async dismiss(account, pair, at) {
      addDismissal.run(account, ...idsOf(pair), at)
      setState.run(1, account, pair.ref)
      decide.run(0, at, account, pair.ref)
      ensure(account)
      decided.run(account)
    },
    async reopen(account, pair) {
      dropDismissal.run(account, ...idsOf(pair))
      setState.run(0, account, pair.ref)
      undecide.run(account, pair.ref)
      ensure(account)
      decided.run(account)
    },
    async startPass(account) {
      ensure(account)
      startPass.run(account)
    },
    async change(account, { auto_merge_above, learning, weights }) {
      ensure(account)
      if (auto_merge_above !== undefined) setAbove.run(auto_merge_above, account)
      if (learning !== undefined) setLearning.run(learning ? 1 : 0, account)
      if (weights !== undefined) setWeights.run(weights && JSON.stringify(weights), account)
    },
  }
}

/** The ids of both leads, the smaller first. */
function idsOf({ a, b }: DuplicatePair): [low: string, high: string] {
  const [one, other] = [a.data().id, b.data().id]
  return one < other ? [one, other] : [other, one]
}
