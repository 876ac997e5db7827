// The rows of a sheet, out of XML that comes in pieces.
import { badRequest } from "../../runtime/errors.ts"
import { grouped } from "../../text/text.ts"
import { ROW_MAX, ROW_TOO_LONG, type SourceRow } from "../rows.ts"
import { columnNumber, linkFormula } from "./behind.ts"
import type { Workbook } from "./workbook.ts"
import { attributeOf, elements, rawText, texts, withoutEntities } from "./xml.ts"

export interface SheetRow {
  /** Its number in the sheet. */
  line: number
  /** Up to the last cell with something in it. */
  values: unknown[]
  problem?: string
  /** Where the formulas of its cells lead to. */
  links?: Map<number, string>
  /** Formulas without a result. */
  remarks?: SourceRow["remarks"]
}

/** The warning about a formula without a stored result. */
const UNSAVED = "has no result in the file: open it in Excel or LibreOffice and save it. Left out"
const FORMULA_SHOWN = 200

const ROWS_MAX = 1_048_576
const COLUMNS_MAX = 16_384
/** XML around a row's texts: tags take most of it. */
const XML_MAX = 16 * ROW_MAX
/** XML before the first row: columns and panes. */
const HEAD_MAX = 4 * ROW_MAX
/** Characters of a tag's name with its prefix. */
const TAG_MAX = 128
/** Rows that are handed over at a time. */
const BATCH = 250

/** The rows, some at a time. Throws `bad_request` where it is no sheet. */
export async function* sheetRows(
  xml: AsyncGenerator<Uint8Array>,
  book: Workbook,
): AsyncGenerator<SheetRow[]> {
  let rest = ""
  let prefix: string | undefined
  let last = 0
  let seen = 0
  // The end of an open row, or of its tag: a search of the whole row with every piece takes quadratic time.
  let awaited: string | undefined
  let before = ""
  for await (const piece of rawText(xml)) {
    rest += piece
    const both = before + piece
    before = both.slice(-TAG_MAX)
    if (awaited !== undefined && !both.includes(awaited) && rest.length <= XML_MAX) continue
    prefix ??= /<(\w{1,100}:)?sheetData\b/.exec(both)?.[1] ?? (both.includes("<sheetData") ? "" : undefined)
    if (prefix === undefined) {
      if (rest.length > HEAD_MAX) throw badRequest("the sheet has no rows where they belong")
      continue
    }
    const whole = wholeRows(rest, prefix, last, book)
    const { rows, end } = whole
    awaited = whole.awaited
    rest = rest.slice(end)
    last = rows.at(-1)?.line ?? last
    // Whatever numbers they say they have.
    seen += rows.length
    if (last > ROWS_MAX || seen > ROWS_MAX)
      throw badRequest(`the sheet has more than ${grouped(ROWS_MAX)} rows`)
    if (rest.length > XML_MAX) throw badRequest(`the row after row ${last} of the sheet ${ROW_TOO_LONG}`)
    for (let at = 0; at < rows.length; at += BATCH) yield rows.slice(at, at + BATCH)
  }
}

interface WholeRows {
  rows: SheetRow[]
  /** Where the rest begins. */
  end: number
  /** The text without which the rest is no row. */
  awaited?: string
}

function wholeRows(xml: string, prefix: string, before: number, book: Workbook): WholeRows {
  const [open, close] = [`<${prefix}row`, `</${prefix}row>`]
  const rows: SheetRow[] = []
  let line = before
  let end = 0
  for (;;) {
    const start = xml.indexOf(open, end)
    if (start < 0) return { rows, end: Math.max(end, xml.length - open.length) }
    const tagEnd = xml.indexOf(">", start)
    if (tagEnd < 0) return { rows, end: start, awaited: ">" }
    if (!/[\s/>]/.test(xml[start + open.length]!)) {
      end = tagEnd
      continue
    }
    const isEmpty = xml[tagEnd - 1] === "/"
    const closed = isEmpty ? tagEnd : xml.indexOf(close, tagEnd)
    if (closed < 0) return { rows, end: start, awaited: close }
    const said = Number(attributeOf(xml.slice(start + open.length, tagEnd), "r") ?? Number.NaN)
    line = Number.isInteger(said) && said > 0 ? said : line + 1
    rows.push(isEmpty ? { line, values: [] } : rowOf(line, xml.slice(tagEnd + 1, closed), book))
    end = isEmpty ? tagEnd + 1 : closed + close.length
  }
}

