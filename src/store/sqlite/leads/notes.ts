import type { Database } from "bun:sqlite"
import { and, asc, eq, sql } from "drizzle-orm"
import { drizzle } from "drizzle-orm/bun-sqlite"
import type { NoteReads, NoteWrites } from "../../contract/store.ts"
import { prepare } from "../file/database.ts"
import type { PendingWrites } from "../queue/pending-writes.ts"
import { wordChanges } from "../search/words.ts"
import { notes } from "../tables.ts"
import { activityWrites } from "./activity.ts"
import { storedBytes } from "./counts.ts"

const SHOWN = {
  id: notes.id,
  lead_id: notes.lead_id,
  content: notes.content,
  created_at: notes.created_at,
  updated_at: notes.updated_at,
}
const byId = and(eq(notes.account_id, sql.placeholder("account")), eq(notes.id, sql.placeholder("id")))

export function noteReads(db: Database): NoteReads {
  const orm = drizzle({ client: db })
  const one = orm.select(SHOWN).from(notes).where(byId).prepare()
  const ofLead = orm
    .select(SHOWN)
    .from(notes)
    .where(and(eq(notes.account_id, sql.placeholder("account")), eq(notes.lead_rid, sql.placeholder("lead"))))
    .orderBy(asc(notes.rid))
    .prepare()
  return {
    find: async (account, id) => one.get({ account, id }),
    list: async (account, lead) => ofLead.all({ account, lead: lead.ref }),
  }
}

export function noteWrites(db: Database, pending: PendingWrites): NoteWrites {
  const orm = drizzle({ client: db })
  const countBytes = storedBytes(db)
  const kept = prepare<{ n: number }>(
    db,
    "SELECT octet_length(content) AS n FROM notes WHERE account_id = ? AND id = ?",
  )
  const bytesOf = (account: number, id: string) => kept.get(account, id)?.n ?? 0
  const noteWords = wordChanges(db)
  const activity = activityWrites(db, pending)
  const leadOf = prepare<{ rid: number }>(
    db,
    "SELECT lead_rid AS rid FROM notes WHERE account_id = ? AND id = ?",
  )
  function changes(account: number, id: string): number | undefined {
    const lead = leadOf.get(account, id)
    if (lead) noteWords(account, lead.rid)
    return lead?.rid
  }
  return {
    async insert(account, lead, note) {
      countBytes(account, Buffer.byteLength(note.content))
      orm
        .insert(notes)
        .values({ account_id: account, lead_rid: lead.ref, ...note })
        .run()
      noteWords(account, lead.ref)
      activity.noteAdded(account, lead.ref, note.created_at)
    },
    async update(account, { id, content, updated_at }) {
      changes(account, id)
      const where = and(eq(notes.account_id, account), eq(notes.id, id))
      countBytes(account, Buffer.byteLength(content) - bytesOf(account, id))
      orm.update(notes).set({ content, updated_at }).where(where).run()
    },
    async remove(account, id) {
      countBytes(account, -bytesOf(account, id))
      const lead = changes(account, id)
      orm
        .delete(notes)
        .where(and(eq(notes.account_id, account), eq(notes.id, id)))
        .run()
      if (lead !== undefined) activity.noteRemoved(account, lead)
    },
  }
}
