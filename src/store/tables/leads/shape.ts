import { CONTACTS, dropPlainLists } from "../../../lead/contacts.ts"
import { DATA_FIELDS, type LeadData, type ScoredLead } from "../../../lead/lead.ts"
import { LEAD_FIELD_NAMES, leadField } from "../../../lead/lead-fields.ts"
import type { LeadState } from "../../contract/changes.ts"
import { documentText, endOfText, plainLists } from "../../sql/schema/lead-rows.ts"

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
  const groups: { fields: string[]; before: string }[] = []
  let fields: string[] = []
  for (const name of DOCUMENT_FIELDS) {
    if (name !== "attributes" && sinceOf(name) > shape) fields.push(name)
    else if (fields.length > 0) {
      groups.push({ fields, before: name })
      fields = []
    }
  }
  return groups
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
  if (shape === PACKED) return unpackedBytes(bytes)
  const parts: Uint8Array[] = []
  let from = 0
  for (const { next, nulls } of missing[shape]!) {
    const at = bytes.indexOf(next, from)
    if (at < 0) return utf8.encode(writtenAnew(bytes.toString()))
    parts.push(bytes.subarray(from, at), nulls)
    from = at
  }
  if (shape >= LISTS_SINCE) return Buffer.concat([...parts, bytes.subarray(from)])
  // The lists that a document has stand behind its attributes, whose values may look like them.
  if (LISTS.some(({ begin }) => bytes.includes(begin))) return utf8.encode(writtenAnew(bytes.toString()))
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
  return bytes.subarray(start, endOfBytes(bytes, start))
}

function endOfBytes(bytes: Uint8Array, start: number): number {
  let end = start + 1
  while (bytes[end] !== QUOTE) end += bytes[end] === BACKSLASH ? 2 : 1
  return end + 1
}

/** Of a document that is not as this program or an older one writes it. */
const writtenAnew = (text: string) => documentText(dropPlainLists(withAllFields(JSON.parse(text))))

const BEGINS = DATA_FIELDS.map((name) => `"${name}":`)
/** Nulls of all fields, and where each field's begins. */
const NULLS = BEGINS.map((begin) => `${begin}null,`).join("")
const NULLS_FROM = [...BEGINS.map((begin) => NULLS.indexOf(begin)), NULLS.length]
const PLACES = new Map<string, number>(DOCUMENT_FIELDS.map((name, i) => [name, i]))
const ATTRIBUTES = '"attributes":'

// Members that are left out have a character of white space each, before the member that follows them: a line's end, then
// spaces. Texts have no line's end, so it is found at once.
const GAP = "\n"
/** Before the attributes. Older executables would insert what they miss behind their comma, and take this apart instead. */
const APART = "\t"

/** The packed form of a document that `documentText` wrote; undefined where it has lists of its own. */
export function packedText(text: string): string | undefined {
  let packed = "{"
  let from = 1
  let at = 1
  let left = 0
  const gap = () => {
    packed += text.slice(from, at)
    from = at
  }
  for (const begin of BEGINS) {
    if (!text.startsWith(begin, at)) return undefined
    const value = at + begin.length
    const end = endOfValue(text, value)
    if (text.charCodeAt(value) === NULL) {
      if (left++ === 0) gap()
      from = end + 1
    } else if (left > 0) {
      packed += GAP.padEnd(left)
      left = 0
    }
    at = end + 1
  }
  const lists = plainLists(text)
  if (!text.startsWith(ATTRIBUTES, at) || !text.endsWith(lists)) return undefined
  if (left === 0) gap()
  return `${packed}${left > 0 ? GAP.padEnd(left) : ""}${APART}${text.slice(at, -lists.length)}}`
}

