import {
  type Attribute,
  DATA_NUMBER_FIELDS,
  DATA_TIME_FIELDS,
  type LeadData,
  TEXT_FIELDS,
} from "../../core/lead.ts"
import { phoneNumber } from "../../core/phone.ts"
import { fold, phoneKey } from "../../core/text.ts"

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
 * A lead as it is searched and sorted: texts folded, the phone's key and the exact source_id beside them. A phone of
 * nothing but punctuation has the key "", which nobody looks for: so the key's index also counts the phones.
 * Its international form is "" where that is not known. `defaultCountry` is the account's.
 */
export function columnValues(lead: LeadData, defaultCountry: string | null): ColumnValue[] {
  const values: ColumnValue[] = [lead.id]
  for (const field of TEXT_FIELDS) {
    const text = lead[field]
    values.push(text === null ? null : fold(text))
  }
  for (const field of DATA_NUMBER_FIELDS) values.push(lead[field])
  for (const field of DATA_TIME_FIELDS) values.push(lead[field])
  values.push(lead.phone === null ? null : (phoneKey(lead.phone) ?? ""), lead.source_id)
  values.push(lead.phone === null ? null : (phoneNumber(lead.phone, lead.country, defaultCountry) ?? ""))
  return values
}

export interface AttributeIndexRow {
  item: number
  text: string | null
  number: number | null
}

/** The index rows of one attribute: one, or one an item of a list. */
export function attributeRows({ type, value }: Attribute): AttributeIndexRow[] {
  if (type === "list" && Array.isArray(value) && value.length > 0) {
    const items = [...new Set(value.map((item) => fold(String(item))))]
    return items.map((text, item) => ({ item, text, number: null }))
  }
  const text = type === "text" ? fold(String(value)) : null
  const number = type === "number" || type === "bool" ? Number(value) : null
  return [{ item: 0, text, number }]
}
