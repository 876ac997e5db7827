// Encodes rows as lines of PostgreSQL's COPY. Both engines make the same line of a row, so that lines can be compared.
import type { ColumnKind, MovedTable } from "./tables.ts"

export type MovedCell = string | number | Uint8Array | null
/** Cells by the names of their columns. */
export type MovedRow = Readonly<Record<string, MovedCell>>

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\b": "\\b",
  "\f": "\\f",
  "\v": "\\v",
  // PostgreSQL takes no NUL in a text.
  "\0": "\ufffd",
}
const PLAIN: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  f: "\f",
  v: "\v",
}
// Characters that COPY reads as something else
const TO_ESCAPE = /[\\\n\r\t\b\f\v\0]/g
const HAS_SOME = /[\\\n\r\t\b\f\v\0]/

export function encodeCell(value: MovedCell | undefined, kind: ColumnKind): string {
  if (value === null || value === undefined) return "\\N"
  if (typeof value === "string")
    return HAS_SOME.test(value) ? value.replace(TO_ESCAPE, (one) => ESCAPES[one]!) : value
  if (kind === "bool") return value ? "t" : "f"
  if (typeof value === "object") return `\\\\x${Buffer.from(value).toString("hex")}`
  return String(value)
}

export function encodeRow({ columns }: MovedTable, row: MovedRow): string {
  return columns.map(({ name, kind }) => encodeCell(row[name], kind)).join("\t")
}

export function decodeCell(text: string, kind: ColumnKind): MovedCell {
  if (text === "\\N") return null
  if (kind === "int" || kind === "float") return Number(text)
  if (kind === "bool") return text === "t" ? 1 : 0
  if (kind === "bytes") return Buffer.from(text.slice(3), "hex")
  return text.includes("\\") ? text.replace(/\\(.)/gs, (_, one: string) => PLAIN[one] ?? one) : text
}

export function decodeRow({ columns }: MovedTable, line: string): MovedRow {
  const cells = line.split("\t")
  return Object.fromEntries(columns.map(({ name, kind }, i) => [name, decodeCell(cells[i]!, kind)]))
}

/** A checksum of lines in any order: two tables with the same sum and count hold the same rows. */
export interface LineTally {
  rows: number
  /** The sum of the lines' hashes, in hex. */
  sum: string
}

export const NO_ROWS: LineTally = { rows: 0, sum: "0" }

/** With lines more, or without lines that went into it. */
export function tallied({ rows, sum }: LineTally, lines: readonly string[], sign: 1 | -1 = 1): LineTally {
  let total = 0n
  for (const line of lines) total += Bun.hash.xxHash64(line)
  return {
    rows: rows + sign * lines.length,
    sum: BigInt.asUintN(64, BigInt(`0x${sum}`) + BigInt(sign) * total).toString(16),
  }
}
