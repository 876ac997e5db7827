import type { Database } from "bun:sqlite"
import type { IdempotencyReads, IdempotencyWrites, KeptAnswer } from "../../contract/idempotency.ts"
import { prepare } from "../file/database.ts"

export function idempotencyReads(db: Database): IdempotencyReads {
  const find = prepare<KeptAnswer>(
    db,
    "SELECT request, answer FROM idempotent_answers WHERE account_id = ? AND key = ? AND created_at >= ?",
  )
  return { find: async (account, key, since) => find.get(account, key, since) ?? undefined }
}

export function idempotencyWrites(db: Database): IdempotencyWrites {
  const put = prepare(
    db,
    `INSERT INTO idempotent_answers (account_id, key, request, answer, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (account_id, key) DO UPDATE
       SET request = excluded.request, answer = excluded.answer, created_at = excluded.created_at`,
  )
  const remove = prepare(db, "DELETE FROM idempotent_answers WHERE account_id = ? AND key = ?")
  const forget = prepare(
    db,
    `DELETE FROM idempotent_answers WHERE rid IN
       (SELECT rid FROM idempotent_answers WHERE created_at < ? ORDER BY created_at LIMIT 4)`,
  )
  return {
    async put(account, key, { request, answer, created_at, since }) {
      forget.run(since)
      put.run(account, key, request, answer, created_at)
    },
    async remove(account, key) {
      remove.run(account, key)
    },
  }
}
