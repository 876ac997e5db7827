// Merges of leads and of pushes into leads, and what is there once one was taken back.
import { DATA_NUMBER_FIELDS } from "../../../src/lead/lead.ts"
import { type AccountModel, forget, type ModelMerge, type Moment, remember, settle } from "./account.ts"
import { valuesOf, withValues } from "./contacts.ts"
import {
  differs,
  type ModelInput,
  type ModelLead,
  newLead,
  normalise,
  TEXTS,
  upsert,
  withDerived,
} from "./lead.ts"
import { ledTo } from "./push.ts"
import { worthOf } from "./rules.ts"
import { emailKeys, type Shelf, sourceIdKey } from "./shelf.ts"
import { lower } from "./text.ts"

/** A field that was not given back. */
export interface Kept {
  lead_id: string
  field: string
}

/** Fields that are filled and given back each for itself. */
const FIELDS = [...TEXTS, ...DATA_NUMBER_FIELDS].filter(
  (field) => !["email", "phone", "email_status", "company_id"].includes(field),
)

/** Fields that people spell. */
const SPELLED: readonly string[] = [
  "name",
  "company",
  "job_title",
  "address",
  "city",
  "state",
  "country",
  "category",
]

/** A push that went into a lead, which was `before`; `id` is that of the change that records it. */
export function keepPush({ account, now }: Moment, id: string, before: ModelLead, pushed: ModelInput): void {
  const after = account.leads.get(before.id)!
  account.merges.push({
    ...{ id, survivor: before.id, before, after, at: now, losers: [], aliases: [], pushed, isUndone: false },
  })
}

/** The survivor keeps what it has, and takes what it lacks from the first that has it. */
export function mergeLeads(moment: Moment, id: string, survivor: string, losing: readonly string[]): void {
  const { account, now } = moment
  const { shelf } = account.leads
  const before = shelf.leads.get(survivor)!
  const losers = losing.map((loser) => ({
    lead: shelf.leads.get(loser)!,
    notes: account.notes.flatMap((note) => (note.lead_id === loser ? note.id : [])),
    aliases: [...shelf.aliases].flatMap(([key, lead]) => (lead === loser ? key : [])),
  }))
  const all = [before, ...losers.map(({ lead }) => lead)]
  const contacts = all.flatMap(({ last_contacted_at }) => last_contacted_at ?? [])
  const merged = withLists(
    {
      ...before,
      last_contacted_at: contacts.length > 0 ? Math.max(...contacts) : null,
      ...Object.fromEntries(FIELDS.map((field) => [field, kept(field, all)])),
      tags: distinct(
        all.flatMap(({ tags }) => tags),
        lower,
      ),
      attributes: distinct(
        all.flatMap((lead) => lead.attributes),
        ({ name }) => name,
      ),
    },
    (list) => all.flatMap((lead) => valuesOf(lead, list)),
  )
  const own = keysOf(merged)
  const aliases = [...new Set(all.flatMap(keysOf))].filter((key) => !own.includes(key))
  for (const note of account.notes) if (losing.includes(note.lead_id)) note.lead_id = survivor
  for (const { lead } of losers) forget(moment, lead.id, `merge:${id}`)
  for (const key of [...losers.flatMap((loser) => loser.aliases), ...aliases])
    shelf.aliases.set(key, survivor)
  put(shelf, before, { ...merged, last_interaction_at: now }, now)
  countNotes(moment, survivor)
  const after = settle(moment, survivor, { action: "merged", before, reason: `merge:${id}` })
  account.merges.push({ id, survivor, before, after, at: now, losers, aliases, isUndone: false })
}

/** The first value that there is; of texts that are spelled alike but for case and marks the one with the most marks. */
function kept(field: (typeof FIELDS)[number], all: readonly ModelLead[]): string | number | null {
  const values = all.map((lead) => lead[field]).filter((value) => value !== null)
  const [first = null] = values
  if (!SPELLED.includes(field)) return first
  const plain = (value: unknown) =>
    lower(`${value}`.normalize("NFKD").replace(/\p{M}/gu, "")).replace(/ß/g, "ss")
  const marks = (value: unknown) => `${value}`.normalize("NFKD").replace(/[\0-\x7f]/g, "").length
  const alike = values.filter((value) => plain(value) === plain(first))
  return alike.toSorted((one, other) => marks(other) - marks(one))[0] ?? null
}

function distinct<T>(all: readonly T[], keyOf: (one: T) => string): T[] {
  return all.filter((one, i) => all.findIndex((other) => keyOf(other) === keyOf(one)) === i)
}

/** The trail of a lead, the oldest entry first: with that of those which are merged into it. */
export function trailOf({ trail, merges }: AccountModel, id: string): AccountModel["trail"] {
  const ids = new Set([id])
  for (const one of ids) {
    const into = merges.filter(({ survivor, isUndone }) => survivor === one && !isUndone)
    for (const { lead } of into.flatMap(({ losers }) => losers)) ids.add(lead.id)
  }
  return trail.filter(({ lead_id }) => ids.has(lead_id))
}

/** Whether it can be taken back as things are. */
export function canUndo({ account }: Moment, { isUndone, survivor, losers }: ModelMerge): boolean {
  const isThere = (id: string) => account.leads.get(id) !== undefined
  return !isUndone && isThere(survivor) && !losers.some(({ lead }) => isThere(lead.id))
}

