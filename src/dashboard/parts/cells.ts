// Cells of the table as spreadsheets copy and paste them: a line a row, tabs between the cells.

import { FILTER_FIELDS, type Field, leadValue, VALUE_NAMES } from "../core/filters.ts"
import { statusName, statusOrder } from "../core/statuses.ts"
import { t } from "../core/text.ts"
import type { Lead } from "../core/types.ts"
import { editable, inputText, parseValue } from "./cell.tsx"

/** Rows and cells that are pasted at most. */
export const PASTED_ROWS_MAX = 500
const PASTED_CELLS_MAX = 50

/** The cells of a pasted text; one in quotes may hold tabs and line breaks. */
export function cellsIn(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const { 1: quoted, 2: plain = "", 3: end } of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r?\n|\r|$)/g,
  )) {
    rows.at(-1)!.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end !== "\t") rows.push([])
    if (end === "" || rows.length > PASTED_ROWS_MAX + 2) break
  }
  const filled = rows.filter((row) => row.length > 0)
  // The text ends with a line break, behind which there is no row.
  return (filled.at(-1)?.join("") === "" ? filled.slice(0, -1) : filled).map((row) =>
    row.slice(0, PASTED_CELLS_MAX),
  )
}

const quoted = (text: string) => (/["\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Leads as a spreadsheet takes them; with the names of the columns before several. */
export function textOf(leads: readonly Lead[], columns: readonly Field[], hasHeader: boolean): string {
  const rows = leads.map((lead) => columns.map((field) => quoted(cellText(lead, field))))
  const header = columns.map(({ label }) => quoted(label))
  return (hasHeader ? [header, ...rows] : rows).map((row) => row.join("\t")).join("\n")
}

/** A value as a person reads it. */
export function cellText(lead: Lead, field: Field): string {
  const { name, kind } = field
  const value = leadValue(lead, name)
  if (value === null || value === undefined) return ""
  if (VALUE_NAMES[name]) return VALUE_NAMES[name](String(value))
  return kind === "time" ? inputText(field, value).replace("T", " ") : editable(value)
}

/** The fields that a pasted header names; undefined where the first row is no header. */
export function headerOf(cells: readonly string[]): Field[] | undefined {
  const fields = cells.map((cell) => {
    const text = cell.trim().toLowerCase()
    return FILTER_FIELDS.find(({ name, label }) => name === text || label.toLowerCase() === text)
  })
  return fields.length > 0 && fields.every((field) => field !== undefined) ? fields : undefined
}

/** A pasted text as the value of a field. Throws an Error that says what would be right. */
export function pastedValue(field: Field, text: string): unknown {
  if (field.kind !== "status") return parseValue(field, text)
  const typed = text.trim().toLowerCase()
  const status = statusOrder().find((one) => one === typed || statusName(one).toLowerCase() === typed)
  if (!status) throw new Error(t("“{text}” is no status", { text: text.trim() }))
  return status
}
