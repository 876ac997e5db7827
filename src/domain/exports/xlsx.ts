import { badRequest } from "../../core/errors.ts"
import { grouped } from "../../core/text.ts"
import { STANDARD_COLUMNS } from "./columns.ts"
import type { ExportSource } from "./source.ts"
import { leadSheet } from "./xlsx-sheet.ts"
import { streamedWorkbook } from "./xlsx-streamed.ts"
import { wholeWorkbook } from "./xlsx-whole.ts"

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
  checkFits(source)
  const sheet = leadSheet(source)
  return source.count > XLSX_WHOLE_MAX_ROWS ? streamedWorkbook(sheet) : wholeWorkbook(sheet)
}

function checkFits({ count, attributeNames, lists = [], shape }: ExportSource): void {
  const columns = shape?.headers.length ?? STANDARD_COLUMNS.length + attributeNames.length + lists.length
  if (count > XLSX_MAX_ROWS) throw tooLarge(`${grouped(XLSX_MAX_ROWS)} leads`, grouped(count))
  if (columns > XLSX_MAX_COLUMNS) throw tooLarge(`${grouped(XLSX_MAX_COLUMNS)} columns`, grouped(columns))
}

function tooLarge(limit: string, found: string) {
  return badRequest(
    `An XLSX sheet holds at most ${limit} and this export has ${found}: filter it, or use csv or json`,
  )
}
