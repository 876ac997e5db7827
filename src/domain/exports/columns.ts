// The cells of an export in any format.

import type { Json } from "../../lead/lead.ts"
import { LEAD_FIELD_NAMES } from "../../lead/lead-fields.ts"

/** A cell; null means "no value". */
export type ExportCell = string | number | boolean | null

export const STANDARD_COLUMNS: readonly string[] = LEAD_FIELD_NAMES

/** Puts names in place of the ids of owners and stages. */
export function withNames(
  cells: ExportCell[],
  named: readonly number[],
  names: ReadonlyMap<string, string>,
): ExportCell[] {
  for (const at of named) cells[at] = names.get(String(cells[at])) ?? cells[at]!
  return cells
}

/** The cell of an attribute's value, of which an empty list is one. */
export const cellOfAttribute = (value: Json | undefined): ExportCell =>
  Array.isArray(value) && value.length === 0 ? "[]" : cellOf(value)

/** The cell of a lead's value. */
export function cellOf(value: Json | undefined): ExportCell {
  if (value === undefined || value === null || value === "") return null
  if (typeof value !== "object") return value
  if (!Array.isArray(value)) return JSON.stringify(value)
  return value.every(isJoinable) ? value.join("|") || null : JSON.stringify(value)
}

/** Whether a text among others with bars between them comes back as it is. */
const isJoinable = (item: Json): boolean =>
  typeof item === "string" && item !== "" && item.trim() === item && !/^[[{]|\|/.test(item)
