// Commands on what belongs to leads: attributes, notes.

import { type ModelNote, settle } from "../../../test/support/model/account.ts"
import type { ModelAttribute } from "../../../test/support/model.ts"
import type { Command, Target } from "./commands.ts"
import { expectDeleted, expectStatus, leadOf, noteOf, pick, type Run, same } from "./run.ts"

type Of<Do extends Command["do"]> = Extract<Command, { do: Do }>

export async function listAttributes(run: Run, { lead }: { lead: Target }): Promise<void> {
  const id = leadOf(run, lead)
  const reply = await run.ask("list_attributes", { lead_id: id })
  const known = run.account.leads.get(id)
  expectStatus(run, reply, known ? 200 : 404)
  if (!known) return
  const ids = run.account.attributeIds.getOrInsertComputed(id, () => new Map())
  for (const { id, name } of reply.body) ids.getOrInsert(name, id)
  const wanted = known.attributes.map(({ name, type, value }) => ({ id: ids.get(name), name, type, value }))
  same("the attributes", reply.body, wanted)
}

/** Gives a lead other attributes. */
function change(run: Run, id: string, attributes: readonly ModelAttribute[]): void {
  const before = run.account.leads.get(id)
  run.account.leads.setAttributes(id, attributes, run.now)
  settle(run, id, { action: "updated", before })
}

export async function addAttribute(run: Run, { lead, attribute }: Of<"add attribute">): Promise<void> {
  const id = leadOf(run, lead)
  const reply = await run.ask("create_attribute", { lead_id: id, ...attribute })
  const known = run.account.leads.get(id)
  const name = attribute.name.trim()
  const isTaken = known?.attributes.some((one) => one.name === name)
  expectStatus(run, reply, !known ? 404 : isTaken ? 409 : 201)
  if (!known || isTaken) return
  run.account.attributeIds.getOrInsertComputed(id, () => new Map()).set(name, reply.body.id)
  change(run, id, [...known.attributes, { ...attribute, name }])
  same("the attribute", reply.body, { ...attribute, name, id: reply.body.id })
}

/** The attribute that is meant: mostly one of the lead's. */
function attributeOf(run: Run, id: string, at: Target): string {
  const own = [...(run.account.attributeIds.get(id)?.values() ?? [])]
  const foreign = [...run.account.attributeIds]
    .find(([lead]) => lead !== id)?.[1]
    .values()
    .next().value
  return pick(own, at, [foreign, run.foreign.lead])
}

function fits(type: ModelAttribute["type"], value: unknown): boolean {
  if (type === "list") return Array.isArray(value)
  if (type === "object") return typeof value === "object" && !Array.isArray(value)
  return typeof value === { text: "string", number: "number", bool: "boolean" }[type]
}

export async function setAttribute(run: Run, { lead, at, value }: Of<"set attribute">): Promise<void> {
  const id = leadOf(run, lead)
  const attributeId = attributeOf(run, id, at)
  const reply = await run.ask("update_attribute", { lead_id: id, id: attributeId, value })
  const known = run.account.leads.get(id)
  const name = [...(run.account.attributeIds.get(id) ?? [])].find(([, one]) => one === attributeId)?.[0]
  const attribute = known?.attributes.find((one) => one.name === name)
  if (!known || !attribute) return expectStatus(run, reply, 404)
  const isRight = fits(attribute.type, value)
  expectStatus(run, reply, isRight ? 200 : 400)
  if (!isRight) return
  change(
    run,
    id,
    known.attributes.map((one) => (one === attribute ? { ...one, value } : one)),
  )
  same("the attribute", reply.body, { ...attribute, value, id: attributeId })
}

export async function dropAttribute(run: Run, { lead, at }: Of<"drop attribute">): Promise<void> {
  const id = leadOf(run, lead)
  const attributeId = attributeOf(run, id, at)
  const reply = await run.ask("delete_attribute", { lead_id: id, id: attributeId })
  const known = run.account.leads.get(id)
  const ids = run.account.attributeIds.get(id)
  const name = [...(ids ?? [])].find(([, one]) => one === attributeId)?.[0]
  if (!known || name === undefined) return expectStatus(run, reply, 404)
  expectDeleted(run, reply, attributeId)
  ids!.delete(name)
  change(
    run,
    id,
    known.attributes.filter((one) => one.name !== name),
  )
}

export async function listNotes(run: Run, { lead }: { lead: Target }): Promise<void> {
  await checkNotes(run, leadOf(run, lead))
}

export async function checkNotes(run: Run, id: string): Promise<void> {
  const reply = await run.ask("list_notes", { lead_id: id })
  const known = run.account.leads.get(id)
  expectStatus(run, reply, known ? 200 : 404)
  if (!known) return
  const own = run.account.notes.filter(({ lead_id }) => lead_id === id)
  same("the notes", reply.body, own)
}

export async function addNote(run: Run, { lead, content }: Of<"add note">): Promise<void> {
  const id = leadOf(run, lead)
  const reply = await run.ask("create_note", { lead_id: id, content })
  const known = run.account.leads.get(id)
  expectStatus(run, reply, content.trim() === "" ? 400 : known ? 201 : 404)
  if (reply.status >= 400) return
  const note: ModelNote = {
    id: reply.body.id,
    lead_id: id,
    content: content.trim(),
    // The name of the account's only key.
    author: "tenant",
    created_at: run.now,
    updated_at: run.now,
  }
  same("the note", reply.body, note)
  run.account.notes.push(note)
  recount(run, note.lead_id)
}

function recount({ account }: Run, lead: string): void {
  const own = account.notes.filter(({ lead_id }) => lead_id === lead)
  account.leads.setNotes(
    lead,
    own.map(({ created_at }) => created_at),
  )
}

export async function setNote(run: Run, { note, content }: Of<"set note">): Promise<void> {
  const id = noteOf(run, note)
  const reply = await run.ask("update_note", { id, content })
  const known = run.account.notes.find((one) => one.id === id)
  expectStatus(run, reply, content.trim() === "" ? 400 : known ? 200 : 404)
  if (reply.status >= 400 || !known) return
  Object.assign(known, { content: content.trim(), updated_at: run.now })
  same("the note", reply.body, known)
}

export async function dropNote(run: Run, { note }: Of<"drop note">): Promise<void> {
  const id = noteOf(run, note)
  const reply = await run.ask("delete_note", { id })
  const { account } = run
  if (!account.notes.some((one) => one.id === id)) return expectStatus(run, reply, 404)
  expectDeleted(run, reply, id)
  const lead = account.notes.find((one) => one.id === id)!.lead_id
  account.notes = account.notes.filter((one) => one.id !== id)
  recount(run, lead)
  account.removed.note = id
}
