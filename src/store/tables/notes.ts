import type { Note, NoteReads, NoteWrites } from "../contract/store.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import type { Surroundings } from "./surroundings.ts"

const NOTE = "SELECT id, lead_id, content, created_at, updated_at FROM notes WHERE account_id = $1"
const FIND = `${NOTE} AND id = $2`
const LIST = `${NOTE} AND lead_rid = $2 ORDER BY rid`

export function noteReads(db: Db): NoteReads {
  return {
    find: (account, id) => db.get<Note>(FIND, [account, id]),
    list: (account, lead) => db.all<Note>(LIST, [account, lead.ref]),
  }
}

const STORED =
  "SELECT octet_length(content) AS bytes, lead_rid AS lead FROM notes WHERE account_id = $1 AND id = $2"
const INSERT = `INSERT INTO notes (account_id, lead_rid, id, lead_id, content, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`
const UPDATE = "UPDATE notes SET content = $3, updated_at = $4 WHERE account_id = $1 AND id = $2"

/** Besides the note, an account's bytes are counted, and the engine brings up to date what its lead is found by. */
export function noteWrites(
  db: WriteDb,
  { columns, notesChanged }: Pick<Surroundings, "columns" | "notesChanged">,
): NoteWrites {
  const stored = (account: number, id: string) =>
    db.get<{ bytes: number; lead: number }>(STORED, [account, id])
  return {
    async insert(account, lead, { id, lead_id, content, created_at, updated_at }) {
      await columns.addBytes(account, Buffer.byteLength(content))
      db.later(INSERT, [account, lead.ref, id, lead_id, content, created_at, updated_at])
      await notesChanged(account, lead.ref, { added: created_at })
    },
    async update(account, { id, content, updated_at }) {
      const was = await stored(account, id)
      if (!was) return
      db.later(UPDATE, [account, id, content, updated_at])
      await columns.addBytes(account, Buffer.byteLength(content) - was.bytes)
      await notesChanged(account, was.lead, "edited")
    },
    async remove(account, id) {
      const was = await stored(account, id)
      if (!was) return
      await columns.addBytes(account, -was.bytes)
      db.later("DELETE FROM notes WHERE account_id = $1 AND id = $2", [account, id])
      await notesChanged(account, was.lead, "removed")
    },
  }
}
