// The rows of a lead: in the table of leads, in that of documents, and in those of its tags, attributes, contacts and place.
import { CONTACTS, type ContactField, emailText, withLists } from "../../../lead/contacts.ts"
import {
  type Attribute,
  DATA_NUMBER_FIELDS,
  DATA_TIME_FIELDS,
  type LeadData,
  TEXT_FIELDS,
  type TextField,
} from "../../../lead/lead.ts"
import { comparedText, type LeadKeys } from "../../../lead/lead-keys.ts"
import { isoSeconds } from "../../../text/moment.ts"
import { phoneNumber } from "../../../text/phone.ts"
import { fold, phoneKey } from "../../../text/text.ts"

/** Columns of `leads` besides rid, account_id and the activity, in the order that `columnValues` gives. */
export const COLUMNS = [
  "id",
  ...TEXT_FIELDS,
  ...DATA_NUMBER_FIELDS,
  ...DATA_TIME_FIELDS,
  "phone_key",
  "source_id_exact",
  "phone_number",
] as const

export type ColumnValue = string | number | null

/**
 * The row of a lead, as it is searched and sorted by: texts folded, the phone's key and the exact source_id beside them.
 * A phone of nothing but punctuation has the key "", which no search asks for, so that the key's index also counts the
 * phones. Its international form is "" where it is unknown. `keys` are the lead's own.
 */
export function columnValues(lead: LeadData, keys: LeadKeys): ColumnValue[] {
  const values: ColumnValue[] = [lead.id]
  for (const field of TEXT_FIELDS) {
    const text = lead[field]
    values.push(text === null ? null : (isFoldedKey(field) && keys[field]) || comparedText(field, text))
  }
  for (const field of DATA_NUMBER_FIELDS) values.push(lead[field])
  for (const field of DATA_TIME_FIELDS) values.push(lead[field])
  values.push(lead.phone === null ? null : (keys.phone ?? ""), lead.source_id)
  values.push(lead.phone === null ? null : (keys.number ?? ""))
  return values
}

/** Keys that are the compared text of their field, where there is one. */
function isFoldedKey(field: TextField): field is "name" | "email" | "city" {
  return field === "name" || field === "email" || field === "city"
}

export interface ChangedColumns {
  columns: (typeof COLUMNS)[number][]
  values: ColumnValue[]
}

/** The columns that a change of a lead writes, with their new values. `defaultCountry` is read when the phone changes. */
export function changedColumns(
  before: LeadData,
  after: LeadData,
  defaultCountry: (phone: string) => string | null,
): ChangedColumns {
  const changed: ChangedColumns = { columns: [], values: [] }
  const set = (column: (typeof COLUMNS)[number], old: ColumnValue, now: ColumnValue) => {
    if (old === now) return
    changed.columns.push(column)
    changed.values.push(now)
  }
  set("id", before.id, after.id)
  for (const field of TEXT_FIELDS) {
    const [old, now] = [before[field], after[field]]
    if (old !== now)
      set(
        field,
        old === null ? null : comparedText(field, old),
        now === null ? null : comparedText(field, now),
      )
  }
  for (const field of DATA_NUMBER_FIELDS) set(field, before[field], after[field])
  for (const field of DATA_TIME_FIELDS) set(field, before[field], after[field])
  set("source_id_exact", before.source_id, after.source_id)
  if (before.phone === after.phone && before.country === after.country) return changed
  set("phone_key", keyColumn(before), keyColumn(after))
  set("phone_number", numberColumn(before, defaultCountry), numberColumn(after, defaultCountry))
  return changed
}

const keyColumn = ({ phone }: LeadData) => (phone === null ? null : (phoneKey(phone) ?? ""))

function numberColumn({ phone, country }: LeadData, defaultCountry: (phone: string) => string | null) {
  return phone === null ? null : (phoneNumber(phone, country, defaultCountry(phone)) ?? "")
}

interface AttributeIndexRow {
  item: number
  text: string | null
  number: number | null
}

/** The index rows of one attribute: one, or one an item of a list. A date is kept as its Unix second. */
function attributeRows({ type, value }: Attribute): AttributeIndexRow[] {
  if (type === "list" && Array.isArray(value) && value.length > 0) {
    const items = [...new Set(value.map((item) => fold(String(item))))]
    return items.map((text, item) => ({ item, text, number: null }))
  }
  const text = type === "text" ? fold(String(value)) : null
  const number =
    type === "number" || type === "bool"
      ? Number(value)
      : type === "date"
        ? (isoSeconds(String(value)) ?? null)
        : null
  return [{ item: 0, text, number }]
}

/**
 * A lead that is created, changed or removed. Tables that are derived from leads are kept in step by a projection each,
 * which an engine calls with every such change.
 */
export interface LeadChange {
  account: number
  ref: number
  /** Undefined when the lead is created. */
  before: LeadData | undefined
  /** Undefined when it is removed. */
  after: LeadData | undefined
  /** Bytes by which the lead, with its notes when it is removed, grows. */
  bytes: number
}

