import { CONTACTS, contactsOf } from "../../../lead/contacts.ts"
import { DATA_FIELDS, type Json, type LeadData } from "../../../lead/lead.ts"
import { leadField } from "../../../lead/lead-fields.ts"

const SET_FIELDS = DATA_FIELDS.filter((name) => !leadField(name).readOnly)

/** Fields that clients set and attributes (`attr:NAME`) that differ between two states of a lead: `[before, after]`. */
export function changesBetween(before: LeadData, after: LeadData): Record<string, [Json, Json]> {
  const changes: Record<string, [Json, Json]> = {}
  const note = (name: string, old: Json, now: Json) => {
    if (old !== now && JSON.stringify(old) !== JSON.stringify(now)) changes[name] = [old, now]
  }
  for (const name of SET_FIELDS) note(name, before[name] as Json, after[name] as Json)
  for (const [list] of CONTACTS)
    if (before[list] || after[list])
      note(list, contactsOf(before, list) as unknown as Json, contactsOf(after, list) as unknown as Json)
  const old = new Map(before.attributes.map(({ name, value }) => [name, value]))
  for (const { name, value } of after.attributes) note(`attr:${name}`, old.get(name) ?? null, value)
  const there = new Set(after.attributes.map(({ name }) => name))
  for (const [name, value] of old) if (!there.has(name)) note(`attr:${name}`, value, null)
  return changes
}
