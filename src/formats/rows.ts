// Rows of named values, which every reader makes of its file.
import { parseExact } from "../text/json-text.ts"
import type { ImportFormat } from "./kinds.ts"

/** The largest row in characters: the largest description and 200 attributes fit many times over. */
export const ROW_MAX = 1024 * 1024

export interface SourceRow {
  /** Where it begins: the line of a text from 1, the row of a sheet. */
  line: number
  /** Its columns; the same list for every row of a table. */
  names: readonly string[]
  /** Texts in CSV, any JSON value elsewhere. */
  values: readonly unknown[]
  /** Why it cannot be read at all. */
  problem?: string
  /** A remark about a row that can be read. */
  note?: string
  /** A remark about the file: there is no row. */
  notice?: string
  /** Remarks about single cells, which are empty. */
  remarks?: readonly CellRemark[]
}

interface CellRemark {
  /** The place of its column. */
  at: number
  value: string
  /** A predicate, as in "is a formula without a result". */
  problem: string
}

/** How much the values say of their types: `none` CSV, `some` XLSX (numbers and booleans), `all` JSON. */
export type Typing = "none" | "some" | "all"

export interface Table {
  typing: Typing
  /** The columns of a file with a header; undefined where each row names its own. */
  names?: readonly string[]
  /** The sheet of a workbook that was read. */
  sheet?: string
  /** The rows, some at a time. Throws `bad_request` where the file cannot be read on. */
  rows: AsyncGenerator<SourceRow[]>
}

/** A file whose rows can be read. */
export interface Opened {
  format: ImportFormat
  table: Table
}

/** A remark about the file. */
export function noticeRow(line: number, notice: string): SourceRow {
  return { line, names: NO_NAMES, values: [], notice }
}
const NO_NAMES: readonly string[] = []

/** The remark about a row that has not as many cells as the header. */
export function ragged(cells: number, columns: number): string {
  const count = (n: number, what: string) => `${n} ${what}${n === 1 ? "" : "s"}`
  return `has ${count(cells, "cell")}, the header names ${count(columns, "column")}`
}

export const ROW_TOO_LONG = `is larger than ${ROW_MAX / 1024 / 1024} MiB`

/** Parses a text that holds a JSON array or object; undefined for any other. */
export function jsonIn(text: string): unknown {
  // A parse that fails costs as much as one that does not, and several of them look into the same cell.
  if (!/^\s*[{[]/.test(text) || !"}]".includes(text.trimEnd().at(-1)!)) return undefined
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}

/** The list or object that a cell holds as JSON, else what it holds. */
export function parsedCell(cell: unknown): unknown {
  return typeof cell === "string" ? (jsonIn(cell) ?? cell) : cell
}