/** Writes what a change of a lead changes in a table. */
export type Projection = (change: LeadChange) => void

/** The folded tags that a change takes from a lead and gives it. */
export function tagChanges({
  before,
  after,
}: LeadChange): { dropped: string[]; added: string[] } | undefined {
  const old = before?.tags ?? []
  const now = after?.tags ?? []
  if (old.length === 0 && now.length === 0) return undefined
  const had = new Set(old.map(fold))
  const has = new Set(now.map(fold))
  return { dropped: [...had].filter((tag) => !has.has(tag)), added: [...has].filter((tag) => !had.has(tag)) }
}

interface AttributeChanges {
  /** Names of attributes whose rows go. */
  dropped: string[]
  added: (AttributeIndexRow & Pick<Attribute, "name" | "type">)[]
}

/** The index rows that a change of a lead's attributes drops and adds; those of a changed attribute are dropped first. */
export function attributeChanges({ before, after }: LeadChange): AttributeChanges | undefined {
  const old = before?.attributes ?? []
  const now = after?.attributes ?? []
  if (old.length === 0 && now.length === 0) return undefined
  const had = new Map(old.map((attribute) => [attribute.name, JSON.stringify(attribute)]))
  const dropped = new Set(had.keys())
  const added: AttributeChanges["added"] = []
  for (const attribute of now) {
    const { name, type } = attribute
    const was = had.get(name)
    if (was !== undefined && was === JSON.stringify(attribute)) dropped.delete(name)
    else for (const row of attributeRows(attribute)) added.push({ ...row, name, type })
  }
  return { dropped: [...dropped], added }
}

/** A row of an email or phone besides the first, or of the only one where more is kept of it than its value. */
interface ContactRow {
  kind: ContactField
  item: number
  /** Folded. */
  text: string
  /** Of a phone as in `LeadKeys`. */
  key: string | null
  number: string | null
}

/** The rows of a lead's lists of emails and phones on a change of them; undefined where they stay. */
export function contactChange(
  { before, after }: LeadChange,
  defaultCountry: () => string | null,
): { had: boolean; rows: ContactRow[] } | undefined {
  if (!before?.emails && !before?.phones && !after?.emails && !after?.phones) return undefined
  const had = before !== undefined && hasLists(before)
  if (!after) return { had, rows: [] }
  const country = hasLists(after) ? defaultCountry() : null
  const rows = CONTACTS.flatMap(([list, kind]) =>
    (after[list] ?? []).slice(after[list]?.length === 1 ? 0 : 1).map(({ value }, item): ContactRow => {
      const phone = kind === "phone"
      const number = phone ? phoneNumber(value, after.country, country) : null
      return {
        kind,
        item,
        text: phone ? fold(value) : emailText(value),
        key: phone ? (phoneKey(value) ?? null) : null,
        number,
      }
    }),
  )
  return { had, rows }
}

const hasLists = ({ emails, phones }: LeadData) => emails !== undefined || phones !== undefined

interface Place {
  latitude: number
  longitude: number
}

/** Where a lead was and is, on a change of that; null for nowhere. */
export function placeChange({
  before,
  after,
}: LeadChange): { was: Place | null; is: Place | null } | undefined {
  const was = placeOf(before)
  const is = placeOf(after)
  if (was?.latitude === is?.latitude && was?.longitude === is?.longitude) return undefined
  return { was, is }
}

function placeOf(lead: LeadData | undefined): Place | null {
  if (!lead || lead.latitude === null || lead.longitude === null) return null
  return { latitude: lead.latitude, longitude: lead.longitude }
}

/** The document of a lead, as it is written today. */
export function documentText(lead: LeadData): string {
  if (lead.emails || lead.phones) return JSON.stringify(withLists(lead))
  const text = JSON.stringify(lead)
  return text.slice(0, -1) + plainLists(text)
}

/** The end of a document whose lists of contacts say no more than its fields do, which stand before `end`. */
export function plainLists(text: string, end = text.length): string {
  return `${plainList(text, EMAIL, end)}${plainList(text, PHONE, end)}}`
}

function plainList(text: string, { begin, list }: typeof EMAIL, end: number): string {
  const at = text.indexOf(begin)
  if (at < 0 || at > end) return `${list}[]`
  const value = text.slice(at + begin.length - 1, endOfText(text, at + begin.length - 1))
  return `${list}[{"value":${value},"label":null}]`
}

const [EMAIL, PHONE] = CONTACTS.map(([list, field]) => ({ begin: `"${field}":"`, list: `,"${list}":` })) as [
  { begin: string; list: string },
  { begin: string; list: string },
]

const BACKSLASH = 92

/** The place behind a text in quotes that begins at `at`. */
export function endOfText(text: string, at: number): number {
  let end = text.indexOf('"', at + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end + 1
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === BACKSLASH) before--
  return (at - before) % 2 === 0
}
