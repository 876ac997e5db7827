import { LEAD_FIELD_NAMES, leadField } from "../../core/lead-fields.ts"

const sinceOf = (name: (typeof LEAD_FIELD_NAMES)[number]) => leadField(name).since ?? 1

/** The shape of the documents that this executable writes: each field that is added makes a new one. */
export const SHAPE = Math.max(...LEAD_FIELD_NAMES.map(sinceOf))
