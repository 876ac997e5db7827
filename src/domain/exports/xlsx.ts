import { columnLetters } from "../../formats/xlsx/behind.ts"
import {
  BOLD,
  DATE,
  DATE_FORMAT,
  isPlain,
  SHEET_END,
  SHEET_PATH,
  sheetStart,
  sheetText,
  workbookParts,
} from "../../formats/xlsx/parts.ts"
import { type ZipPart, zip } from "../../formats/zip/write-zip.ts"
import { badRequest } from "../../runtime/errors.ts"
import { grouped } from "../../text/text.ts"
import { offsetsOf, UTC } from "../../text/time-zone.ts"
import type { ExportCell } from "./presets.ts"
import { type Shape, withDates, withNames } from "./shape.ts"
import { type ExportSource, shapeOf, slices } from "./source.ts"

const SHEET_NAME = "Leads"

/** A sheet: a bold, frozen header row above rows of cells. */
export interface LeadSheet {
  /** Rows below the header. */
  count: number
  headers: string[]
  /** Column widths in characters. */
  widths: number[]
  /** The rows in chunks. Texts here and in headers are the leads' own; `sheetText` escapes them. */
  rows: AsyncIterable<ExportCell[][]>
  /** Indexes of columns with times, which are shown as dates. */
  dates: ReadonlySet<number>
}

/** The sheet of an export. */
export function leadSheet(source: ExportSource, shape = shapeOf(source)): LeadSheet {
  const { headers, widths, times } = shape
  const dates = (source.dates ?? "unix") === "unix" ? NO_DATES : times
  return { count: source.count, headers, widths, rows: leadRows(source, shape, dates), dates }
}

async function* leadRows(
  source: ExportSource,
  { headers, cells, named }: Shape,
  dates: ReadonlySet<number>,
): AsyncGenerator<ExportCell[][]> {
  const { names = new Map(), zone = UTC } = source
  const offsetAt = offsetsOf(zone)
  const local = (seconds: number) => seconds + offsetAt(seconds)
  for await (const slice of slices(source, headers.length))
    yield slice.map((lead) => withDates(withNames(cells(lead), named, names), dates, local))
}

// Streaming libraries do not fit: hucre 1.0 takes 1.6 times the CPU, cannot make only the header bold and must know
// of ZIP64 beforehand; exceljs, excelts and xlsx-write-stream write a third of the rows a second or less.
const SHEET_ROWS = 1_048_576
const BLOCK_BYTES = 262_144
// UTF-8 bytes of a UTF-16 unit at most.
const UTF8_MAX = 3
// Below this number of cells the XML stays under 4 GiB: cells would have to take 400 bytes each, those of leads take
// about 60.
const SURELY_SMALL_CELLS = 10_000_000

/** The sheet as an XLSX file, written as its rows arrive: a few hundred rows are in memory at a time. */
export function streamedWorkbook(sheet: LeadSheet): AsyncGenerator<Uint8Array> {
  const parts: ZipPart[] = Object.entries(workbookParts(SHEET_NAME)).map(([path, xml]) => ({
    path,
    chunks: [Buffer.from(xml)],
  }))
  const maybeHuge = sheet.count * sheet.headers.length > SURELY_SMALL_CELLS
  return zip([...parts, { path: SHEET_PATH, chunks: sheetXml(sheet), maybeHuge }])
}

async function* sheetXml({ headers, widths, rows, dates }: LeadSheet): AsyncGenerator<Uint8Array> {
  const letters = headers.map((_, column) => columnLetters(column))
  yield Buffer.from(sheetStart(widths) + rowXml(headers, 1, letters, ` s="${BOLD}"`))
  yield* utf8Blocks(rowsXml(rows, letters, dates))
  yield Buffer.from(SHEET_END)
}

async function* rowsXml(
  rows: AsyncIterable<ExportCell[][]>,
  letters: string[],
  dates: ReadonlySet<number>,
): AsyncGenerator<Iterable<string>> {
  let number = 1
  for await (const slice of rows) {
    const first = number + 1
    number += slice.length
    if (number > SHEET_ROWS) throw new Error("More leads came than an XLSX sheet has rows")
    yield slice.values().map((cells, index) => rowXml(cells, first + index, letters, "", dates))
  }
}

