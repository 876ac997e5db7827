// Splits a lead into searchable words, in groups with their own weights: fields, text attributes and notes.

import { digitsOf } from "../text/phone-digits.ts"
import { wordsOf } from "../text/words.ts"
import { CONTACTS, furtherContacts } from "./contacts.ts"
import { DATA_FIELDS, type LeadData } from "./lead.ts"
import { leadField } from "./lead-fields.ts"

/** The groups with the weight of a word in them. */
export const WORD_GROUPS = { name: 10, kind: 4, contact: 4, place: 3, text: 2, notes: 1 } as const
export type WordGroup = keyof typeof WORD_GROUPS
export const WORD_GROUP_NAMES = Object.keys(WORD_GROUPS) as WordGroup[]

/** Characters of a lead's notes that are searched, the newest first. */
export const NOTES_SEARCHED = 100_000

const SEARCHED_FIELDS = DATA_FIELDS.flatMap((field) => {
  const group = leadField(field).searchGroup
  return group ? [{ field, group }] : []
})

/** Each group's texts of a lead, with the name of the field that they are in; attributes as `attr:<name>`. */
export function* searchedTexts(
  lead: LeadData,
): Generator<{ group: WordGroup; field: string; texts: readonly string[] }> {
  for (const { field, group } of SEARCHED_FIELDS) {
    const value = lead[field as keyof LeadData]
    if (value === null) continue
    yield { group, field, texts: Array.isArray(value) ? (value as string[]) : [String(value)] }
  }
  for (const [field] of CONTACTS) {
    const texts = furtherContacts(lead, field).map(({ value }) => value)
    if (texts.length > 0) yield { group: "contact", field, texts }
  }
  for (const { name, type, value } of lead.attributes) {
    if (type === "text") yield { group: "text", field: `attr:${name}`, texts: [String(value)] }
    else if (type === "list") yield { group: "text", field: `attr:${name}`, texts: value as string[] }
  }
}

/** The words of each group, in order. `notes` are the newest first. */
export function leadWords(lead: LeadData, notes: readonly string[]): Record<WordGroup, string[]> {
  const words: Record<WordGroup, string[]> = {
    name: [],
    kind: [],
    contact: [],
    place: [],
    text: [],
    notes: [],
  }
  for (const { group, texts, field } of searchedTexts(lead)) {
    for (const text of texts) {
      words[group].push(...wordsOf(text))
      if (field === "phone" || field === "phones") words[group].push(...digitsOf(text))
    }
  }
  let left = NOTES_SEARCHED
  for (const note of notes) {
    words.notes.push(...wordsOf(note.slice(0, left)))
    left -= note.length
    if (left <= 0) break
  }
  return words
}
