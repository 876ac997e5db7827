// Rows out of a workbook. hucre's streaming reader reads ahead of whoever takes its rows: 100,000 leads took 770 MB.
import { badRequest } from "../../core/errors.ts"
import { columnNames, type HeaderHints, headerAt } from "../header.ts"
import { ragged, type SourceRow, type Table } from "../rows.ts"
import type { ZipFile } from "../zip/read.ts"
import { mergedRows, withMerged } from "./merged.ts"
import { type SheetRow, sheetRows } from "./sheet.ts"
import { openWorkbook, type Sheet, sheetNamed, type Workbook } from "./workbook.ts"

/** Rows that tell the header of a sheet, and which sheet has one. */
const FIRST = 60
/** Sheets that are looked into. */
const SHEETS_MAX = 50

interface XlsxHints extends HeaderHints {
  sheet?: string | undefined
}

/** A sheet with a header: the one that is named, else the first whose columns are called as those of leads. */
export async function readXlsx(zip: ZipFile, hints?: XlsxHints): Promise<Table> {
  const workbook = await openWorkbook(zip)
  const sheet =
    hints?.sheet === undefined ? await bestSheet(zip, workbook, hints) : sheetNamed(workbook, hints.sheet)
  const merged = await mergedRows(zip.read(sheet.path))
  const rows = withMerged(sheetRows(zip.read(sheet.path), workbook), merged)
  const first = await take(rows)
  const at = headerAt(first.map(candidate), hints)
  const header = first[at]
  if (!header) throw badRequest("the sheet is empty: its first row must name the columns")
  const names = columnNames(header.values)
  return {
    typing: "some",
    names,
    sheet: { name: sheet.name, all: workbook.sheets.map(({ name }) => name) },
    rows: rowsOf(names, first.slice(at + 1), rows),
  }
}

async function bestSheet(zip: ZipFile, workbook: Workbook, hints: XlsxHints | undefined): Promise<Sheet> {
  const { sheets } = workbook
  let best = { sheet: sheets[0]!, known: -1 }
  if (sheets.length === 1) return best.sheet
  for (const sheet of sheets.slice(0, SHEETS_MAX)) {
    const rows = sheetRows(zip.read(sheet.path), workbook)
    const first = await take(rows)
    await rows.return(undefined)
    const header = first[headerAt(first.map(candidate), hints)]
    // A header with nothing below it is a cover, or a form.
    if (!header || first.length < 2) continue
    const names = header.values.filter((name) => typeof name === "string" && name.trim() !== "") as string[]
    const known = hints ? names.filter((name) => hints.knows(name)).length : 0
    if (known > best.known) best = { sheet, known }
  }
  return best.sheet
}

const candidate = ({ values }: SheetRow) => ({ cells: values })

/** The first rows with something in them. */
async function take(rows: AsyncGenerator<SheetRow[]>): Promise<SheetRow[]> {
  const taken: SheetRow[] = []
  while (taken.length < FIRST) {
    const next = await rows.next()
    if (next.done) break
    taken.push(...next.value.filter(({ values, problem }) => values.length > 0 || problem !== undefined))
  }
  return taken
}

async function* rowsOf(
  names: readonly string[],
  first: SheetRow[],
  rows: AsyncGenerator<SheetRow[]>,
): AsyncGenerator<SourceRow[]> {
  yield first.flatMap((row) => rowOf(names, row))
  for await (const some of rows) yield some.flatMap((row) => rowOf(names, row))
}

function rowOf(names: readonly string[], { line, values, problem }: SheetRow): SourceRow | [] {
  if (problem) return { line, names, values, problem }
  if (values.length === 0) return []
  if (values.length <= names.length) return { line, names, values }
  return { line, names, values, note: ragged(values.length, names.length) }
}
