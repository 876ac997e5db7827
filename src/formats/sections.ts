// Rows of a table that are none: its header once more, the title of a group above one (monday.com and reports write both),
// and notes under the table. They are told.
import { excerpt } from "../text/text.ts"
import { noticeRow, type SourceRow, type Table } from "./rows.ts"

/** Columns from which on a single cell is looked at. */
const WIDTH = 3
/** Rows with a single cell that wait for the row after them. */
const WAITING_MAX = 50
/** Words and signs that a note begins with. */
const MARK =
  /^(?:[*†©]|notes?:|note |hinweis|anmerkung|quellen?:|sources?:|nota[ :]|notas:|remarque|opmerking|disclaimer|legend)/
const NUMBERED = /^(?:\d\)|\(\d\)|\(c\) ?\d)/i

/** Whether a text is a note and no name: by its first word or sign, or as a sentence of four words that ends in no abbreviation. */
function isSentence(text: string): boolean {
  if (MARK.test(text.toLowerCase()) || NUMBERED.test(text)) return true
  const words = text.split(/\s+/)
  return words.length > 3 && /^.{4,}[.!?:]$/s.test(words.at(-1)!)
}

/** Single cells under a table that may be notes. */
const NOTES_MAX = 10

/** The table without them. A table of two columns, or one whose rows name their own, is left as it is. */
export function withoutSections(table: Table): Table {
  const { names } = table
  if (!names || table.typing === "all" || names.length < 2) return table
  return { ...table, rows: rowsOf(table, names) }
}

async function* rowsOf(
  { rows: source, typing }: Table,
  names: readonly string[],
): AsyncGenerator<SourceRow[]> {
  const waiting: SourceRow[] = []
  let before: SourceRow | undefined
  // Where leads have a name alone, one behind a free row is a lead, too.
  let hasNamesAlone = false
  let isInSubitems = false
  const released = () => {
    hasNamesAlone ||= waiting.length > 0
    return waiting.splice(0)
  }
  for await (const some of source) {
    if (waiting.length === 0 && !isInSubitems && !some.some(({ values }) => isSpecial(values, names))) {
      before = some.at(-1) ?? before
      yield some
      continue
    }
    const rows: SourceRow[] = []
    for (const row of some) {
      const { values } = row
      isInSubitems &&= isEmpty(values[0]) && !isEmpty(values[1])
      if (values.length === 0 || row.problem !== undefined) {
        rows.push(...released(), row)
      } else if (isInSubitems) {
        rows.push(...released(), noticeRow(row.line, `"${shown(row, 1)}" is a subitem, no lead`))
      } else if (namesSubitems(values, names)) {
        isInSubitems = true
        rows.push(...released(), noticeRow(row.line, "the names of subitems stand there: no lead"))
      } else if (repeats(values, names)) {
        const title = waiting.pop()
        rows.push(...released())
        if (title) rows.push(noticeRow(title.line, `"${shown(title)}" is the title of a group, no lead`))
        rows.push(noticeRow(row.line, "the names of the columns stand there once more: no lead"))
      } else if (names.length >= WIDTH && isAlone(values)) {
        if (waiting.length >= WAITING_MAX) rows.push(...released())
        waiting.push(row)
        continue
      } else {
        if (waiting.length > 0) rows.push(...released())
        rows.push(row)
      }
      before = row
    }
    yield rows
  }
  const isPlain = hasNamesAlone || waiting.length > NOTES_MAX
  if (waiting.length > 0)
    yield notesAmong(waiting, before, (row) => !isPlain && (typing === "none" ? heightOf(row) : 1))
}

const isSpecial = (values: readonly unknown[], names: readonly string[]) =>
  values.length === 0 || isAlone(values) || repeats(values, names) || namesSubitems(values, names)

/** Whether a row names the columns of the subitems of a board, below their item. */
function namesSubitems(values: readonly unknown[], names: readonly string[]): boolean {
  return values[0] === SUBITEMS && names.includes(SUBITEMS) && values[1] === "Name"
}
const SUBITEMS = "Subitems"

/** Whether a row says nothing but what the columns are called. */
function repeats(values: readonly unknown[], names: readonly string[]): boolean {
  let same = 0
  for (const [i, value] of values.entries()) {
    if (isEmpty(value)) continue
    if (typeof value !== "string" || value.trim().toLowerCase() !== names[i]?.toLowerCase()) return false
    same++
  }
  return same >= 2
}

/** Whether the first cell alone has something in it. */
function isAlone(values: readonly unknown[]): boolean {
  for (let i = values.length - 1; i > 0; i--) if (!isEmpty(values[i])) return false
  return typeof values[0] === "string"
}

const isEmpty = (value: unknown) =>
  value === null || value === undefined || (typeof value === "string" && value.trim() === "")

/**
 * Single cells under the table: notes where a line is left free above them, which `height` of a row tells unless it is
 * false, or where they are sentences.
 */
function notesAmong(
  waiting: readonly SourceRow[],
  before: SourceRow | undefined,
  height: (row: SourceRow) => number | false,
): SourceRow[] {
  let isBelow = false
  let last = before
  return waiting.map((row) => {
    const lines = last !== undefined && height(last)
    isBelow ||= last !== undefined && lines !== false && row.line > last.line + lines
    last = row
    const isNote = before !== undefined && (isBelow || isSentence(String(row.values[0]).trim()))
    return isNote ? noticeRow(row.line, `"${shown(row)}" below the table is no row: left out`) : row
  })
}

/** Lines of a row in a text, if its cells have several. */
function heightOf({ values }: SourceRow): number {
  return (
    1 +
    values.reduce<number>((sum, one) => sum + (typeof one === "string" ? one.split("\n").length - 1 : 0), 0)
  )
}

const shown = ({ values }: SourceRow, at = 0) => excerpt(String(values[at]).trim())
