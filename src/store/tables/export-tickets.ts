import type { ExportTicket, ExportTicketReads, ExportTicketWrites } from "../contract/export-tickets.ts"
import type { Db, WriteDb } from "../sql/db.ts"

const FIND = `SELECT t.hash, t.key_id, t.wanted, t.expires_at, a.id AS account_id
  FROM export_tickets t JOIN accounts a ON a.key = t.account_id WHERE t.hash = $1`

export function exportTicketReads(db: Db): ExportTicketReads {
  return { find: (hash) => db.get<ExportTicket & { account_id: string }>(FIND, [hash]) }
}

const INSERT =
  "INSERT INTO export_tickets (hash, account_id, key_id, wanted, expires_at) VALUES ($1, $2, $3, $4, $5)"
const DROP_OLD = "DELETE FROM export_tickets WHERE account_id = $1 AND expires_at <= $2"
const DROP_MANY = `DELETE FROM export_tickets WHERE hash IN (
  SELECT hash FROM export_tickets WHERE account_id = $1 ORDER BY expires_at DESC, hash LIMIT 1000 OFFSET $2)`

export function exportTicketWrites(db: WriteDb): ExportTicketWrites {
  return {
    async clear(account) {
      db.later("DELETE FROM export_tickets WHERE account_id = $1", [account])
    },
    async insert(account, { hash, key_id, wanted, expires_at }, { now, most }) {
      db.later(DROP_OLD, [account, now])
      db.later(INSERT, [hash, account, key_id, wanted, expires_at])
      db.later(DROP_MANY, [account, most])
    },
  }
}
