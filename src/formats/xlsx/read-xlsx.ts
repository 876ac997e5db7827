// Rows out of a workbook. hucre's streaming reader reads ahead of whoever takes its rows: 100,000 leads took 770 MB.
import { badRequest } from "../../runtime/errors.ts"
import { excerpt } from "../../text/text.ts"
import { type HeaderHints, headed } from "../header.ts"
import { noticeRow, ragged, type SourceRow, type Table } from "../rows.ts"
import type { ZipFile } from "../zip/read-zip.ts"
import { behindRows, columnLetters, linkedCells, linkedValue, mergedRows, withMerged } from "./behind.ts"
import { type SheetRow, sheetRows } from "./sheet.ts"
import { openWorkbook, type Sheet, sheetNamed, targetsOf, type Workbook } from "./workbook.ts"

/** Rows that tell the header of a sheet, and which sheet has one. */
const FIRST = 60
/** Sheets that are looked into. */
const SHEETS_MAX = 50
/** Sheets that a message names. */
const SHEETS_NAMED = 5

interface XlsxHints extends HeaderHints {
  sheet?: string | undefined
}

/** Names the sheets of a workbook together. */
const ALL = "all"

/**
 * A sheet with a header: the one that is named, else the first whose columns are called as those of leads. `all` reads
 * those with a header one after the other. Throws `bad_request` where there is none.
 */
export async function readXlsx(zip: ZipFile, hints?: XlsxHints): Promise<Table> {
  const workbook = await openWorkbook(zip)
  const all = workbook.sheets.map(({ name }) => name)
  const isAll = hints?.sheet?.toLowerCase() === ALL && !all.some((name) => name.toLowerCase() === ALL)
  if (hints?.sheet !== undefined && !isAll) {
    const { sheet, names, rows } = await openSheet(zip, workbook, sheetNamed(workbook, hints.sheet), hints)
    return { typing: "some", names, sheet: sheet.name, rows }
  }
  const withHeader = await headedSheets(zip, workbook, hints)
  if (isAll && withHeader.length > 1) return allOf(zip, workbook, withHeader, hints)
  const best = withHeader.reduce<Headed | undefined>(
    (best, one) => (best && best.known >= one.known ? best : one),
    undefined,
  )
  const { sheet, names, rows } = await openSheet(zip, workbook, best?.sheet ?? workbook.sheets[0]!, hints)
  const others = withHeader.filter((one) => one.sheet !== sheet && best && hasSameColumns(one, best))
  return {
    ...{ typing: "some", names, sheet: sheet.name },
    rows: others.length === 0 ? rows : withNotice(othersNotice(sheet, others), rows),
  }
}

function othersNotice({ name }: Sheet, others: readonly Headed[]): string {
  const shown = others.slice(0, SHEETS_NAMED).map(({ sheet }) => `"${excerpt(sheet.name)}"`)
  const more = others.length > shown.length ? ` and ${others.length - shown.length} more` : ""
  return `only the sheet "${excerpt(name)}" is imported; sheet=all (--sheet all) also imports those with the same columns: ${shown.join(", ")}${more}`
}

async function* withNotice(notice: string, rows: AsyncGenerator<SourceRow[]>): AsyncGenerator<SourceRow[]> {
  yield [noticeRow(1, notice)]
  yield* rows
}

/** The sheets one after the other, in the columns of all. */
async function allOf(
  zip: ZipFile,
  workbook: Workbook,
  sheets: readonly Headed[],
  hints: XlsxHints | undefined,
): Promise<Table> {
  const named = (one: readonly string[]) => one.map((name, i) => name || `(column ${i + 1})`)
  const names = [...new Set(sheets.flatMap((one) => named(one.names)))]
  async function* rows(): AsyncGenerator<SourceRow[]> {
    for (const { sheet } of sheets) {
      const opened = await openSheet(zip, workbook, sheet, hints)
      const places = named(opened.names).map((name) => names.indexOf(name))
      const inAll = ({ values, remarks, ...row }: SourceRow): SourceRow => {
        const all: unknown[] = names.map(() => null)
        for (const [i, value] of values.entries()) all[places[i] ?? names.length + i - places.length] = value
        const moved = remarks?.map((one) => ({ ...one, at: places[one.at] ?? names.length }))
        return { ...row, names, values: all, ...(moved && { remarks: moved }) }
      }
      for await (const some of opened.rows) yield some.map(inAll)
    }
  }
  const all = workbook.sheets.map(({ name }) => name)
  const left = all.filter((name) => !sheets.some(({ sheet }) => sheet.name === name))
  const notice = `without a table of leads, and left out: ${left.map((name) => `"${excerpt(name)}"`).join(", ")}`
  return {
    ...{ typing: "some", names, sheet: sheets.map(({ sheet }) => sheet.name).join(", ") },
    rows: left.length > 0 ? withNotice(notice, rows()) : rows(),
  }
}

async function openSheet(zip: ZipFile, workbook: Workbook, sheet: Sheet, hints: HeaderHints | undefined) {
  const behind = await behindRows(zip.read(sheet.path))
  const rows = withMerged(sheetRows(zip.read(sheet.path), workbook), mergedRows(behind))
  const first = await take(rows)
  const head = headed(first.map(candidate), hints)
  if (!head) throw badRequest("the sheet is empty: its first row must name the columns")
  const { names, from } = head
  const toRow = linker(names, await linksOf(zip, sheet, behind), hints)
  return { sheet, names, rows: rowsOf(toRow, first.slice(from), rows) }
}

/** A sheet with a header and rows below it. */
interface Headed {
  sheet: Sheet
  names: string[]
  /** How many of them are called as columns of leads. */
  known: number
}

/** The sheets with a header, where there are several; one alone is read whatever is in it. */
async function headedSheets(
  zip: ZipFile,
  workbook: Workbook,
  hints: XlsxHints | undefined,
): Promise<Headed[]> {
  const { sheets } = workbook
  if (sheets.length === 1) return []
  const all: Headed[] = []
  for (const sheet of sheets.slice(0, SHEETS_MAX)) {
    const rows = sheetRows(zip.read(sheet.path), workbook)
    const first = await take(rows)
    await rows.return(undefined)
    const head = headed(first.map(candidate), hints)
    // A header with nothing below it is a cover, or a form.
    if (!head || first.length < 2) continue
    const { names } = head
    all.push({ sheet, names, known: hints ? names.filter((name) => name && hints.knows(name)).length : 0 })
  }
  const isKnown = all.some(({ known }) => known > 1)
  return isKnown && hints?.sheet !== undefined ? all.filter(({ known }) => known > 1) : all
}

/** Whether most columns of the narrower sheet are those of the other one, too. */
function hasSameColumns(one: Headed, other: Headed): boolean {
  const plain = ({ names }: Headed) => new Set(names.map((name) => name.toLowerCase()).filter(Boolean))
  const [a, b] = [plain(one), plain(other)]
  return a.intersection(b).size * 2 > Math.min(a.size, b.size)
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
  const row: SourceRow = remarks ? { line, names, values, remarks } : { line, names, values }
  return values.length <= names.length ? row : { ...row, note: ragged(values.length, names.length) }
}