/** Takes a merge back; `parted` is the id that the lead of a push has got. Returns what stays as it is. */
export function undoMerge(moment: Moment, merge: ModelMerge, parted: string): Kept[] {
  const { account, now } = moment
  const { shelf } = account.leads
  const reason = `unmerge:${merge.id}`
  const kept: Kept[] = []
  const was = shelf.leads.get(merge.survivor)!
  for (const key of merge.aliases) if (shelf.aliases.get(key) === was.id) shelf.aliases.delete(key)
  for (const { lead, notes } of merge.losers) {
    for (const note of account.notes)
      if (note.lead_id === was.id && notes.includes(note.id)) note.lead_id = lead.id
  }
  put(shelf, was, withFreeKeys(shelf, givenBack(was, merge, kept), kept), now)
  countNotes(moment, was.id)
  record(moment, was.id, { action: "updated", before: was, reason })
  for (const { lead, aliases } of merge.losers) {
    shelf.put({ ...withFreeKeys(shelf, lead, kept) })
    countNotes(moment, lead.id)
    record(moment, lead.id, { action: "created", reason })
    for (const key of aliases) shelf.aliases.set(key, lead.id)
  }
  if (merge.pushed) {
    shelf.put(partedLead(shelf, merge, merge.pushed, parted, now))
    record(moment, parted, { action: "created", reason })
  }
  merge.isUndone = true
  return kept
}

/** The lead of a push that was merged: as it was pushed, without keys that lead to another lead by now. */
function partedLead(shelf: Shelf, { after, at }: ModelMerge, pushed: ModelInput, id: string, now: number) {
  const orderOf = ({ name }: { name: string }) => after.attributes.findIndex((one) => one.name === name)
  const attributes = upsert([], pushed.attributes ?? []).toSorted((a, b) => orderOf(a) - orderOf(b))
  const lead = { ...newLead(normalise(pushed), id, now), attributes, last_interaction_at: at }
  const isFree = (key: string | undefined) => !ledTo(shelf, key)
  const free = isFree(sourceIdKey(lead)) ? lead : { ...lead, source_id: null }
  return withLists(free, (list) =>
    list === "phones" || isFree(emailKeys(lead)[0]) ? valuesOf(lead, list) : [],
  )
}

/** The survivor without what the merge gave it; what was changed since stays. */
function givenBack(now: ModelLead, { before, after, at }: ModelMerge, kept: Kept[]): ModelLead {
  const stays = (field: string) => void kept.push({ lead_id: now.id, field })
  const fields = FIELDS.filter((field) => before[field] !== after[field]).flatMap((field) => {
    if (now[field] === after[field]) return [[field, before[field]]]
    if (now[field] !== before[field]) stays(field)
    return []
  })
  const attributes = now.attributes.flatMap((one) => {
    const [was, set] = [before, after].map((lead) => lead.attributes.find(({ name }) => name === one.name))
    if (Bun.deepEquals(was, set)) return one
    if (Bun.deepEquals(one, set)) return was ?? []
    stays(`attr:${one.name}`)
    return one
  })
  const isContacted = now.last_contacted_at !== after.last_contacted_at
  const times = {
    last_contacted_at: (isContacted ? now : before).last_contacted_at,
    last_interaction_at: (now.last_interaction_at === at ? before : now).last_interaction_at,
  }
  const tags = listBack(now.tags, before.tags, after.tags)
  const back = { ...now, ...Object.fromEntries(fields), attributes, tags, ...times }
  return withLists(back, (list) => {
    const [mine, had, got] = [now, before, after].map((lead) => valuesOf(lead, list))
    return listBack(mine!, had!, got!)
  })
}

/** Without what was added, and with what was taken away. */
function listBack(now: readonly string[], before: readonly string[], after: readonly string[]): string[] {
  const left = now.filter((one) => before.includes(one) || !after.includes(one))
  return [...left, ...before.filter((one) => !after.includes(one) && !left.includes(one))]
}

/** A lead without the email and source_id that another one has by now. */
function withFreeKeys(shelf: Shelf, lead: ModelLead, kept: Kept[]): ModelLead {
  const isTaken = (key: string | undefined) => shelf.withKey(key).some(({ id }) => id !== lead.id)
  const taken = [
    ...(isTaken(emailKeys(lead)[0]) ? ["email"] : []),
    ...(isTaken(sourceIdKey(lead)) ? ["source_id"] : []),
  ]
  kept.push(...taken.map((field) => ({ lead_id: lead.id, field })))
  const free = taken.includes("source_id") ? { ...lead, source_id: null } : lead
  return withLists(free, (list) =>
    valuesOf(lead, list).filter((_, i) => list === "phones" || !isTaken(emailKeys(lead)[i])),
  )
}

function withLists(lead: ModelLead, valuesIn: (list: "emails" | "phones") => string[]): ModelLead {
  const lists = ["emails", "phones"] as const
  const { emails, phones, ...bare } = lists.reduce((so, list) => withValues(so, list, valuesIn(list)), lead)
  return withDerived({ ...bare, ...(emails && { emails }), ...(phones && { phones }) })
}

/** The email and the source_id by which pushes find a lead. */
const keysOf = (lead: ModelLead) => [emailKeys(lead)[0], sourceIdKey(lead)].filter((key) => key !== undefined)

function put(shelf: Shelf, before: ModelLead, after: ModelLead, now: number): void {
  shelf.put({ ...after, updated_at: differs(before, after) ? now : before.updated_at })
}

function countNotes({ account }: Moment, id: string): void {
  const own = account.notes.filter(({ lead_id }) => lead_id === id)
  account.leads.setNotes(
    id,
    own.map(({ created_at }) => created_at),
  )
}

/** Scores a lead and writes a change into its trail, also where no value differs. */
function record(
  moment: Moment,
  id: string,
  change: { action: "created" | "updated"; before?: ModelLead; reason: string },
): void {
  const { leads, rules } = moment.account
  leads.setScore(id, worthOf(rules, leads.get(id)!, moment.now).score)
  remember(moment, id, { ...change, after: leads.get(id) })
}
