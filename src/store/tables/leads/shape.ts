import { CONTACTS, dropPlainLists, withLists } from "../../../lead/contacts.ts"
import { DATA_FIELDS, type LeadData, type ScoredLead } from "../../../lead/lead.ts"
import { LEAD_FIELD_NAMES, leadField } from "../../../lead/lead-fields.ts"
import type { LeadState } from "../../contract/changes.ts"

const sinceOf = (name: (typeof LEAD_FIELD_NAMES)[number]) => leadField(name).since ?? 1

/** The shape since which documents have all fields, and since which they hold both lists of contacts. */
const FIELDS_SINCE = Math.max(...LEAD_FIELD_NAMES.map(sinceOf))
const LISTS_SINCE = 6

/** The shape of the documents that this executable writes: each field that is added makes a new one. */
export const SHAPE = Math.max(FIELDS_SINCE, LISTS_SINCE)

/** Members of a document, in their order. */
export const DOCUMENT_FIELDS = [...DATA_FIELDS, "attributes"] as const

/** Shapes of documents that lack fields. */
export const LACKING_FIELDS = Array.from({ length: FIELDS_SINCE - 1 }, (_, i) => i + 1)

/**
 * SQL for the document of a row under its alias, with all fields: as it stands where it was written with them, else what
 * `completed` makes of it.
 */
export function documentOf(alias: string, completed: (data: string) => string): string {
  const data = `${alias}.data`
  return `CASE WHEN ${alias}.shape >= ${FIELDS_SINCE} THEN ${data} ELSE ${completed(data)} END`
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
 * The UTF-8 JSON of a document of an older shape with the fields that came since, in their order, as nulls, and with both
 * lists of contacts. A fiftieth of the time that it takes to parse. The first occurrence of a field's name is the field: a
 * text has its quotes escaped, and attributes, whose values may have such names, come after all fields.
 */
export function completedBytes(document: Uint8Array, shape: number): Uint8Array {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength)
  const parts: Uint8Array[] = []
  let from = 0
  for (const { next, nulls } of missing[shape]!) {
    const at = bytes.indexOf(next, from)
    if (at < 0) return writtenAnew(bytes)
    parts.push(bytes.subarray(from, at), nulls)
    from = at
  }
  if (shape >= LISTS_SINCE) return Buffer.concat([...parts, bytes.subarray(from)])
  // The lists that a document has stand behind its attributes, whose values may look like them.
  if (LISTS.some(({ begin }) => bytes.includes(begin))) return writtenAnew(bytes)
  parts.push(bytes.subarray(from, -1))
  for (const { field, begin } of LISTS) {
    const value = textIn(bytes, field)
    parts.push(begin, ...(value ? [VALUE, value, NO_LABEL] : []), LIST_END)
  }
  parts.push(DOCUMENT_END)
  return Buffer.concat(parts)
}

const LISTS = CONTACTS.map(([list, field]) => ({
  field: Buffer.from(`,"${field}":`),
  begin: Buffer.from(`,"${list}":[`),
}))
const [VALUE, NO_LABEL, LIST_END, DOCUMENT_END] = ['{"value":', ',"label":null}', "]", "}"].map((text) =>
  utf8.encode(text),
) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array]
const [QUOTE, BACKSLASH] = [34, 92]

/** A field's text with its quotes; undefined for null. */
function textIn(bytes: Buffer, field: Buffer): Uint8Array | undefined {
  const start = bytes.indexOf(field) + field.length
  if (bytes[start] !== QUOTE) return undefined
  let end = start + 1
  while (bytes[end] !== QUOTE) end += bytes[end] === BACKSLASH ? 2 : 1
  return bytes.subarray(start, end + 1)
}

const writtenAnew = (bytes: Buffer) =>
  utf8.encode(documentText(dropPlainLists(withAllFields(JSON.parse(bytes.toString("utf8"))))))

/** The document of a lead, as it is written today. */
export function documentText(lead: LeadData): string {
  if (lead.emails || lead.phones) return JSON.stringify(withLists(lead))
  const lists = CONTACTS.map(([list, field]) => {
    const value = lead[field]
    return `,"${list}":[${value === null ? "" : `{"value":${JSON.stringify(value)},"label":null}`}]`
  })
  return `${JSON.stringify(lead).slice(0, -1)}${lists[0]}${lists[1]}}`
}

/** What is stored of a lead, out of its document. */
export const parsedDocument = (text: string): LeadData => dropPlainLists(JSON.parse(text))

function withAllFields(kept: Partial<LeadData>): LeadData {
  const fields = DOCUMENT_FIELDS.map((field) => [field, kept[field] ?? null])
  return { ...Object.fromEntries(fields), ...kept }
}

/** A state that was kept, with all fields, also those that came since. */
export function stateOf({ score, ...kept }: ScoredLead): LeadState {
  if (DOCUMENT_FIELDS.every((field) => field in kept)) return { data: kept, score }
  return { data: withAllFields(kept), score }
}
