import type { Note, NoteReads, NoteWrites } from "../../store.ts"
import type { Db } from "../connection/connection.ts"
import type { Tx } from "../writes/transaction.ts"
import { addBytes } from "./writes.ts"

const NOTE = "SELECT id, lead_id, content, created_at, updated_at FROM notes WHERE account_id = $1"

export function noteReads(db: Db): NoteReads {
  return {
    find: (account, id) => db.get<Note>(`${NOTE} AND id = $2`, [account, id]),
    list: (account, lead) => db.all<Note>(`${NOTE} AND lead_rid = $2 ORDER BY rid`, [account, lead.ref]),
  }
}

export function noteWrites(tx: Tx): NoteWrites {
  async function bytesOf(account: number, id: string): Promise<number> {
    const text = "SELECT octet_length(content) AS n FROM notes WHERE account_id = $1 AND id = $2"
    return (await tx.get<{ n: number }>(text, [account, id]))?.n ?? 0
  }
  return {
    async insert(account, lead, { id, lead_id, content, created_at, updated_at }) {
      addBytes(await tx.account(account), Buffer.byteLength(content))
      tx.later(
        `INSERT INTO notes (account_id, lead_rid, id, lead_id, content, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [account, lead.ref, id, lead_id, content, created_at, updated_at],
      )
    },
    async update(account, { id, content, updated_at }) {
      const state = await tx.account(account)
      const was = await bytesOf(account, id)
      const written = await tx.run(
        "UPDATE notes SET content = $3, updated_at = $4 WHERE account_id = $1 AND id = $2",
        [account, id, content, updated_at],
      )
      if (written > 0) addBytes(state, Buffer.byteLength(content) - was)
    },
    async remove(account, id) {
      const state = await tx.account(account)
      addBytes(state, -(await bytesOf(account, id)))
      tx.later("DELETE FROM notes WHERE account_id = $1 AND id = $2", [account, id])
    },
  }
}
