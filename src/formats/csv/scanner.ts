// CSV records out of a text that comes in pieces (RFC 4180, read generously). csv-parse takes more than twice as long and
// cannot leave out one row that is too long; a test holds the two against each other.
import { badRequest } from "../../runtime/errors.ts"
import { ROW_MAX, ROW_TOO_LONG } from "../rows.ts"

// A quote that is opened and never closed swallows the rows after it, up to the next quote or the end of the file. The lines
// within tell: they have as many cells as the rows before.

/** Lines that are compared. */
const LINES = 50
/** The share of them that must have the columns of the rows before. */
const SHARE = 0.8
/** Line ends within a row that is well formed otherwise. */
const CLEAN_ENDS = 3
const CLEAN_WIDTH = 3

/** A row whose quotes do not close within its line. */
interface Swallowed {
  /** Its lines, or what has come of them. */
  text: string
  /** Whether its quotes are closed at its end; undefined for a row that has not ended. */
  cells: number | undefined
  hasProblem: boolean
  /** The cells of the row before. */
  width: number
  delimiter: string
}

/** Whether a row holds rows of its own, so that a quote in its first line is one too many. */
function hasStrayQuote({ text, cells, hasProblem, width, delimiter }: Swallowed): boolean {
  if (width < 2) return false
  const lines = text.replace(/\r?\n$/, "").split("\n", LINES)
  const isClean = cells === width && !hasProblem
  if (cells !== undefined) {
    if (lines.length < (isClean ? CLEAN_ENDS + 1 : 2) || (isClean && width < CLEAN_WIDTH)) return false
  }
  const fits = (line: string) => line.replaceAll(/"[^"]*"/g, "").split(delimiter).length === width
  if (!fits(lines[0]!)) return false
  return lines.filter(fits).length >= lines.length * (isClean ? 1 : SHARE)
}

/** The cells of a line, read without the quote that is never closed, and which cell that is. */
function withoutStrayQuote(line: string, delimiter: string): { cells: string[]; stray: number } {
  const cells: string[] = []
  let stray = 0
  for (let at = 0; at <= line.length; ) {
    const closed = line[at] === '"' ? closingQuote(line, at, delimiter) : -1
    if (closed > 0) {
      cells.push(line.slice(at + 1, closed).replaceAll('""', '"'))
      at = closed + 2
      continue
    }
    if (line[at] === '"') {
      stray = cells.length + 1
      at++
    }
    const end = line.indexOf(delimiter, at)
    cells.push(line.slice(at, end < 0 ? line.length : end))
    at = end < 0 ? line.length + 1 : end + 1
  }
  return { cells, stray }
}

/** Where a cell's closing quote is, at the end of the line or before a delimiter; -1 without one. */
function closingQuote(line: string, from: number, delimiter: string): number {
  for (let at = from + 1; at < line.length; at++) {
    if (line[at] !== '"') continue
    if (line[at + 1] !== '"') return at + 1 === line.length || line[at + 1] === delimiter ? at : -1
    at++
  }
  return -1
}

export interface CsvRecord {
  /** The line it begins in. */
  line: number
  cells: string[]
  problem?: string
}

interface CsvScanner {
  /** The records that are whole by now; blank lines are none. Throws `bad_request` for a quote that stays open. */
  push(text: string, isLast: boolean): CsvRecord[]
}

/** A quoted cell as far as it was read, and the place from which it was not. */
interface OpenCell {
  cell: string
  from: number
}
interface BegunRow {
  cells: string[]
  problem: string | undefined
  at: number
  open: OpenCell | undefined
}

/** Rows read without a quote that is never closed: to find each may take the search of a whole row. */
const STRAYS_MAX = 200
const LF = 10
const CR = 13
const QUOTE = 34

