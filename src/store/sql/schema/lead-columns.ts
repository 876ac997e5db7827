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

export interface AttributeIndexRow {
  item: number
  text: string | null
  number: number | null
}

/** The index rows of one attribute: one, or one an item of a list. A date is kept as its Unix second. */
export function attributeRows({ type, value }: Attribute): AttributeIndexRow[] {
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
