import { ACTIVITY_FIELDS, DERIVED_FIELDS } from "../../../src/lead/lead.ts"

const ofNotes: ReadonlySet<string> = new Set([...ACTIVITY_FIELDS, ...DERIVED_FIELDS])

/** A lead as text, without what its notes make of it: a note is no change of its lead, so no feed tells of it. */
export function leadText(lead: object): string {
  return JSON.stringify(lead, (name, value) => (ofNotes.has(name) ? undefined : value))
}
