import { valuesOf } from "./contacts.ts"
import type { ModelLead } from "./lead.ts"
import { lower, phoneKey } from "./text.ts"

/** The leads by id and by their deduplication keys. */
export interface Shelf {
  leads: ReadonlyMap<string, ModelLead>
  /** Adds a lead or replaces the one with its id. */
  put(lead: ModelLead): void
  remove(id: string): boolean
  /** The leads with this key, the oldest first; none for no key. */
  withKey(key: string | undefined): ModelLead[]
  /** Grows with each lead that is added, also with one that comes back. */
  placeOf(lead: ModelLead): number
  /** The ids of the leads that keys of leads merged into them lead to. */
  aliases: Map<string, string>
}

export function createShelf(): Shelf {
  const leads = new Map<string, ModelLead>()
  const ids = new Map<string, Set<string>>()
  const aliases = new Map<string, string>()
  const places = new Map<string, number>()
  let added = 0

  function put(lead: ModelLead): void {
    if (!takeOut(lead.id)) places.set(lead.id, ++added)
    const { updated_at, last_interaction_at, last_note_at, last_contacted_at } = lead
    lead.last_touched_at = Math.max(
      ...[updated_at, last_interaction_at, last_note_at, last_contacted_at].flatMap((at) => at ?? []),
    )
    leads.set(lead.id, lead)
    for (const key of keysOf(lead)) ids.set(key, (ids.get(key) ?? new Set()).add(lead.id))
  }

  function remove(id: string): boolean {
    for (const [key, lead] of aliases) if (lead === id) aliases.delete(key)
    return takeOut(id)
  }

  function takeOut(id: string): boolean {
    const lead = leads.get(id)
    if (!lead) return false
    for (const key of keysOf(lead)) ids.get(key)?.delete(id)
    return leads.delete(id)
  }

  function withKey(key: string | undefined): ModelLead[] {
    const found = key === undefined ? [] : [...(ids.get(key) ?? [])]
    return found.map((id) => leads.get(id)!).toSorted((one, other) => placeOf(one) - placeOf(other))
  }

  const placeOf = ({ id }: ModelLead) => places.get(id)!
  return { leads, put, remove, withKey, placeOf, aliases }
}

function keysOf(lead: ModelLead): string[] {
  return [...emailKeys(lead), sourceIdKey(lead), ...samePhoneKeys(lead), nameCityKey(lead)].filter(
    (key) => key !== undefined,
  )
}

/** Of all emails, the first one first. */
export function emailKeys(lead: ModelLead): string[] {
  return valuesOf(lead, "emails").map((email) => `email ${lower(email)}`)
}

export function sourceIdKey({ source_id }: ModelLead): string | undefined {
  return source_id === null ? undefined : `source_id ${source_id}`
}

/** Of all phones, the first one first; one without a letter or digit has none, as it equals no other. */
export function samePhoneKeys(lead: ModelLead): string[] {
  return valuesOf(lead, "phones").flatMap((phone) => (phoneKey(phone) ? `phone ${phoneKey(phone)}` : []))
}

export function nameCityKey({ name, city }: ModelLead): string | undefined {
  return city === null ? undefined : `name and city ${JSON.stringify([lower(name), lower(city)])}`
}
