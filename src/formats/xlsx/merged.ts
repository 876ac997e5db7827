// What a sheet lists behind its rows: cells that are merged over several, whose value is said of all, and links.
import { attributeOf, elements, rawText } from "./xml.ts"

/** A column's cells from one row to another. */
interface Merged {
  column: number
  from: number
  to: number
}

/** A row of a sheet, with its number. */
interface Row {
  line: number
  values: unknown[]
}

/** More are a drawing, and no table. */
const MERGED_MAX = 20_000
/** Characters of XML behind the rows: the links that Excel allows a sheet fit. */
const BEHIND_MAX = 16 * 1024 * 1024
const END = "sheetData>"

/** The XML behind the rows. */
export async function behindRows(xml: AsyncGenerator<Uint8Array>): Promise<string> {
  let behind: string | undefined
  let last = ""
  for await (const piece of rawText(xml)) {
    if (behind !== undefined) {
      if (behind.length < BEHIND_MAX) behind += piece
      continue
    }
    const both = last + piece
    last = piece.slice(-64)
    if (!both.includes(END)) continue
    const at = both.indexOf(`/${END}`) < 0 ? both.search(/\/\w+:sheetData>/) : both.indexOf(`/${END}`)
    if (at >= 0) behind = both.slice(at)
  }
  return behind ?? ""
}

/** The ids of the targets of links, by the references of their cells. */
export function linkedCells(behind: string): Map<string, string> {
  const ids = new Map<string, string>()
  for (const { attributes } of elements(behind, "hyperlink")) {
    const id = attributeOf(attributes, "\\w+:id")
    const cell = attributeOf(attributes, "ref")?.split(":")[0]
    if (id !== undefined && cell !== undefined) ids.set(cell, id)
  }
  return ids
}

/** The cells merged over several rows. */
export function mergedRows(behind: string): Merged[] {
  const merged: Merged[] = []
  for (const { attributes } of elements(behind, "mergeCell")) {
    const [, letters = "", from = "", , to = ""] =
      /^([A-Z]{1,3})(\d+):([A-Z]{1,3})(\d+)$/.exec(attributeOf(attributes, "ref") ?? "") ?? []
    if (Number(to) > Number(from)) merged.push({ column: columnNumber(letters), from: +from, to: +to })
    if (merged.length >= MERGED_MAX) break
  }
  return merged.sort((a, b) => a.from - b.from)
}

/** The number of a column by its letters: 27 for `AB`. */
export function columnNumber(letters: string): number {
  let number = 0
  for (let i = 0; i < letters.length; i++) number = number * 26 + letters.charCodeAt(i) - 64
  return number - 1
}

/** The letters of a column: `AB` for 27. */
export function columnLetters(number: number): string {
  const before = Math.floor(number / 26)
  return (before > 0 ? columnLetters(before - 1) : "") + String.fromCharCode(65 + (number % 26))
}

/** Gives the rows, which come one after the other, what is said of them further up. */
export async function* withMerged<R extends Row>(
  rows: AsyncGenerator<R[]>,
  merged: readonly Merged[],
): AsyncGenerator<R[]> {
  let next = 0
  // One a column: others that overlap it are no table's.
  const open = new Map<number, { to: number; value: unknown }>()
  for await (const some of rows) {
    for (const { line, values } of some) {
      for (const [column, { to }] of open) if (to < line) open.delete(column)
      // An empty row is one all the same.
      if (values.length > 0) {
        for (const [column, { value }] of open) {
          if (values[column] !== undefined && values[column] !== null) continue
          while (values.length < column) values.push(null)
          values[column] = value
        }
      }
      for (; next < merged.length && merged[next]!.from <= line; next++) {
        const one = merged[next]!
        const value = one.from === line ? values[one.column] : undefined
        if (value !== undefined && value !== null && !open.has(one.column))
          open.set(one.column, { to: one.to, value })
      }
    }
    yield some
  }
}
