// What merges, edits and merges taken back should come to, of leads in a few fields.

interface Attribute {
  type: string
  value: unknown
}

/** What a push says; an email and a source_id never both, so that it repeats one lead at most. */
export interface Pushed {
  name: string
  source: string
  email?: string
  source_id?: string
  website?: string
  city?: string
  tags?: string[]
  attributes?: { name: string; type: string; value: unknown }[]
}

const FIELDS = ["name", "source", "email", "source_id", "website", "city"] as const
type Field = (typeof FIELDS)[number]
const KEYS = ["email", "source_id"] as const

interface Lead {
  id: string
  fields: Record<Field, string | null>
  /** All of them; `email` is the first. */
  emails: string[]
  tags: string[]
  attributes: Map<string, Attribute>
}

interface Loser {
  lead: Lead
  notes: string[]
  aliases: [key: string, value: string][]
}

interface Merge {
  id: string
  survivor: string
  before: Lead
  after: Lead
  losers: Loser[]
  /** Those that the survivor got. */
  aliases: [key: string, value: string][]
  /** A push that went into the lead. */
  pushed?: Pushed
  isUndone: boolean
}

export interface Model {
  leads: Map<string, Lead>
  /** The lead that a key leads to which no lead has, by `kind value`. */
  aliases: Map<string, string>
  /** The lead of each note, by the note's id. */
  notes: Map<string, string>
  merges: Merge[]
}

export const createModel = (): Model => ({
  leads: new Map(),
  aliases: new Map(),
  notes: new Map(),
  merges: [],
})

function copy(lead: Lead): Lead {
  const { fields, emails, tags, attributes } = lead
  return {
    ...lead,
    fields: { ...fields },
    emails: [...emails],
    tags: [...tags],
    attributes: new Map(attributes),
  }
}

function holder(
  model: Model,
  key: (typeof KEYS)[number],
  value: string | null,
  except?: string,
): string | undefined {
  if (value === null) return undefined
  for (const { id, fields, emails } of model.leads.values()) {
    if (id !== except && (fields[key] === value || (key === "email" && emails.includes(value)))) return id
  }
  return undefined
}

/** The lead that a push goes into. */
export function repeated(model: Model, pushed: Pushed): string | undefined {
  for (const key of KEYS) {
    const value = pushed[key]
    if (value === undefined) continue
    const found = holder(model, key, value) ?? model.aliases.get(`${key} ${value}`)
    if (found) return found
  }
  return undefined
}

function made(id: string, { tags = [], attributes = [], ...said }: Pushed): Lead {
  const fields = Object.fromEntries(FIELDS.map((name) => [name, said[name] ?? null])) as Lead["fields"]
  const emails = said.email === undefined ? [] : [said.email]
  return { id, fields, emails, tags: [...tags], attributes: attributesOf(attributes) }
}

function putEmails(lead: Lead, emails: readonly string[]): void {
  lead.emails = [...new Set(emails)]
  lead.fields.email = lead.emails[0] ?? null
}

/** What is cleared of the emails is the first. */
export function edit(
  model: Model,
  id: string,
  { tags, ...fields }: Partial<Lead["fields"]> & { tags?: string[] },
): void {
  const lead = model.leads.get(id)!
  Object.assign(lead.fields, fields)
  if (fields.email === null) putEmails(lead, lead.emails.slice(1))
  if (tags) lead.tags = tags
}

function attributesOf(list: NonNullable<Pushed["attributes"]>): Map<string, Attribute> {
  return new Map(list.map(({ name, type, value }) => [name, { type, value }]))
}

export function insert(model: Model, id: string, pushed: Pushed): void {
  model.leads.set(id, made(id, pushed))
}

/** Last Touch Wins; `change` is the id of the change that records it. */
export function mergePush(model: Model, id: string, pushed: Pushed, change: string): void {
  const lead = model.leads.get(id)!
  const before = copy(lead)
  for (const name of FIELDS) {
    const value = pushed[name]
    const isAlias = (name === "email" || name === "source_id") && lead.fields[name] !== value
    if (value !== undefined && !isAlias) lead.fields[name] = value
  }
  if (pushed.tags?.length) lead.tags = [...pushed.tags]
  for (const [name, one] of attributesOf(pushed.attributes ?? [])) lead.attributes.set(name, one)
  model.merges.push({
    id: change,
    survivor: id,
    before,
    after: copy(lead),
    losers: [],
    aliases: [],
    pushed,
    isUndone: false,
  })
}

export function remove(model: Model, id: string): void {
  model.leads.delete(id)
  for (const [alias, lead] of model.aliases) if (lead === id) model.aliases.delete(alias)
  for (const [note, lead] of model.notes) if (lead === id) model.notes.delete(note)
}

const aliasesOf = (model: Model, id: string) =>
  [...model.aliases].flatMap(([alias, lead]): [string, string][] => (lead === id ? [[alias, lead]] : []))

