// Whether a change of a lead is one that searches or the matcher see.
import { CONTACTS } from "../../../lead/contacts.ts"
import { DATA_FIELDS, type LeadData } from "../../../lead/lead.ts"
import { leadField } from "../../../lead/lead-fields.ts"
import { searchedTexts } from "../../../lead/lead-words.ts"
import { MATCHED_FIELDS } from "../../contract/duplicates.ts"

/** Whether anything that a lead is found by differs. */
export function wordsDiffer(before: LeadData, after: LeadData): boolean {
  if (before.attributes === after.attributes)
    return SEARCHED.some((field) => !isSame(before[field], after[field]))
  return JSON.stringify([...searchedTexts(before)]) !== JSON.stringify([...searchedTexts(after)])
}

const SEARCHED_FIELDS = DATA_FIELDS.filter((field) => leadField(field).searchGroup !== undefined)

const SEARCHED = [...SEARCHED_FIELDS, ...CONTACTS.map(([list]) => list)]

function isSame(before: unknown, after: unknown): boolean {
  return before === after || (Array.isArray(before) && JSON.stringify(before) === JSON.stringify(after))
}

/** Whether anything that comparing reads differs. */
export function matchedDiffer(before: LeadData, after: LeadData): boolean {
  if (MATCHED_FIELDS.some((field) => before[field] !== after[field])) return true
  if (before.attributes === after.attributes) return false
  return JSON.stringify(before.attributes) !== JSON.stringify(after.attributes)
}

/** The compared fields of a lead, as JSON. */
export function matchedText(lead: LeadData): string {
  return JSON.stringify(lead, [...MATCHED_FIELDS, "attributes", "value"])
}
