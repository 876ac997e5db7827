// Which texts of a lead are found by a part of them.
import { CONTACTS, furtherContacts } from "../../../lead/contacts.ts"
import { type LeadData, TEXT_FIELDS, type TextField } from "../../../lead/lead.ts"
import { leadField } from "../../../lead/lead-fields.ts"
import { comparedText } from "../../../lead/lead-keys.ts"

/** Fields that are compared otherwise than by folding. */
const DRESSED: ReadonlySet<TextField> = new Set<TextField>(["email", "website"])

/** Whether an index of texts has a field's: of the few that a status may be, none is worth looking up. */
export function isInTextIndex(field: TextField): boolean {
  return leadField(field).searched === true
}

/** All of them as they are compared, but for the case, a line each. */
export function searchedText(lead: LeadData): string {
  const texts: string[] = []
  for (const field of TEXT_FIELDS) {
    const text = lead[field]
    if (text !== null && isInTextIndex(field))
      texts.push(DRESSED.has(field) ? comparedText(field, text) : text)
  }
  for (const [list, field] of CONTACTS)
    for (const { value } of furtherContacts(lead, list))
      texts.push(DRESSED.has(field) ? comparedText(field, value) : value)
  for (const { type, value } of lead.attributes) {
    if (type === "text") texts.push(String(value))
    else if (type === "list" && Array.isArray(value)) texts.push(...value)
  }
  return texts.join("\n")
}

/** Whether any of them differs. */
export function textsDiffer(before: LeadData, after: LeadData): boolean {
  return searchedText(before) !== searchedText(after)
}