/** The survivor keeps what it has, and takes what it lacks from the first that has it. */
export function merge(model: Model, id: string, survivor: string, losing: readonly string[]): void {
  const lead = model.leads.get(survivor)!
  const before = copy(lead)
  const losers = losing.map(
    (loser): Loser => ({
      lead: copy(model.leads.get(loser)!),
      notes: [...model.notes].flatMap(([note, of]) => (of === loser ? [note] : [])),
      aliases: aliasesOf(model, loser),
    }),
  )
  const all = [before, ...losers.map((loser) => loser.lead)]
  for (const name of FIELDS)
    lead.fields[name] ??= all.find(({ fields }) => fields[name] !== null)?.fields[name] ?? null
  putEmails(
    lead,
    all.flatMap(({ emails }) => emails),
  )
  lead.tags = [...new Set(all.flatMap(({ tags }) => tags))]
  for (const { attributes } of all) {
    for (const [name, one] of attributes) if (!lead.attributes.has(name)) lead.attributes.set(name, one)
  }
  const lost = KEYS.flatMap((key) =>
    all.flatMap(({ fields }): [string, string][] =>
      fields[key] !== null && fields[key] !== lead.fields[key] ? [[`${key} ${fields[key]}`, survivor]] : [],
    ),
  )
  for (const loser of losers) {
    remove(model, loser.lead.id)
    for (const [alias] of loser.aliases) model.aliases.set(alias, survivor)
    for (const note of loser.notes) model.notes.set(note, survivor)
  }
  for (const [alias] of lost) model.aliases.set(alias, survivor)
  model.merges.push({ id, survivor, before, after: copy(lead), losers, aliases: lost, isUndone: false })
}

interface Undone {
  kept: { lead_id: string; field: string }[]
}

/** What another lead has by now stays with it. */
function freeKeys(model: Model, lead: Lead, kept: Undone["kept"]): void {
  for (const key of KEYS) {
    const other = holder(model, key, lead.fields[key], lead.id)
    if (other === undefined) continue
    lead.fields[key] = null
    kept.push({ lead_id: lead.id, field: key })
  }
  putEmails(
    lead,
    lead.emails.filter((email) => !holder(model, "email", email, lead.id)),
  )
}

/** Whether it can be taken back as things are. */
export function canUndo(model: Model, one: Merge): boolean {
  if (one.isUndone || !model.leads.has(one.survivor)) return false
  return one.losers.every(({ lead }) => !model.leads.has(lead.id))
}

/** `parted` is the id that a parted push has got. */
export function undo(model: Model, one: Merge, parted: string): Undone {
  const lead = model.leads.get(one.survivor)!
  const kept: Undone["kept"] = []
  const stays = (field: string) => kept.push({ lead_id: lead.id, field })
  for (const [alias, id] of one.aliases) if (model.aliases.get(alias) === id) model.aliases.delete(alias)
  const { before, after } = one
  const gone = before.emails.filter((email) => !after.emails.includes(email))
  putEmails(lead, [
    ...lead.emails.filter((email) => before.emails.includes(email) || !after.emails.includes(email)),
    ...gone,
  ])
  for (const name of FIELDS) {
    if (name === "email" || before.fields[name] === after.fields[name]) continue
    if (lead.fields[name] === after.fields[name]) lead.fields[name] = before.fields[name]
    else if (lead.fields[name] !== before.fields[name]) stays(name)
  }
  freeKeys(model, lead, kept)
  const came = after.tags.filter((tag) => !before.tags.includes(tag))
  const went = before.tags.filter((tag) => !after.tags.includes(tag) && !lead.tags.includes(tag))
  lead.tags = [...lead.tags.filter((tag) => !came.includes(tag)), ...went]
  for (const [name, set] of after.attributes) {
    const was = before.attributes.get(name)
    const now = lead.attributes.get(name)
    if (now === undefined || Bun.deepEquals(was, set)) continue
    if (!Bun.deepEquals(now, set)) stays(`attr:${name}`)
    else if (was) lead.attributes.set(name, was)
    else lead.attributes.delete(name)
  }
  for (const loser of one.losers) {
    const back = copy(loser.lead)
    freeKeys(model, back, kept)
    model.leads.set(back.id, back)
    for (const [alias, id] of loser.aliases) model.aliases.set(alias, id)
    for (const note of loser.notes)
      if (model.notes.get(note) === one.survivor) model.notes.set(note, loser.lead.id)
  }
  if (one.pushed) {
    const own = made(parted, one.pushed)
    for (const key of KEYS) {
      if (own.fields[key] !== null && repeated(model, { ...one.pushed, [key]: own.fields[key] }))
        own.fields[key] = null
    }
    model.leads.set(parted, own)
  }
  one.isUndone = true
  return { kept }
}