/** The document whose packed form this is. */
function unpackedText(packed: string): string {
  const apart = packed.indexOf(APART)
  if (apart < 0) return writtenAnew(packed)
  let text = ""
  let from = 0
  for (let at = packed.indexOf(GAP); at > 0; at = packed.indexOf(GAP, from)) {
    const name = packed.indexOf('"', at)
    const next = PLACES.get(packed.slice(name + 1, packed.indexOf('"', name + 1)))!
    const first = next - (name - at) + (apart === name - 1 ? 1 : 0)
    text += packed.slice(from, at) + NULLS.slice(NULLS_FROM[first], NULLS_FROM[next])
    from = name
  }
  if (from < apart) {
    text += packed.slice(from, apart)
    from = apart + 1
  }
  return text + packed.slice(from, -1) + plainLists(packed, apart)
}

const NULL_BYTES = utf8.encode(NULLS)
const [TAB, LINE_END, SPACE] = [9, 10, 32]
const hash = (before: number, byte: number) => (Math.imul(before, 31) + byte) | 0
const PLACES_BY_HASH = new Map([...PLACES].map(([name, i]) => [Buffer.from(name).reduce(hash, 0), i]))
/** Where documents are put together, one after the other. */
let room = new Uint8Array(1 << 14)

/** The same of UTF-8. Lists do it for each lead: a loop over bytes takes a third of what strings do. */
function unpackedBytes(packed: Uint8Array): Uint8Array {
  const most = 3 * packed.length + NULL_BYTES.length + 100
  if (room.length < most) room = new Uint8Array(most)
  const out = room
  let to = 0
  let at = 0
  for (; at < packed.length; at++) {
    const byte = packed[at]!
    if (byte === TAB) break
    if (byte !== LINE_END) {
      out[to++] = byte
      continue
    }
    const gap = at
    while (packed[at + 1] === SPACE) at++
    const left = at + 1 - gap
    let name = 0
    for (let i = packed[at + 1] === TAB ? at + 3 : at + 2; packed[i] !== QUOTE; i++)
      name = hash(name, packed[i]!)
    const next = PLACES_BY_HASH.get(name)!
    to = copyBytes(NULL_BYTES, NULLS_FROM[next - left]!, NULLS_FROM[next]!, to)
  }
  if (at === packed.length) return utf8.encode(writtenAnew(utf8Text.decode(packed)))
  to = copyBytes(packed, at + 1, packed.length - 1, to)
  for (const { field, begin } of LISTS) {
    to = copyBytes(begin, 0, begin.length, to)
    const value = Buffer.prototype.indexOf.call(out, field) + field.length
    if (out[value] === QUOTE) {
      to = copyBytes(VALUE, 0, VALUE.length, to)
      to = copyBytes(out, value, endOfBytes(out, value), to)
      to = copyBytes(NO_LABEL, 0, NO_LABEL.length, to)
    }
    out[to++] = LIST_CLOSE
  }
  out[to++] = OBJECT_CLOSE
  return out.slice(0, to)
}

/** Copies into `room`: a few bytes sooner than `set` does. Returns the place behind them. */
function copyBytes(from: Uint8Array, start: number, end: number, to: number): number {
  for (let i = start; i < end; i++) room[to++] = from[i]!
  return to
}

const NULL = "n".charCodeAt(0)
const OBJECT_CLOSE = 125
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

/** A stored document of any shape as `documentText` writes it. */
export function completedText(text: string, shape: number): string {
  if (shape >= SHAPE) return text
  return shape === PACKED ? unpackedText(text) : utf8Text.decode(completedBytes(Buffer.from(text), shape))
}

/** What is stored of a lead, out of its document. */
export const parsedDocument = (text: string, shape = SHAPE): LeadData =>
  dropPlainLists(JSON.parse(completedText(text, shape)))

function withAllFields(data: Partial<LeadData>): LeadData {
  const fields = DOCUMENT_FIELDS.map((field) => [field, data[field] ?? null])
  return { ...Object.fromEntries(fields), ...data }
}

/** A state that was kept, with all fields, also those that came since. */
export function stateOf({ score, ...data }: ScoredLead): LeadState {
  if (DOCUMENT_FIELDS.every((field) => field in data)) return { data, score }
  return { data: withAllFields(data), score }
}
