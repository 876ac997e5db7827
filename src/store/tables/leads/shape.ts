import { DATA_FIELDS, type LeadData, type ScoredLead } from "../../../core/lead.ts"
import { LEAD_FIELD_NAMES, leadField } from "../../../core/lead-fields.ts"
import type { LeadState } from "../../contract/changes.ts"

const sinceOf = (name: (typeof LEAD_FIELD_NAMES)[number]) => leadField(name).since ?? 1

/** The shape of the documents that this executable writes: each field that is added makes a new one. */
export const SHAPE = Math.max(...LEAD_FIELD_NAMES.map(sinceOf))

/** Members of a document, in their order. */
export const DOCUMENT_FIELDS = [...DATA_FIELDS, "attributes"] as const

/**
 * SQL for the document of a row under its alias: as it stands where it was written in today's shape, else what `completed`
 * makes of it.
 */
export function documentOf(alias: string, completed: (data: string) => string): string {
  const data = `${alias}.data`
  if (SHAPE === 1) return data
  return `CASE WHEN ${alias}.shape >= ${SHAPE} THEN ${data} ELSE ${completed(data)} END`
}

/** Fields that documents of a shape lack: adjacent fields, and the field that follows them. */
export function newerFields(shape: number): { fields: string[]; before: string }[] {
  const found: { fields: string[]; before: string }[] = []
  let fields: string[] = []
  for (const name of DOCUMENT_FIELDS) {
    if (name !== "attributes" && sinceOf(name) > shape) fields.push(name)
    else if (fields.length > 0) {
      found.push({ fields, before: name })
      fields = []
    }
  }
  return found
}

const utf8 = new TextEncoder()
/** By shape, what an older document lacks: the name that follows, and what is inserted before it. */
const missing = Array.from({ length: SHAPE }, (_, shape) =>
  newerFields(shape).map(({ fields, before }) => ({
    next: Buffer.from(`,"${before}":`),
    nulls: utf8.encode(fields.map((name) => `,"${name}":null`).join("")),
  })),
)

/**
 * The UTF-8 JSON of a document of an older shape with the fields that came since, in their order, as nulls. A fiftieth of
 * the time that it takes to parse. The first occurrence of a field's name is the field: a text has its quotes escaped,
 * and attributes, whose values may have such names, come after all fields.
 */
export function completedBytes(document: Uint8Array, shape: number): Uint8Array {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength)
  const parts: Uint8Array[] = []
  let from = 0
  for (const { next, nulls } of missing[shape]!) {
    const at = bytes.indexOf(next, from)
    if (at < 0) return utf8.encode(JSON.stringify(withAllFields(JSON.parse(bytes.toString("utf8")))))
    parts.push(bytes.subarray(from, at), nulls)
    from = at
  }
  return Buffer.concat([...parts, bytes.subarray(from)])
}

function withAllFields(kept: Partial<LeadData>): LeadData {
  const fields = DOCUMENT_FIELDS.map((field) => [field, kept[field] ?? null])
  return Object.fromEntries(fields)
}

/** A state that was kept, with all fields, also those that came since. */
export function stateOf({ score, ...kept }: ScoredLead): LeadState {
  if (DOCUMENT_FIELDS.every((field) => field in kept)) return { data: kept, score }
  return { data: withAllFields(kept), score }
}
