// What every reader makes of its file: rows of named values.

/** The largest row in characters: the largest description and 200 attributes fit many times over. */
export const ROW_MAX = 1024 * 1024

export interface ImportRow {
  /** Where it begins: the line of a text from 1, the row of a sheet. */
  line: number
  /** Its columns; the same list for every row of a table. */
  names: readonly string[]
  /** Texts in CSV, any JSON value elsewhere. */
  values: readonly unknown[]
  /** Why it cannot be read at all. */
  problem?: string
}

/** How much the values say of their types: `none` CSV, `some` XLSX (numbers and booleans), `all` JSON. */
export type Typing = "none" | "some" | "all"

export interface Table {
  typing: Typing
  /** The columns of a file with a header; undefined where each row names its own. */
  names?: readonly string[]
  /** The rows, some at a time. Throws `bad_request` where the file cannot be read on. */
  rows: AsyncIterator<ImportRow[]>
}

/** What is wrong with a row that has not as many cells as the header. */
export function ragged(cells: number, columns: number): string {
  const count = (n: number, what: string) => `${n} ${what}${n === 1 ? "" : "s"}`
  return `has ${count(cells, "cell")}, the header names ${count(columns, "column")}`
}

export const tooLong = `is larger than ${ROW_MAX / 1024 / 1024} MiB`
