import { columnWidths, type ExportCell, headerTexts, leadCells } from "./columns.ts"
import { TIME_COLUMNS } from "./shape.ts"
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
  return {
    count,
    headers,
    widths: shape?.widths ?? columnWidths(attributeNames, lists),
    rows: leadRows(source, headers.length),
    dates: (source.dates ?? "unix") === "unix" ? new Set() : (shape?.times ?? TIME_COLUMNS),
  }
}

async function* leadRows(source: ExportSource, columns: number): AsyncGenerator<ExportCell[][]> {
  const cellsOf = source.shape?.cells ?? leadCells(source.attributeNames, source.lists ?? [])
  for await (const slice of slices(source, columns)) yield slice.map(cellsOf)
}
