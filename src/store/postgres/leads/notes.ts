import type { Note, NoteReads, NoteWrites } from "../../contract/store.ts"
import type { Db } from "../../sql/db.ts"
import { replaceNotes } from "../search/words.ts"
import type { Tx } from "../writes/transaction.ts"
import { recountNotes } from "./activity.ts"
import { touch } from "./known.ts"
import { addBytes } from "./writes.ts"

const NOTE = "SELECT id, lead_id, content, created_at, updated_at FROM notes WHERE account_id = $1"

export function noteReads(db: Db): NoteReads {
  return {
    find: (account, id) => db.get<Note>(`${NOTE} AND id = $2`, [account, id]),
    list: (account, lead) => db.all<Note>(`${NOTE} AND lead_rid = $2 ORDER BY rid`, [account, lead.ref]),
  }
}

export function noteWrites(tx: Tx): NoteWrites {
  /** What a note takes, and which lead has it. */
  function noteOf(account: number, id: string) {
    const text =
      "SELECT octet_length(content) AS bytes, lead_rid AS lead FROM notes WHERE account_id = $1 AND id = $2"
    return tx.get<{ bytes: number; lead: number }>(text, [account, id])
  }
  return {
    async insert(account, lead, { id, lead_id, content, created_at, updated_at }) {
      const state = await tx.account(account)
      addBytes(state, Buffer.byteLength(content))
      touch(state, lead.ref)
      tx.later(
        `INSERT INTO notes (account_id, lead_rid, id, lead_id, content, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [account, lead.ref, id, lead_id, content, created_at, updated_at],
      )
      recountNotes(tx, account, lead.ref)
      await replaceNotes(tx, account, lead.ref)
    },
    async update(account, { id, content, updated_at }) {
      const state = await tx.account(account)
      const was = await noteOf(account, id)
      if (!was) return
      tx.later("UPDATE notes SET content = $3, updated_at = $4 WHERE account_id = $1 AND id = $2", [
        account,
        id,
        content,
        updated_at,
      ])
      touch(state, was.lead)
      addBytes(state, Buffer.byteLength(content) - was.bytes)
      await replaceNotes(tx, account, was.lead)
    },
    async remove(account, id) {
      const state = await tx.account(account)
      const was = await noteOf(account, id)
      if (!was) return
      touch(state, was.lead)
      addBytes(state, -was.bytes)
      tx.later("DELETE FROM notes WHERE account_id = $1 AND id = $2", [account, id])
      recountNotes(tx, account, was.lead)
      await replaceNotes(tx, account, was.lead)
    },
  }
}
