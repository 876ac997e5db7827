// An independent model of one account, written from the documentation: plain, in memory, sharing nothing with src/.
// The service's answers are compared with it.
import { withSetContacts } from "./model/contacts.ts"
import { matches, parseFilter } from "./model/filter.ts"
import {
  differs,
  type ModelAttribute,
  type ModelInput,
  type ModelLead,
  normalise,
  withDerived,
} from "./model/lead.ts"
import { type Identity, type PushResult, pushLead, takenIdentity } from "./model/push.ts"
import { createShelf, type Shelf } from "./model/shelf.ts"
import { orderOf } from "./model/sort.ts"

export type { ModelAttribute, ModelInput, ModelLead } from "./model/lead.ts"
export type { Criterion, PushResult } from "./model/push.ts"

interface UpdateResult {
  status: 200 | 400 | 404 | 409
  lead?: ModelLead
  /** In a conflict: what another lead has already. */
  taken?: Identity[]
}

interface ListQuery {
  filter?: readonly string[]
  sort_by?: string
  sort_order?: "ASC" | "DESC"
}

export interface Model {
  /**
   * POST /leads. A new lead gets `id`, else the next one counted up. Throws when name or source is missing. With a
   * limit on leads, one that is new and too many is 403.
   */
  push(lead: ModelInput, now: number, id?: string): PushResult
  /** PUT /leads/{id}: null and "" clear. */
  update(id: string, changes: ModelInput, now: number): UpdateResult
  /** Gives a lead other attributes; the lead as it then is. */
  setAttributes(id: string, attributes: readonly ModelAttribute[], now: number): ModelLead
  /** DELETE /leads/{id}: false when there is none. */
  remove(id: string): boolean
  /** GET /leads, all pages at once. Throws on what would get 400. */
  list(query?: ListQuery): ModelLead[]
  get(id: string): ModelLead | undefined
  setScore(id: string, score: number): void
  /** When the notes that a lead has now were made. */
  setNotes(id: string, created: readonly number[]): void
  size(): number
  /** What merges work on. */
  readonly shelf: Shelf
}

/** A model of an account without leads. `now` is Unix seconds; a lead that was given out never changes. */
export function createModel(limit = Number.POSITIVE_INFINITY): Model {
  const shelf = createShelf()
  let made = 0
  const nextId = () => `cl_00000000-0000-7000-8000-${(++made).toString(16).padStart(12, "0")}`
  return {
    push: (lead, now, id = nextId()) => pushLead(shelf, lead, now, id, limit - shelf.leads.size),
    update: (id, changes, now) => updateLead(shelf, id, changes, now),
    setAttributes: (id, attributes, now) => put(shelf, shelf.leads.get(id)!, { attributes }, now),
    remove: shelf.remove,
    list: (query = {}) => listLeads(shelf, query),
    get: (id) => shelf.leads.get(id),
    setScore: (id, score) => setScore(shelf, id, score),
    setNotes: (id, created) => setNotes(shelf, id, created),
    size: () => shelf.leads.size,
    shelf,
  }
}

function updateLead(shelf: Shelf, id: string, changes: ModelInput, now: number): UpdateResult {
  const old = shelf.leads.get(id)
  if (!old) return { status: 404 }
  const { name, source, status, tags, ...optional } = normalise(changes)
  if (name === null || source === null || changes.attributes !== undefined) return { status: 400 }
  const changed: ModelLead = withSetContacts(old, {
    ...old,
    ...optional,
    name: name ?? old.name,
    source: source ?? old.source,
    status: status === undefined ? old.status : (status ?? "new"),
    tags: tags === undefined ? old.tags : (tags ?? []),
  })
  const isContact = changed.status === "contacted" && old.status !== "contacted"
  const taken = takenIdentity(shelf, changed)
  if (taken.length > 0) return { status: 409, taken }
  const last_contacted_at = isContact ? now : old.last_contacted_at
  return { status: 200, lead: put(shelf, old, { ...changed, last_contacted_at }, now) }
}

function put(shelf: Shelf, old: ModelLead, changes: Partial<ModelLead>, now: number): ModelLead {
  const { emails: _, phones: __, ...single } = old
  // A whole lead has its own lists, or none.
  const changed = withDerived({ ...("id" in changes ? single : old), ...changes })
  const updated_at = differs(old, changed) ? now : old.updated_at
  const lead = { ...changed, updated_at, last_interaction_at: now }
  shelf.put(lead)
  return lead
}

function listLeads(
  shelf: Shelf,
  { filter = [], sort_by = "created_at", sort_order = "ASC" }: ListQuery,
): ModelLead[] {
  if (filter.length > 50) throw new Error("at most 50 filters")
  const filters = filter.map(parseFilter)
  const found = [...shelf.leads.values()].filter((lead) => matches(lead, filters))
  return found.toSorted(orderOf(shelf, sort_by, sort_order))
}

function setNotes(shelf: Shelf, id: string, created: readonly number[]): void {
  const lead = shelf.leads.get(id)
  const last_note_at = created.length > 0 ? Math.max(...created) : null
  if (lead) shelf.put({ ...lead, note_count: created.length, last_note_at })
}

function setScore(shelf: Shelf, id: string, score: number): void {
  const lead = shelf.leads.get(id)
  if (lead) shelf.put({ ...lead, score })
}
