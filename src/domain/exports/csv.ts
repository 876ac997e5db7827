import { cellOfText } from "../../formats/csv/formula.ts"
import type { LeadReads, PlainLines, StoredLead } from "../../store/contract/store.ts"
import { UTC } from "../../text/time-zone.ts"
import type { ExportCell } from "./presets.ts"
import { type DateForm, type Shape, timeWriter, withDates, withNames } from "./shape.ts"
import { type ExportSource, shapeOf, slices } from "./source.ts"

const NEEDS_QUOTES = /[",\n\r]/
// Texts that may be a formula (formula.ts) or need quotes.
const SPECIAL = /^[=+\-@'\t＝＋－＠]|[",\n\r]/
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
 * The lines of some rows, as csv-stringify writes them (a test holds that): it takes several times as long, most of it for
 * cells without quotes.
 */
export function csvLines(rows: readonly (readonly ExportCell[])[]): string[] {
  // `join` prints null as an empty text.
  return rows.map((row) => `${row.map(csvCell).join(",")}\n`)
}

function csvCell(cell: ExportCell): ExportCell {
  if (typeof cell !== "string" || !SPECIAL.test(cell)) return cell
  const text = cellOfText(cell)
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
