import { CONTACTS } from "../../../lead/contacts.ts"
import { DATA_FIELDS, type LeadData } from "../../../lead/lead.ts"
import { leadField } from "../../../lead/lead-fields.ts"
import { searchedTexts } from "../../../lead/lead-words.ts"

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
