import { sheetText } from "../../formats/xlsx/cell.ts"
import { DATE_FORMAT } from "../../formats/xlsx/parts.ts"
import type { ExportCell } from "./columns.ts"
import { type LeadSheet, SHEET_NAME } from "./xlsx-sheet.ts"

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
