import type { IdempotencyReads, IdempotencyWrites, KeptAnswer } from "../contract/idempotency.ts"
import type { Db, WriteDb } from "../sql/db.ts"

const FIND =
  "SELECT request, answer FROM idempotent_answers WHERE account_id = $1 AND key = $2 AND created_at >= $3"
/** Rows that another process is forgetting at the moment are left to it. */
const FORGET = `DELETE FROM idempotent_answers WHERE (account_id, key) IN (SELECT account_id, key FROM idempotent_answers
  WHERE created_at < $1 ORDER BY created_at LIMIT 4 FOR UPDATE SKIP LOCKED)`
const PUT = `INSERT INTO idempotent_answers (account_id, key, request, answer, created_at) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (account_id, key) DO UPDATE
    SET request = excluded.request, answer = excluded.answer, created_at = excluded.created_at`

export function idempotencyReads(db: Db): IdempotencyReads {
  return { find: (account, key, since) => db.get<KeptAnswer>(FIND, [account, key, since]) }
}

export function idempotencyWrites(db: WriteDb): IdempotencyWrites {
  return {
    async put(account, key, { request, answer, created_at, since }) {
      db.later(FORGET, [since])
      db.later(PUT, [account, key, request, answer, created_at])
    },
    async remove(account, key) {
      db.later("DELETE FROM idempotent_answers WHERE account_id = $1 AND key = $2", [account, key])
    },
  }
}
