import type { LeadData } from "../../../lead/lead.ts"
import { MATCHED_FIELDS } from "../../contract/duplicates.ts"

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
