import { offsetsOf, UTC } from "../../text/time-zone.ts"
import { columnWidths, type ExportCell, headerTexts, leadCells, withNames } from "./columns.ts"
import { NAMED_COLUMNS, TIME_COLUMNS, withDates } from "./shape.ts"
import { slices } from "./slices.ts"
import type { ExportSource } from "./source.ts"

export const SHEET_NAME = "Leads"

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
export function leadSheet(source: ExportSource): LeadSheet {
  const { shape, attributeNames, lists = [], count } = source
  const headers = shape?.headers ?? headerTexts(attributeNames, lists, source.attributeTypes)
  const dates = (source.dates ?? "unix") === "unix" ? new Set<number>() : (shape?.times ?? TIME_COLUMNS)
  return {
    count,
    headers,
    widths: shape?.widths ?? columnWidths(attributeNames, lists),
    rows: leadRows(source, headers.length, dates),
    dates,
  }
}

async function* leadRows(
  source: ExportSource,
  columns: number,
  dates: ReadonlySet<number>,
): AsyncGenerator<ExportCell[][]> {
  const cellsOf = source.shape?.cells ?? leadCells(source.attributeNames, source.lists ?? [])
  const named = source.shape?.named ?? NAMED_COLUMNS
  const names = source.names ?? new Map<string, string>()
  const offsetAt = offsetsOf(source.zone ?? UTC)
  for await (const slice of slices(source, columns))
    yield slice.map((lead) =>
      withDates(withNames(cellsOf(lead), named, names), dates, (seconds) => seconds + offsetAt(seconds)),
    )
}
