import type { Note, NoteReads, NoteWrites } from "../contract/store.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import { accountRows } from "../sql/rows.ts"
import type { Surroundings } from "./surroundings.ts"

const COLUMNS = ["id", "lead_id", "content", "author", "created_at", "updated_at"] as const
const ROWS = accountRows("notes", [...COLUMNS, "lead_rid"])
const NOTE = `SELECT ${COLUMNS.join(", ")} FROM notes WHERE account_id = $1`
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
const UPDATE = "UPDATE notes SET content = $3, updated_at = $4 WHERE account_id = $1 AND id = $2"

/** Besides the note, an account's bytes are counted, and the engine brings up to date what its lead is found by. */
export function noteWrites(
  db: WriteDb,
  { columns, notesChanged }: Pick<Surroundings, "columns" | "notesChanged">,
): NoteWrites {
  const stored = (account: number, id: string) =>
    db.get<{ bytes: number; lead: number }>(STORED, [account, id])
  return {
    async insert(account, lead, note) {
      await columns.addBytes(account, Buffer.byteLength(note.content))
      db.later(...ROWS.insert(account, { ...note, author: note.author ?? null, lead_rid: lead.ref }))
      await notesChanged(account, lead.ref, false)
    },
    async update(account, { id, content, updated_at }) {
      const was = await stored(account, id)
      if (!was) return
      db.later(UPDATE, [account, id, content, updated_at])
      await columns.addBytes(account, Buffer.byteLength(content) - was.bytes)
      await notesChanged(account, was.lead, true)
    },
    async remove(account, id) {
      const was = await stored(account, id)
      if (!was) return
      await columns.addBytes(account, -was.bytes)
      db.later(...ROWS.remove(account, id))
      await notesChanged(account, was.lead, false)
    },
  }
}
