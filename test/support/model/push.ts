import { withMergedContacts } from "./contacts.ts"
import { haversine } from "./filter-values.ts"
import {
  differs,
  type ModelInput,
  type ModelLead,
  newLead,
  normalise,
  overwrite,
  upsert,
  withDerived,
} from "./lead.ts"
import { emailKeys, nameCityKey, type Shelf, samePhoneKeys, sourceIdKey } from "./shelf.ts"
import { lower, similarity } from "./text.ts"

export type Criterion = "email" | "source_id" | "phone"

/**
 * What a push comes to; `lead` is the new, the merged, or (conflict) the matched and unchanged lead, or (full) the
 * one that there is no room for.
 */
export interface PushResult {
  status: 200 | 201 | 403 | 409
  kind: "created" | "merged" | "potential" | "conflict" | "full"
  criterion?: Criterion
  potential_duplicate_id?: string
  /** In a conflict: what another lead has already. */
  taken?: Identity[]
  lead: ModelLead
}

/** POST /leads: merge into the duplicate that the first matching criterion finds, else create while there is room. */
export function pushLead(
  shelf: Shelf,
  input: ModelInput,
  now: number,
  id: string,
  room = Number.POSITIVE_INFINITY,
): PushResult {
  const lead = newLead(normalise(input), id, now)
  const duplicate = findDuplicate(shelf, lead)
  const isElsewhere = duplicate?.criterion === "phone" && areInOtherPlaces(lead, duplicate.lead)
  if (duplicate && !isElsewhere) return merge(shelf, duplicate.lead, duplicate.criterion, input, now)
  const like = shelf.withKey(nameCityKey(lead))[0] ?? duplicate?.lead
  const created = { ...lead, attributes: upsert([], input.attributes ?? []) }
  if (room <= 0) return { status: 403, kind: "full", lead: created }
  shelf.put(created)
  if (!like) return { status: 201, kind: "created", lead: created }
  return { status: 201, kind: "potential", potential_duplicate_id: like.id, lead: created }
}

/** The lead that has this key, or that was merged with one that had it. */
export function ledTo(shelf: Shelf, key: string | undefined): ModelLead | undefined {
  return shelf.withKey(key)[0] ?? shelf.leads.get(shelf.aliases.get(key ?? "") ?? "")
}

function findDuplicate(shelf: Shelf, lead: ModelLead): { lead: ModelLead; criterion: Criterion } | undefined {
  const sameEmail = ledTo(shelf, emailKeys(lead)[0])
  if (sameEmail) return { lead: sameEmail, criterion: "email" }
  const sameSourceId = ledTo(shelf, sourceIdKey(lead))
  if (sameSourceId) return { lead: sameSourceId, criterion: "source_id" }
  const nearest = findNearest(lead.name, shelf.withKey(samePhoneKeys(lead)[0]))
  return nearest && { lead: nearest, criterion: "phone" }
}

/** Another city, or more than 2 km apart on the map. A city is the same where it begins or ends with the other. */
function areInOtherPlaces(one: ModelLead, other: ModelLead): boolean {
  const [from, to] = [one, other].map(({ latitude, longitude }) => ({ latitude, longitude }))
  const degrees = [from!.latitude, from!.longitude, to!.latitude, to!.longitude].filter((one) => one !== null)
  if (degrees.length === 4 && haversine(...(degrees as [number, number, number, number])) > 2) return true
  if (one.city === null || other.city === null) return false
  const [short, long] = [lower(one.city), lower(other.city)].toSorted((x, y) => x.length - y.length)
  return !long!.startsWith(short!) && !long!.endsWith(short!) && similarity(short!, long!) <= 0.8
}

/** The most similar name above 0.8, of equally similar ones the oldest. */
function findNearest(name: string, oldestFirst: readonly ModelLead[]): ModelLead | undefined {
  let nearest: ModelLead | undefined
  let best = 0.8
  for (const lead of oldestFirst) {
    const alike = similarity(name, lead.name)
    if (alike <= best) continue
    best = alike
    nearest = lead
  }
  return nearest
}

function merge(
  shelf: Shelf,
  old: ModelLead,
  criterion: Criterion,
  input: ModelInput,
  now: number,
): PushResult {
  const attributes = upsert(old.attributes, input.attributes ?? [])
  const given = normalise(input)
  // What comes by a further email leaves the first one, and so does the source_id of a lead that was merged into it.
  if (criterion === "email" && lower(given.email ?? "") !== lower(old.email ?? "")) delete given.email
  if (criterion === "source_id" && given.source_id !== old.source_id) delete given.source_id
  const merged = withDerived(withMergedContacts(old, { ...overwrite(old, given), attributes }))
  if (takenIdentity(shelf, merged).length > 0)
    return { status: 409, kind: "conflict", criterion, lead: old, taken: takenIdentity(shelf, merged) }
  const updated_at = differs(old, merged) ? now : old.updated_at
  const lead = { ...merged, updated_at, last_interaction_at: now }
  shelf.put(lead)
  return { status: 200, kind: "merged", criterion, lead }
}

export type Identity = "email" | "source_id"

/** What of this lead another one has: both are unique in an account. */
export function takenIdentity(shelf: Shelf, lead: ModelLead): Identity[] {
  const isTaken = (key: string | undefined) => shelf.withKey(key).some((other) => other.id !== lead.id)
  return [
    ...(emailKeys(lead).some(isTaken) ? (["email"] as const) : []),
    ...(isTaken(sourceIdKey(lead)) ? (["source_id"] as const) : []),
  ]
}