export function csvScanner(delimiter: string): CsvScanner {
  let rest = ""
  let line = 1
  /** Cells of a row whose last cell is incomplete, by places behind its start: they are not read again. */
  let begun: BegunRow | undefined
  /** While a row that is too long goes by: whether within quotes. */
  let passing: { isQuoted: boolean } | undefined

  /** Cells of the row before, and how many rows were read without a quote that is never closed. */
  let width = 0
  let strays = 0

  function push(text: string, isLast: boolean): CsvRecord[] {
    // A row that goes on: searched again with every piece, a long one takes quadratic time.
    if (rest !== "" && !isLast && !text.includes("\n") && rest.length + text.length <= ROW_MAX) {
      rest += text
      return []
    }
    const buffer = rest === "" ? text : rest + text
    const records: CsvRecord[] = []
    let at = passing ? pass(buffer, 0) : 0
    while (at < buffer.length) {
      const end = plainEnd(buffer, at, isLast)
      if (end !== undefined) {
        begun = undefined
        if (end > at) {
          const cells = plainCells(buffer, at, end)
          width = cells.length
          records.push({ line, cells })
        }
        at = end + (buffer.charCodeAt(end) === CR ? 2 : 1)
        line++
        continue
      }
      const record = quotedRecord(buffer, at, isLast)
      const isOver = record !== undefined || isLast || buffer.length - at > ROW_MAX
      const stray = isOver ? strayLine(buffer, at, isLast, record) : undefined
      if (stray) {
        begun = undefined
        records.push({ line, cells: stray.cells, problem: stray.problem })
        line++
        at = stray.end
      } else if (record) {
        const { cells, problem } = record
        width = cells.length
        records.push(problem === undefined ? { line, cells } : { line, cells, problem })
        line += newlines(buffer, at, record.end)
        at = record.end
      } else if (buffer.length - at > ROW_MAX) {
        records.push({ line, cells: [], problem: ROW_TOO_LONG })
        begun = undefined
        passing = { isQuoted: false }
        at = pass(buffer, at)
      } else break
    }
    rest = buffer.slice(at)
    if (isLast && (passing?.isQuoted || rest !== "")) {
      throw badRequest(`a quote that is opened in the row of line ${line} is never closed`)
    }
    return records.map((record) =>
      lengthOf(record) > ROW_MAX ? { ...record, cells: [], problem: ROW_TOO_LONG } : record,
    )
  }

  /** Where the line at `at` ends when it has no quotes in it; undefined when it has, or is not whole yet. */
  function plainEnd(buffer: string, at: number, isLast: boolean): number | undefined {
    let end = buffer.indexOf("\n", at)
    if (end < 0) {
      if (!isLast) return undefined
      end = buffer.length
    }
    const quote = nextQuote(buffer, at)
    if (quote >= 0 && quote < end) return undefined
    return end > at && buffer.charCodeAt(end - 1) === CR ? end - 1 : end
  }

  /** The first line of a row that holds others, read without its quote. */
  function strayLine(
    buffer: string,
    at: number,
    isLast: boolean,
    record: { cells: string[]; problem?: string | undefined; end: number } | undefined,
  ) {
    const lineEnd = buffer.indexOf("\n", at)
    if (strays >= STRAYS_MAX || (!record && !begun?.open)) return undefined
    if (record ? lineEnd < 0 || lineEnd + 1 >= record.end : lineEnd < 0 && !isLast) return undefined
    const text = buffer.slice(at, record?.end ?? buffer.length)
    const hasProblem = record?.problem !== undefined
    if (!hasStrayQuote({ text, cells: record?.cells.length, hasProblem, width, delimiter })) return undefined
    strays++
    const end = lineEnd < 0 ? buffer.length : lineEnd
    const { cells, stray } = withoutStrayQuote(buffer.slice(at, end).replace(/\r$/, ""), delimiter)
    return {
      cells,
      end: end + 1,
      problem: `has a quote in cell ${stray} that is never closed: read without it`,
    }
  }

  let quoteOf = ""
  let quoteAt = -1
  let quoteFrom = 0
  /** Looked for once and kept, since most lines have none. */
  function nextQuote(buffer: string, at: number): number {
    if (quoteOf !== buffer || at < quoteFrom || (quoteAt >= 0 && quoteAt < at)) {
      quoteOf = buffer
      quoteFrom = at
      quoteAt = buffer.indexOf('"', at)
    }
    return quoteAt
  }

  function plainCells(buffer: string, at: number, end: number): string[] {
    return buffer.slice(at, end).split(delimiter)
  }

  function quotedRecord(buffer: string, start: number, isLast: boolean) {
    const cells = begun?.cells ?? []
    let problem = begun?.problem
    let open = begun?.open
    let at = start + (begun?.at ?? 0)
    for (;;) {
      begun = { cells, problem, at: at - start, open }
      let cell = ""
      if (buffer.charCodeAt(at) === QUOTE) {
        const quoted = quotedCell(buffer, isLast, open ?? { cell: "", from: at + 1 - start }, start)
        if (quoted.end === undefined) {
          begun.open = { cell: quoted.cell, from: quoted.from - start }
          return undefined
        }
        open = undefined
        cell = quoted.cell
        at = quoted.end
      }
      const end = cellEnd(buffer, at)
      if (end === buffer.length && !isLast) return undefined
      const isRowEnd = buffer.charCodeAt(end) !== delimiter.charCodeAt(0)
      const after = buffer.slice(
        at,
        isRowEnd && buffer.charCodeAt(end - 1) === CR ? Math.max(at, end - 1) : end,
      )
      if (at > 0 && buffer.charCodeAt(at - 1) === QUOTE && after.trim() !== "") {
        problem ??= `has text after a closing quote in cell ${cells.length + 1}: a quote within quotes is written twice`
        cell += after
      }
      cells.push(cell === "" ? after : cell)
      at = end + 1
      if (!isRowEnd) continue
      begun = undefined
      return { cells, problem, end: Math.min(at, buffer.length) }
    }
  }

  /** Reads on in a quoted cell; without an `end` it is not whole, and goes on at `from`. */
  function quotedCell(buffer: string, isLast: boolean, open: OpenCell, start: number) {
    let { cell } = open
    let from = open.from + start
    for (;;) {
      const quote = buffer.indexOf('"', from)
      if (quote < 0 || (quote + 1 === buffer.length && !isLast)) {
        const end = quote < 0 ? buffer.length : quote
        return { cell: cell + buffer.slice(from, end), from: end, end: undefined }
      }
      cell += buffer.slice(from, quote)
      if (buffer.charCodeAt(quote + 1) !== QUOTE) return { cell, from, end: quote + 1 }
      cell += '"'
      from = quote + 2
    }
  }

  function cellEnd(buffer: string, at: number): number {
    const stop = delimiter.charCodeAt(0)
    for (let i = at; i < buffer.length; i++) {
      const unit = buffer.charCodeAt(i)
      if (unit === stop || unit === LF) return i
    }
    return buffer.length
  }

  /** Passes over the rest of a row that is too long. Returns where the next one begins. */
  function pass(buffer: string, from: number): number {
    for (let at = from; at < buffer.length; at++) {
      const unit = buffer.charCodeAt(at)
      if (unit === QUOTE) passing!.isQuoted = !passing!.isQuoted
      if (unit !== LF) continue
      line++
      if (passing!.isQuoted) continue
      passing = undefined
      return at + 1
    }
    return buffer.length
  }

  return { push }
}

function newlines(buffer: string, from: number, to: number): number {
  let count = 0
  for (let at = buffer.indexOf("\n", from); at >= 0 && at < to; at = buffer.indexOf("\n", at + 1)) count++
  return count
}

function lengthOf({ cells }: CsvRecord): number {
  let length = 0
  for (const cell of cells) length += cell.length
  return length
}
