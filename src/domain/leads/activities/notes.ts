import * as v from "valibot"
import { described, named } from "../../../lead/described.ts"
import { Id, ignoring, RequiredLong, seconds } from "../../../lead/fields.ts"
import type { Note, Transaction } from "../../../store/contract/store.ts"
import { publish } from "../../events.ts"
import { type ExampleFields, LEAD_ID, NOW } from "../../examples.ts"
import { type Context, operation, previewOne, toolOf } from "../../operation.ts"
import { asksActivity, rulesOf, scoreOf } from "../../rule-sets.ts"
import { finder } from "../../things.ts"
import { getLeadRow } from "../lead-operations.ts"
import { changeScore, withSegmentEvents } from "../segments/transitions.ts"
import { checkStorage } from "../write/write.ts"

export const exampleNote: ExampleFields = {
  id: "note_019aa6f4-01b7-7e92-8c33-6fd0a5e4b812",
  lead_id: LEAD_ID,
  content: "Wants a call back on Monday",
  author: "Eva",
  created_at: NOW,
  updated_at: NOW,
}

export const NoteOutput = named(
  "Note",
  v.strictObject({
    id: v.string(),
    lead_id: v.string(),
    content: v.string(),
    author: v.nullable(v.string()),
    created_at: seconds,
    updated_at: seconds,
  }),
  {
    id: "`note_` and a UUID.",
    content: "Free text.",
    author: "Who wrote it: the name of a member, or of a key; null for notes of older versions.",
  },
)

/** Offset in the list of notes: the cursor of an answer that was cut there. */
const Place = v.optional(v.pipe(v.string("must be text"), v.regex(/^\d{1,9}$/, "must be a next_cursor")))

const getNote = finder<Note>("Note")

export const createNote = operation({
  name: "create_note",
  about: "Add a note to a lead",
  tag: "Notes",
  errors: ["storage_limit_reached"],
  example: { body: { content: "Wants a call back on Monday" }, answers: { 201: exampleNote } },
  access: "write",
  forSegments: true,
  http: "POST /leads/:lead_id/notes",
  input: described(v.strictObject({ lead_id: Id, content: RequiredLong }), { content: "Free text." }),
  output: NoteOutput,
  status: 201,
  run: (ctx, { lead_id, content }) =>
    ctx.store.write(ctx.caller.account.key, (tx) => addNote(ctx, tx, lead_id, content)),
})

/** Adds a note to a lead. Throws `not_found`. */
export async function addNote(
  ctx: Context,
  tx: Transaction,
  lead_id: string,
  content: string,
): Promise<Note> {
  const lead = await getLeadRow(ctx, tx.leads, lead_id)
  const times = { created_at: ctx.now, updated_at: ctx.now }
  const note = { id: tx.newId("note_"), lead_id, content, author: await authorOf(ctx, tx), ...times }
  await checkStorage(ctx, tx)
  await withSegmentEvents(ctx, tx, lead, () => tx.notes.insert(ctx.caller.account.key, lead, note))
  await publish(ctx, tx, "note.created", JSON.stringify(note))
  await rescoreNoted(ctx, tx, lead.ref)
  return note
}

/** The caller's name: a member's, or that of the key. */
export async function authorOf({ caller }: Context, { apiKeys }: Transaction): Promise<string> {
  const { account, actorId, keyId } = caller
  const key = actorId === keyId ? await apiKeys.find(account.key, keyId) : undefined
  return key?.name ?? actorId
}

/** Paged, since one answer of a tool may not hold all notes. */
const listNotesTool = toolOf({
  words: { lead_id: "Lead id", cursor: "next_cursor" },
  input: v.strictObject({ lead_id: Id, cursor: Place }),
  async run(ctx, { lead_id, cursor }) {
    const { leads, notes } = ctx.store.read
    const all = await notes.list(ctx.caller.account.key, await getLeadRow(ctx, leads, lead_id))
    return all.slice(Number(cursor ?? 0))
  },
})

export const listNotes = operation({
  name: "list_notes",
  about: "List the notes of a lead, oldest first",
  tag: "Notes",
  note: "All of them, in one answer.",
  example: { answers: { 200: [exampleNote] } },
  access: "read",
  forSegments: true,
  http: "GET /leads/:lead_id/notes",
  tool: listNotesTool,
  input: v.strictObject({ lead_id: Id }),
  output: v.array(NoteOutput),
  async run(ctx, { lead_id }) {
    const { leads, notes } = ctx.store.read
    return notes.list(ctx.caller.account.key, await getLeadRow(ctx, leads, lead_id))
  },
})

export const updateNote = operation({
  name: "update_note",
  about: "Replace the content of a note",
  tag: "Notes",
  example: { body: { content: "Wants a call back on Monday" }, answers: { 200: exampleNote } },
  access: "write",
  forSegments: true,
  http: "PUT /notes/:id",
  tool: { words: { id: "Note id, from list_notes" } },
  input: described(
    v.strictObject({
      id: Id,
      content: RequiredLong,
      ...ignoring("lead_id", "author", "created_at", "updated_at"),
    }),
    { content: "Free text.", author: "Ignored: it stays." },
  ),
  output: NoteOutput,
  run: (ctx, { id, content }) =>
    ctx.store.write(ctx.caller.account.key, async (tx) => {
      const note = { ...(await getNote(ctx, tx.notes, id)), content, updated_at: ctx.now }
      const lead = await getLeadRow(ctx, tx.leads, note.lead_id)
      await withSegmentEvents(ctx, tx, lead, () => tx.notes.update(ctx.caller.account.key, note))
      await publish(ctx, tx, "note.updated", JSON.stringify(note))
      return note
    }),
})

export const deleteNote = operation({
  name: "delete_note",
  about: "Delete a note",
  tag: "Notes",
  access: "write",
  forSegments: true,
  http: "DELETE /notes/:id",
  tool: {
    words: { id: "Note id, from list_notes" },
    preview: previewOne<{ id: string }>((ctx, { id }) => getNote(ctx, ctx.store.read.notes, id)),
  },
  async run(ctx, { id }) {
    await ctx.store.write(ctx.caller.account.key, async (tx) => {
      const note = await getNote(ctx, tx.notes, id)
      const lead = await getLeadRow(ctx, tx.leads, note.lead_id)
      await withSegmentEvents(ctx, tx, lead, () => tx.notes.remove(ctx.caller.account.key, id))
      await publish(ctx, tx, "note.deleted", JSON.stringify(note))
      await rescoreNoted(ctx, tx, lead.ref)
    })
    return undefined
  },
})

/** Rescores a lead after a change of its notes, when a rule of the account reads them. */
async function rescoreNoted(ctx: Context, tx: Transaction, ref: number): Promise<void> {
  if (!asksActivity(await rulesOf(ctx, tx.rules))) return
  const account = ctx.caller.account.key
  const row = await tx.leads.findByRef(account, ref)
  if (!row) return
  if (!(await changeScore(ctx, tx, row, await scoreOf(ctx, tx, row.data(), row.activity)))) return
  const scored = await tx.leads.findByRef(account, ref)
  await publish(ctx, tx, "lead.scored", (scored ?? row).json())
}
