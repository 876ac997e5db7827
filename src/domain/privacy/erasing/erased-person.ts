// The person to erase: a lead with the leads merged into it, and all that is stored about them.

import { DATA_NUMBER_FIELDS, type Lead, type LeadData, TEXT_FIELDS } from "../../../lead/lead.ts"
import { type ContactFields, contactFieldsOf, everyContactOf } from "../../../lead/suppression-keys.ts"
import type { FullChange, LoggedActivity, Merge } from "../../../store/contract/store.ts"
import type { Context } from "../../operation.ts"

export interface ErasedPerson {
  /** The lead, then leads that are one with it by merges and are gone. */
  ids: string[]
  /** References of the merges that any of them was part of. */
  merges: Set<number>
  /** Merges by which it was part of a lead that stays, with the id of that. */
  mergedInto: Map<string, string>
  names: Set<string>
  contacts: Map<string, ContactFields>
  /** Every text of its own, now or before: values of fields and attributes, notes, activities. */
  texts: Set<string>
  /** Its values that many leads share, as texts: tags, numbers, words of the account. */
  labels: Set<string>
  /** Unix seconds at which it was written. */
  times: Set<number>
  /** Imports that made or changed it. */
  imports: Set<string>
  /** Ids of its posts to forms, as they are found. */
  posts: Set<string>
}

/** Changes of a lead that are looked through, the newest, and those read at once. */
const LOOKED_THROUGH = 1_000
const AT_ONCE = 10
/** Leads that are one person at most. */
const LEADS_MAX = 200

/** Fields whose words many leads share: they are the account's, and tell of nobody. */
const SHARED: ReadonlySet<string> = new Set([
  ...[
    "source",
    "status",
    "country",
    "state",
    "category",
    "stage",
    "owner",
    "email_status",
    "company_id",
    "lawful_basis",
  ],
])

/** All that is stored of the person that a lead is about; also of a deleted one, and of an unknown id. */
export async function erasedPerson(ctx: Context, id: string): Promise<ErasedPerson> {
  const person: ErasedPerson = {
    ids: [id],
    merges: new Set(),
    mergedInto: new Map(),
    names: new Set(),
    contacts: new Map(),
    texts: new Set(),
    labels: new Set(),
    times: new Set(),
    imports: new Set(),
    posts: new Set(),
  }
  for (let at = 0; at < person.ids.length; at++) {
    await addLead(ctx, person, person.ids[at]!)
    for (const other of await mergedWith(ctx, person, person.ids[at]!))
      if (!person.ids.includes(other) && person.ids.length < LEADS_MAX) person.ids.push(other)
  }
  return person
}

async function addLead(ctx: Context, person: ErasedPerson, id: string): Promise<void> {
  const { leads, notes, activities, changes } = ctx.store.read
  const account = ctx.caller.account.key
  const row = await leads.find(account, id)
  if (row) {
    addData(person, row.data())
    for (const note of row.activity.note_count > 0 ? await notes.list(account, row) : [])
      addNote(person, note)
    for (const one of await activities.list(account, row)) addActivity(person, one)
  }
  let after: number | undefined
  for (let looked = 0, more = true; more && looked < LOOKED_THROUGH; looked += AT_ONCE) {
    const query = { filter: { lead_id: id }, descending: true, after, limit: AT_ONCE }
    const page = await changes.page(account, query)
    for (const change of page.changes) await addChange(ctx, person, change)
    after = page.position
    more = page.more
    await ctx.eventLoop.yield()
  }
}

async function addChange(ctx: Context, person: ErasedPerson, change: FullChange): Promise<void> {
  const { before, after, action, created_at, import_id, position } = change
  person.times.add(created_at)
  if (import_id !== null) person.imports.add(import_id)
  for (const state of [before, after]) if (state) addData(person, state)
  if (action !== "deleted") return
  const left = await ctx.store.read.changes.leftBy(ctx.caller.account.key, position)
  for (const note of left.notes) addNote(person, note)
  for (const one of left.activities) addActivity(person, one)
}

function addActivity({ texts, times }: ErasedPerson, { text, at, created_at }: LoggedActivity) {
  if (text !== null) texts.add(text)
  times.add(at).add(created_at)
}

function addNote(
  { texts, times }: ErasedPerson,
  note: { content: string; created_at: number; updated_at: number },
) {
  texts.add(note.content)
  times.add(note.created_at).add(note.updated_at)
}

function addData({ names, contacts, texts, labels }: ErasedPerson, lead: LeadData | Lead): void {
  names.add(lead.name)
  const reached = contactFieldsOf(lead)
  contacts.set(JSON.stringify(reached), reached)
  const { emails, phones } = everyContactOf(reached)
  for (const text of [...emails, ...phones.map(({ phone }) => phone)]) texts.add(text)
  for (const field of TEXT_FIELDS) {
    const text = lead[field]
    if (text) (SHARED.has(field) ? labels : texts).add(text)
  }
  for (const field of DATA_NUMBER_FIELDS) if (lead[field] !== null) labels.add(String(lead[field]))
  for (const tag of lead.tags) labels.add(tag)
  for (const { value } of lead.attributes)
    for (const one of Array.isArray(value) ? value : [value])
      (typeof one === "string" ? texts : labels).add(String(one))
}

/** Leads that are gone and are one with a lead by a merge that holds. */
async function mergedWith(ctx: Context, person: ErasedPerson, id: string): Promise<string[]> {
  const { leads } = ctx.store.read
  const account = ctx.caller.account.key
  const gone: string[] = []
  for (const merge of await mergesWith(ctx, id)) {
    person.merges.add(merge.ref)
    if (merge.survivor_id !== id && (await leads.find(account, merge.survivor_id)))
      person.mergedInto.set(merge.id, merge.survivor_id)
    if (merge.undone_at !== null) continue
    for (const other of partsOf(merge))
      if (other !== id && !(await leads.find(account, other))) gone.push(other)
  }
  return gone
}

/** All merges that a lead was part of, also undone ones, the newest first. */
export async function mergesWith(ctx: Context, id: string): Promise<Merge[]> {
  const all: Merge[] = []
  for (let before: number | undefined; ; ) {
    const page = await ctx.store.read.duplicates.mergesWith(ctx.caller.account.key, id, before)
    all.push(...page.merges)
    before = page.next
    if (before === undefined) return all
    await ctx.eventLoop.yield()
  }
}

const partsOf = ({ survivor_id, data }: Merge) => [survivor_id, ...data.losers.map((loser) => loser.data.id)]
