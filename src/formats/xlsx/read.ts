// Rows out of a workbook. hucre's streaming reader reads ahead of whoever takes its rows: 100,000 leads took 770 MB.
import { badRequest } from "../../core/errors.ts"
import { columnNames, type HeaderHints, headerAt } from "../header.ts"
import { ragged, type SourceRow, type Table } from "../rows.ts"
import type { ZipFile } from "../zip/read.ts"
import { linkedValue } from "./links.ts"
import { behindRows, columnLetters, linkedCells, mergedRows, withMerged } from "./merged.ts"
import { type SheetRow, sheetRows } from "./sheet.ts"
import { openWorkbook, type Sheet, sheetNamed, targetsOf, type Workbook } from "./workbook.ts"

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
  const behind = await behindRows(zip.read(sheet.path))
  const rows = withMerged(sheetRows(zip.read(sheet.path), workbook), mergedRows(behind))
  const first = await take(rows)
  const at = headerAt(first.map(candidate), hints)
  const header = first[at]
  if (!header) throw badRequest("the sheet is empty: its first row must name the columns")
  const names = columnNames(header.values)
  return {
    typing: "some",
    names,
    sheet: { name: sheet.name, all: workbook.sheets.map(({ name }) => name) },
    rows: rowsOf(linker(names, await linksOf(zip, sheet, behind), hints), first.slice(at + 1), rows),
  }
}

/** The targets of links by the references of their cells. */
async function linksOf(zip: ZipFile, sheet: Sheet, behind: string): Promise<ReadonlyMap<string, string>> {
  const ids = linkedCells(behind)
  if (ids.size === 0) return ids
  const targets = await targetsOf(zip, sheet)
  return new Map([...ids].flatMap(([cell, id]) => (targets.has(id) ? [[cell, targets.get(id)!]] : [])))
}

type ToRow = (row: SheetRow) => SourceRow | []

/** Makes rows; cells of columns for emails and addresses have the targets of their links where their text is none. */
function linker(names: readonly string[], links: ReadonlyMap<string, string>, hints?: HeaderHints): ToRow {
  const linked = names.flatMap((name, at) => {
    const kind = hints?.linked?.(name)
    return kind ? [{ at, kind, letters: columnLetters(at) }] : []
  })
  return (row) => {
    if (links.size > 0 || row.links)
      for (const { at, kind, letters } of linked) {
        const target = row.links?.get(at) ?? links.get(letters + row.line)
        if (target !== undefined && at < row.values.length)
          row.values[at] = linkedValue(row.values[at], target, kind)
      }
    return rowOf(names, row)
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
  toRow: ToRow,
  first: SheetRow[],
  rows: AsyncGenerator<SheetRow[]>,
): AsyncGenerator<SourceRow[]> {
  yield first.flatMap(toRow)
  for await (const some of rows) yield some.flatMap(toRow)
}

function rowOf(names: readonly string[], { line, values, problem, remarks }: SheetRow): SourceRow | [] {
  if (problem) return { line, names, values, problem }
  if (values.length === 0 && !remarks) return []
  const row: SourceRow = { line, names, values, ...(remarks && { remarks }) }
  return values.length <= names.length ? row : { ...row, note: ragged(values.length, names.length) }
}
