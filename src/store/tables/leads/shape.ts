import { CONTACTS, dropPlainLists, withLists } from "../../../lead/contacts.ts"
import { DATA_FIELDS, type LeadData, type ScoredLead } from "../../../lead/lead.ts"
import { LEAD_FIELD_NAMES, leadField } from "../../../lead/lead-fields.ts"
import type { LeadState } from "../../contract/changes.ts"

const sinceOf = (name: (typeof LEAD_FIELD_NAMES)[number]) => leadField(name).since ?? 1

/** The shape since which documents have all fields, and since which they hold both lists of contacts. */
export const FIELDS_SINCE = Math.max(...LEAD_FIELD_NAMES.map(sinceOf))
const LISTS_SINCE = 6

/** The shape of the documents that this executable writes: each field that is added makes a new one. */
export const SHAPE = Math.max(FIELDS_SINCE, LISTS_SINCE)

/**
 * The shape of packed documents: without members that are null and without lists of contacts that say no more than their
 * fields, which is what PostgreSQL keeps. A new field makes no other shape of them.
 */
export const PACKED = 0

/** Members of a document, in their order. */
export const DOCUMENT_FIELDS = [...DATA_FIELDS, "attributes"] as const

/** Shapes of documents that lack fields. */
export const LACKING_FIELDS = Array.from({ length: FIELDS_SINCE - 1 }, (_, i) => i + 1)

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
const utf8Text = new TextDecoder()
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
  if (shape === PACKED) return Buffer.from(unpackedText(bytes.toString("latin1")), "latin1")
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
  const values = CONTACTS.map(([, field]) => JSON.stringify(lead[field]))
  return JSON.stringify(lead).slice(0, -1) + plainLists(values)
}

/** The end of a document whose lists of contacts say no more than their fields, of which these are the values as JSON. */
function plainLists(values: readonly string[]): string {
  const lists = CONTACTS.map(([list], i) => {
    const value = values[i]!
    return `,"${list}":[${value === "null" ? "" : `{"value":${value},"label":null}`}]`
  })
  return `${lists.join("")}}`
}

const BEGINS = DATA_FIELDS.map((name) => `"${name}":`)
/** Nulls of all fields, and where each field's begins. */
const NULLS = BEGINS.map((begin) => `${begin}null,`).join("")
const NULLS_FROM = [...BEGINS.map((begin) => NULLS.indexOf(begin)), NULLS.length]
const [FIRST_CONTACT, LAST_CONTACT] = CONTACTS.map(([, field]) => DATA_FIELDS.indexOf(field)) as [
  number,
  number,
]
const ATTRIBUTES = '"attributes":'
/** Older executables would insert what they miss before the member behind a comma, and take this one apart instead. */
const APART = " "

/** The packed form of a document that `documentText` wrote; undefined where it has lists of its own. */
export function packedText(text: string): string | undefined {
  let packed = "{"
  let from = 1
  let at = 1
  const contacts: string[] = []
  for (let i = 0; i < BEGINS.length; i++) {
    const begin = BEGINS[i]!
    if (!text.startsWith(begin, at)) return undefined
    const value = at + begin.length
    const end = endOfValue(text, value)
    if (i === FIRST_CONTACT || i === LAST_CONTACT) contacts.push(text.slice(value, end))
    if (text.charCodeAt(value) === NULL) {
      if (at > from) packed += text.slice(from, at)
      from = end + 1
    }
    at = end + 1
  }
  const lists = plainLists(contacts)
  if (!text.startsWith(ATTRIBUTES, at) || !text.endsWith(lists)) return undefined
  return `${packed}${text.slice(from, at)}${APART}${text.slice(at, -lists.length)}}`
}

/** The document whose packed form this is; takes UTF-8 read as Latin-1 as well. */
function unpackedText(packed: string): string {
  let text = "{"
  let from = 1
  let at = 1
  const contacts = ["null", "null"]
  for (let i = 0; i < BEGINS.length; i++) {
    const first = i
    while (i < BEGINS.length && !packed.startsWith(BEGINS[i]!, at)) i++
    if (i > first) {
      text += packed.slice(from, at) + NULLS.slice(NULLS_FROM[first], NULLS_FROM[i])
      from = at
    }
    if (i === BEGINS.length) break
    const value = at + BEGINS[i]!.length
    const end = endOfValue(packed, value)
    if (i === FIRST_CONTACT) contacts[0] = packed.slice(value, end)
    else if (i === LAST_CONTACT) contacts[1] = packed.slice(value, end)
    at = end + 1
  }
  return text + packed.slice(from, at) + packed.slice(at + APART.length, -1) + plainLists(contacts)
}

const NULL = "n".charCodeAt(0)
const LIST_BEGIN = 91
const LIST_CLOSE = 93

/** Where the value of a field ends that begins at `at`: a text, a list of texts, or what is followed by a comma. */
function endOfValue(text: string, at: number): number {
  const first = text.charCodeAt(at)
  if (first === QUOTE) return endOfText(text, at)
  if (first !== LIST_BEGIN) return text.indexOf(",", at)
  let end = at + 1
  while (text.charCodeAt(end) !== LIST_CLOSE)
    end = text.charCodeAt(end) === QUOTE ? endOfText(text, end) : end + 1
  return end + 1
}

function endOfText(text: string, at: number): number {
  let end = text.indexOf('"', at + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end + 1
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === BACKSLASH) before--
  return (at - before) % 2 === 0
}

/** A stored document of any shape as `documentText` writes it. */
export function completedText(text: string, shape: number): string {
  if (shape >= SHAPE) return text
  return shape === PACKED ? unpackedText(text) : utf8Text.decode(completedBytes(Buffer.from(text), shape))
}

/** What is stored of a lead, out of its document. */
export const parsedDocument = (text: string, shape = SHAPE): LeadData =>
  dropPlainLists(JSON.parse(completedText(text, shape)))

function withAllFields(kept: Partial<LeadData>): LeadData {
  const fields = DOCUMENT_FIELDS.map((field) => [field, kept[field] ?? null])
  return { ...Object.fromEntries(fields), ...kept }
}

/** A state that was kept, with all fields, also those that came since. */
export function stateOf({ score, ...kept }: ScoredLead): LeadState {
  if (DOCUMENT_FIELDS.every((field) => field in kept)) return { data: kept, score }
  return { data: withAllFields(kept), score }
}
