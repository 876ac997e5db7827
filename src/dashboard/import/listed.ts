// Rows of a pasted list as leads to look for.
import { headerOf } from "../parts/cells.ts"

export const LISTED_MAX = 10_000
const CELL_MAX = 500

/** Columns of a list that tell leads apart. */
const TELLING = new Set([
  ...["name", "email", "phone", "website", "linkedin_url", "company", "source_id"],
  ...["address", "city", "state", "postal_code", "country", "category"],
])

export interface Listed {
  /** The line that names the columns. */
  header?: string
  rows: { text: string; lead: Record<string, string> }[]
}

/** Reads a list: with names of columns in its first line, or with values that tell what they are. */
export function rowsIn(text: string): Listed {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "")
  const [first = "", ...rest] = lines
  for (const separator of ["\t", ";", ","]) {
    const names = headerOf(cellsOf(first, separator))?.map(({ name }) => name)
    if (names)
      return { header: first, rows: rest.map((line) => rowOf(line, cellsOf(line, separator), names)) }
  }
  return { rows: lines.map((line) => rowOf(line, piecesOf(line))) }
}

function rowOf(text: string, cells: readonly string[], names?: readonly string[]) {
  const lead: Record<string, string> = {}
  for (const [i, cell] of cells.entries()) {
    const name = names ? names[i] : kindOf(cell)
    const isUsable = cell !== "" && cell.length <= CELL_MAX && (name !== "email" || kindOf(cell) === "email")
    if (name !== undefined && isUsable && TELLING.has(name)) lead[name] ??= cell
  }
  return { text, lead }
}

/** The values of a line without names; names of companies may hold commas. */
function piecesOf(line: string): string[] {
  const parts = cellsOf(line, /[\t;]/.test(line) ? (line.includes("\t") ? "\t" : ";") : ",")
  return parts.some((part) => kindOf(part) !== "name") ? parts : [line.trim()]
}

function kindOf(cell: string): string {
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell)) return "email"
  if (/^\+?[\d\s()/.-]{6,}$/.test(cell)) return "phone"
  return /^(https?:\/\/\S+|[\w-]+(\.[\w-]+)+(\/\S*)?)$/i.test(cell) ? "website" : "name"
}

/** The cells of a line; one in quotes may hold the separator. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = []
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}]*))(${separator}|$)`, "g")
  for (const { 1: quoted, 2: plain = "", 3: end } of line.matchAll(cell)) {
    cells.push((quoted === undefined ? plain : quoted.replaceAll('""', '"')).trim())
    if (end === "") break
  }
  return cells
}