/** Encodes texts as UTF-8 in blocks of at most 256 KiB (or one longer text). */
async function* utf8Blocks(slices: AsyncIterable<Iterable<string>>): AsyncGenerator<Uint8Array> {
  let block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
  let used = 0
  for await (const slice of slices) {
    for (const text of slice) {
      const room = text.length * UTF8_MAX
      if (used + room > block.length) {
        yield block.subarray(0, used)
        block = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, room))
        used = 0
      }
      used += block.write(text, used)
    }
  }
  yield block.subarray(0, used)
}

const NO_DATES: ReadonlySet<number> = new Set()

function rowXml(
  cells: ExportCell[],
  number: number,
  letters: string[],
  style: string,
  dates = NO_DATES,
): string {
  let xml = `<row r="${number}">`
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]!
    if (typeof cell === "number" && dates.has(i))
      xml += `<c r="${letters[i]}${number}" s="${DATE}"><v>${cell / 86_400 + 25_569}</v></c>`
    else if (cell !== null) xml += cellXml(cell, `<c r="${letters[i]}${number}"${style}`)
  }
  return `${xml}</row>`
}

function cellXml(cell: string | number | boolean, start: string): string {
  if (typeof cell === "number") return `${start}><v>${cell}</v></c>`
  if (typeof cell === "boolean") return `${start} t="b"><v>${cell ? 1 : 0}</v></c>`
  if (isPlain(cell)) return `${start} t="inlineStr"><is><t>${cell}</t></is></c>`
  const text = sheetText(cell).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
  return text === "" ? "" : `${start} t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`
}

/** Leads in one sheet: Excel's 1,048,576 rows without the header. */
export const XLSX_MAX_ROWS = 1_048_575
/** Columns in one sheet, Excel's limit. */
export const XLSX_MAX_COLUMNS = 16_384
/**
 * Leads up to which write-excel-file builds the file; above, our own writer with constant memory. The library blocks
 * the thread for 0.1 s at 1,000 leads, for 1 s at 10,000, and takes 160 MB.
 */
export const XLSX_WHOLE_MAX_ROWS = 1_000

/** An XLSX file with one sheet. @throws AppError `bad_request` when the leads don't fit into a sheet. */
export function xlsxChunks(source: ExportSource): AsyncGenerator<Uint8Array> {
  const shape = shapeOf(source)
  checkFits(source.count, shape.headers.length)
  const sheet = leadSheet(source, shape)
  return source.count > XLSX_WHOLE_MAX_ROWS ? streamedWorkbook(sheet) : wholeWorkbook(sheet)
}

function checkFits(count: number, columns: number): void {
  if (count > XLSX_MAX_ROWS) throw tooLarge(`${grouped(XLSX_MAX_ROWS)} leads`, grouped(count))
  if (columns > XLSX_MAX_COLUMNS) throw tooLarge(`${grouped(XLSX_MAX_COLUMNS)} columns`, grouped(columns))
}

function tooLarge(limit: string, amount: string) {
  return badRequest(
    `An XLSX sheet holds at most ${limit} and this export has ${amount}: filter it, or use csv or json`,
  )
}

/** The sheet as an XLSX file by write-excel-file, which builds it in memory: for small exports. */
export async function* wholeWorkbook(sheet: LeadSheet): AsyncGenerator<Uint8Array> {
  const rows: (ExportCell | { value: Date; type: DateConstructor; format: string })[][] = []
  for await (const slice of sheet.rows)
    for (const cells of slice) rows.push(cells.map((cell, i) => wholeCell(cell, sheet.dates.has(i))))
  // Loaded on first use: it would take a tenth of the start.
  const { default: writeExcelFile } = await import("write-excel-file/universal")
  const header = sheet.headers.map((text) => ({ value: wholeText(text), fontWeight: "bold" as const }))
  const file = writeExcelFile([header, ...rows], {
    sheet: SHEET_NAME,
    stickyRowsCount: 1,
    columns: sheet.widths.map((width) => ({ width })),
  })
  yield (await file.toBlob()).bytes()
}

function wholeCell(cell: ExportCell, isDate: boolean) {
  if (isDate && typeof cell === "number")
    return { value: new Date(cell * 1000), type: Date, format: DATE_FORMAT }
  return typeof cell === "string" ? wholeText(cell) : cell
}

// write-excel-file 4.1 looks texts up in a plain object, where "constructor" finds a function and breaks the file.
// The control character makes it another key; it is dropped when the text is written.
function wholeText(raw: string): string {
  const text = sheetText(raw)
  return text in Object.prototype ? `\u0001${text}` : text
}
