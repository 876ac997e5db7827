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
export function hasStrayQuote({ text, cells, hasProblem, width, delimiter }: Swallowed): boolean {
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
export function withoutStrayQuote(line: string, delimiter: string): { cells: string[]; stray: number } {
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