function rowOf(line: number, xml: string, book: Workbook): SheetRow {
  const values: unknown[] = []
  let column = 0
  let length = 0
  let links: Map<number, string> | undefined
  let remarks: { at: number; value: string; problem: string }[] | undefined
  for (const { attributes, inner } of elements(xml, "c")) {
    const at = columnOf(attributes) ?? column
    if (at >= COLUMNS_MAX) throw badRequest(`row ${line} of the sheet has a cell beyond the last column`)
    column = at + 1
    let value = cellValue(attributes, inner, book)
    if (mayHaveFormula(inner)) {
      const link = linkFormula(inner)
      if (link) {
        links ??= new Map()
        links.set(at, link.target)
        value ??= link.text
      } else if (value === null && !/(?:^|\s)t=["']str/.test(attributes)) {
        const formula = withoutEntities(elements(inner, "f").next().value?.inner ?? "")
        remarks ??= []
        remarks.push({ at, value: `=${formula.slice(0, FORMULA_SHOWN)}`, problem: UNSAVED })
      }
    }
    if (value === null || value === "") continue
    if (typeof value === "string") length += value.length
    while (values.length < at) values.push(null)
    values[at] = value
  }
  if (length > ROW_MAX) return { line, values: [], problem: ROW_TOO_LONG }
  if (!links && !remarks) return { line, values }
  return { line, values, ...(links && { links }), ...(remarks && { remarks }) }
}

/** A formula stands before its value: most cells begin with the value, `<v>` or `<is>`. */
function mayHaveFormula(inner: string): boolean {
  const letter = inner[1]
  return letter !== "v" && letter !== "i" && (inner.includes("<f") || inner.includes(":f"))
}

/** The number of the column in a cell's reference: `AB12` is 27. */
function columnOf(attributes: string): number | undefined {
  const letters = /(?:^|\s)r=["']([A-Z]{1,3})\d/.exec(attributes)?.[1]
  if (letters === undefined) return undefined
  return columnNumber(letters)
}

function cellValue(attributes: string, inner: string, book: Workbook): string | number | boolean | null {
  const type = /(?:^|\s)t=["'](\w+)/.exec(attributes)?.[1] ?? "n"
  if (type === "inlineStr") return texts(inner)
  const raw = elements(inner, "v").next().value?.inner
  if (raw === undefined || raw === "") return null
  const text = withoutEntities(raw)
  if (type === "s") return book.shared.at(Number(text)) ?? null
  if (type === "b") return text.trim() === "1" || text.trim() === "true"
  if (type !== "n") return type === "str" ? texts(`<t>${raw}</t>`) : text
  const number = text.trim() === "" ? Number.NaN : Number(text)
  if (Number.isNaN(number)) return text.trim() || null
  const style = Number(/(?:^|\s)s=["'](\d+)/.exec(attributes)?.[1] ?? -1)
  const format = style < 0 ? "number" : book.formatOf(style)
  if (format === "number") return number
  return format === "date" ? dateText(number, book.is1904) : format(number)
}

/** A day number as an ISO date, with the time, in no zone, when it has one. Days before March 1900 are left: Excel counts a day too many. */
function dateText(days: number, is1904: boolean): string | number {
  const sinceEpoch = days - (is1904 ? 24_107 : 25_569)
  if (days < 61 || days > 2_958_466) return days
  const iso = new Date(Math.round(sinceEpoch * 86_400) * 1000).toISOString()
  return iso.endsWith("T00:00:00.000Z") ? iso.slice(0, 10) : iso.slice(0, 19)
}
