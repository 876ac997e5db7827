import { stringify } from "csv-stringify/sync"
import { cellOfText } from "../../formats/csv/formula.ts"
import type { LeadReads, PlainLines, StoredLead } from "../../store/contract/store.ts"
import { UTC } from "../../text/time-zone.ts"
import type { ExportCell } from "./presets.ts"
import { type DateForm, type Shape, timeWriter, withDates, withNames } from "./shape.ts"
import { type ExportSource, shapeOf, slices } from "./source.ts"

// No lead holds a NUL (inputs reject it), so it can separate texts that are quoted together.
const NUL = "\0"
const NEEDS_QUOTES = /[",\n\r\0]/
// Texts that may be a formula (formula.ts) or need quotes.
const SPECIAL = /^[=+\-@'\t＝＋－＠]|[",\n\r\0]/
/** See `slices`: most lines are copied, but some are as slow as parsing. */
const SPEED = 3
const NONE_PLAIN: PlainLines = { room: () => 0, write: () => -1 }

/**
 * CSV in UTF-8 without a byte order mark (readers that do not know it would take it for a part of the first header),
 * with a header row and LF line ends, csv-stringify's default: every spreadsheet program reads them, and line tools
 * (`cut`, `awk`) would keep the CR of CRLF in the last column.
 */
export async function* csvChunks(source: ExportSource): AsyncGenerator<Uint8Array> {
  const shape = shapeOf(source)
  const linesOf = leadLines(shape, source.plainLines, source.dates, source.zone, source.names)
  yield Buffer.from((source.bom ? "\ufeff" : "") + csvLines([shape.headers]).join(""))
  for await (const slice of slices(source, shape.headers.length, SPEED)) yield linesOf(slice)
}

/**
 * Returns the function that converts leads to lines: plain leads one by one, copied by the engine if it can, the
 * others together.
 */
export function leadLines(
  { cells, times, named, plain }: Shape,
  plainLines: LeadReads["plainLines"] = () => NONE_PLAIN,
  dates: DateForm = "unix",
  zone = UTC,
  names: ReadonlyMap<string, string> = new Map(),
): (leads: readonly StoredLead[]) => Uint8Array {
  const write = timeWriter(dates, zone)
  const texts = new Map([...names].map(([id, name]) => [id, csvLines([[name]])[0]!.slice(0, -1)]))
  const copied = plain ? plainLines(plain.fields, plain.attributes, write, texts) : NONE_PLAIN
  const behind = Buffer.from(`${",".repeat(plain?.behind ?? 0)}\n`)
  let out = Buffer.alloc(0)
  return (leads) => {
    const room = leads.reduce((sum, lead) => sum + copied.room(lead) + behind.length, 0)
    if (out.length < room) out = Buffer.allocUnsafeSlow(room)
    const stretches: Uint8Array[] = []
    const others: ExportCell[][] = []
    let start = 0
    let at = 0
    for (const lead of leads) {
      const end = copied.write(lead, out, at)
      if (end < 0) {
        const ofLead = withNames(cells(lead), named, names)
        others.push(write ? withDates(ofLead, times, write) : ofLead)
        stretches.push(out.subarray(start, at))
        start = at
      } else at = end - 1 + behind.copy(out, end - 1)
    }
    const lines = csvLines(others).map((line) => Buffer.from(line))
    return Buffer.concat([...stretches.flatMap((bytes, i) => [bytes, lines[i]!]), out.subarray(start, at)])
  }
}

/**
 * The lines of some rows. csv-stringify spends most of its time on cells without quotes, so it gets only those that
 * need them, all as one record: the same bytes (a test holds that) in half the time.
 */
export function csvLines(rows: readonly (readonly ExportCell[])[]): string[] {
  const toQuote: string[] = []
  const places: [row: ExportCell[], column: number][] = []
  const lines = rows.map((row) => row.slice())
  for (const line of lines) {
    for (let column = 0; column < line.length; column++) {
      const cell = line[column]
      if (typeof cell !== "string" || !SPECIAL.test(cell)) continue
      const text = cellOfText(cell)
      line[column] = text
      if (!NEEDS_QUOTES.test(text)) continue
      toQuote.push(text.replaceAll(NUL, ""))
      places.push([line, column])
    }
  }
  if (toQuote.length > 0) {
    const quoted = stringify([toQuote], { delimiter: NUL, quoted: true, eof: false }).split(NUL)
    for (const [i, [line, column]] of places.entries()) line[column] = quoted[i]!
  }
  // `join` prints null as an empty text.
  return lines.map((line) => `${line.join(",")}\n`)
}
