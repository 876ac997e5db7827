import type { IdempotencyReads, IdempotencyWrites, KeptAnswer } from "../contract/idempotency.ts"
import type { AccountColumns } from "../sql/account-columns.ts"
import type { Db, WriteDb } from "../sql/db.ts"

const FIND = `SELECT request, answer, import_id, created_at FROM idempotent_answers
  WHERE account_id = $1 AND key = $2 AND created_at >= $3`
const ACCOUNTS_BEFORE = `SELECT DISTINCT account_id AS account FROM (SELECT account_id FROM idempotent_answers
  WHERE created_at < $1 ORDER BY created_at LIMIT 1000) AS old`
/** Bytes of an entry besides its answer. */
const ENTRY = 100
/** Entries that one call forgets. */
const AT_ONCE = 500
/** By the index of times: expired entries are few, an account's own may be many. */
const OLD = `SELECT key, counted FROM idempotent_answers
  WHERE account_id + 0 = $1 AND created_at < $2 ORDER BY created_at LIMIT $3`
const COUNTED = "SELECT counted FROM idempotent_answers WHERE account_id = $1 AND key = $2"
const REMOVE = "DELETE FROM idempotent_answers WHERE account_id = $1 AND key = $2"
/** By the index of times: most stretches are older than all that is kept. */
const ERASE = `UPDATE idempotent_answers SET answer = $4
  WHERE account_id + 0 = $1 AND created_at BETWEEN $2 AND $3 AND answer IS NOT NULL`
const RENEW = `UPDATE idempotent_answers SET created_at = $3
  WHERE account_id = $1 AND key = $2 AND answer IS NULL AND import_id IS NULL`
/** An entry that replaces an expired one goes on to count its bytes, which were never taken back. */
const PUT = `INSERT INTO idempotent_answers (account_id, key, request, answer, created_at, counted)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (account_id, key) DO UPDATE SET request = excluded.request, answer = excluded.answer,
    created_at = excluded.created_at, counted = idempotent_answers.counted + excluded.counted, import_id = NULL`

export function idempotencyReads(db: Db): IdempotencyReads {
  return {
    find: (account, key, since) => db.get<KeptAnswer>(FIND, [account, key, since]),
    accountsBefore: async (since) =>
      (await db.all<{ account: number }>(ACCOUNTS_BEFORE, [since])).map(({ account }) => account),
  }
}

export function idempotencyWrites(db: WriteDb, columns: AccountColumns): IdempotencyWrites {
  return {
    async put(account, key, { request, answer, created_at }) {
      const counted = answer === null ? 0 : answer.length + ENTRY
      db.later(PUT, [account, key, request, answer, created_at, counted])
      await columns.addBytes(account, counted)
    },
    async renew(account, key, now) {
      db.later(RENEW, [account, key, now])
    },
    async runsImport(account, key, id) {
      db.later("UPDATE idempotent_answers SET import_id = $3 WHERE account_id = $1 AND key = $2", [
        ...[account, key, id],
      ])
    },
    async remove(account, key) {
      const row = await db.get<{ counted: number }>(COUNTED, [account, key])
      db.later(REMOVE, [account, key])
      await columns.addBytes(account, -(row?.counted ?? 0))
    },
    async eraseAnswers(account, stretches) {
      for (const [from, to] of stretches) db.later(ERASE, [account, from, to, new Uint8Array()])
    },
    async forget(account, since) {
      const old = await db.all<{ key: Uint8Array; counted: number }>(OLD, [account, since, AT_ONCE])
      for (const { key } of old) db.later(REMOVE, [account, key])
      await columns.addBytes(account, -old.reduce((sum, { counted }) => sum + counted, 0))
      return old.length === AT_ONCE
    },
  }
}
