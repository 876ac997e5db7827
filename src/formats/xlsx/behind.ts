// What a sheet lists behind its rows: cells that are merged over several, whose value is said of all, and links.
import type { Linked } from "../header.ts"
import { attributeOf, elements, rawText, withoutEntities } from "./xml.ts"

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

// Links of cells: what one leads to counts where its column is for that, and its text is none.

/** What a column may be for, by what its values look like. */
const LINKED = {
  email: /\S@\S/,
  website: /^(?:https?:\/\/|www\.)\S|^(?:[^\s@./?#]+\.)+\p{L}{2,}(?:[/?#]\S*)?$/iu,
  linkedin_url: /linkedin\.com\//i,
} satisfies Record<Linked, RegExp>

/** The value that a cell has by its link, for a column that is for `linked`. */
export function linkedValue(value: unknown, target: string | undefined, linked: Linked): unknown {
  if (target === undefined || (typeof value === "string" && LINKED[linked].test(value.trim()))) return value
  const address = /^mailto:([^?]*)/i.exec(target)?.[1]
  if (linked === "email") return address?.includes("@") ? decoded(address) : value
  return /^https?:/i.test(target) && LINKED[linked].test(target) ? target : value
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const HYPERLINK = /^\s*(?:_xlfn\.)?HYPERLINK\(\s*"((?:[^"]|"")*)"\s*(?:[,;]\s*"((?:[^"]|"")*)"\s*)?[,;)]/i

/** Target and text of the formula of a cell that is nothing but `HYPERLINK` of texts. */
export function linkFormula(inner: string): { target: string; text: string } | undefined {
  return linkIn(withoutEntities(elements(inner, "f").next().value?.inner ?? ""))
}

/** The same of a formula without its equals sign. */
export function linkIn(formula: string): { target: string; text: string } | undefined {
  const [, target, text = target] = HYPERLINK.exec(formula) ?? []
  if (target === undefined || text === undefined) return undefined
  return { target: target.replaceAll('""', '"'), text: text.replaceAll('""', '"') }
}
