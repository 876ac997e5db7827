// Rows out of a workbook. hucre's streaming reader reads ahead of whoever takes its rows: 100,000 leads took 770 MB.
import { badRequest } from "../../core/errors.ts"
import { refuseOther } from "../kinds.ts"
import { type ImportRow, ragged, type Table } from "../rows.ts"
import { spooled } from "../spool.ts"
import { openZip } from "../zip/read.ts"
import { type SheetRow, sheetRows } from "./sheet.ts"
import { openWorkbook } from "./workbook.ts"

/** A sheet with a header. What comes without a file of its own is put into a temporary one: a ZIP ends with its directory. */
export async function readXlsx(
  bytes: AsyncIterable<Uint8Array>,
  file: Blob | undefined,
  sheet: string | undefined,
): Promise<Table> {
  const spool = file ? { blob: file, remove: () => undefined } : await spooled(bytes)
  try {
    refuseOther(await spool.blob.slice(0, 4).bytes(), "xlsx")
    const zip = await openZip(spool.blob)
    const workbook = await openWorkbook(zip, sheet)
    const rows = sheetRows(zip.read(workbook.path), workbook)
    const { header, rest } = await withHeader(rows)
    const names = header.map((name) => String(name ?? "").trim())
    return { typing: "some", names, rows: rowsOf(names, rest, rows, spool.remove) }
  } catch (error) {
    spool.remove()
    throw error
  }
}

/** The first row with something in it, and what was read with it. */
async function withHeader(rows: AsyncGenerator<SheetRow[]>) {
  for (let next = await rows.next(); !next.done; next = await rows.next()) {
    const at = next.value.findIndex(({ values }) => values.length > 0)
    if (at >= 0) return { header: next.value[at]!.values, rest: next.value.slice(at + 1) }
  }
  throw badRequest("the sheet is empty: its first row must name the columns")
}

async function* rowsOf(
  names: readonly string[],
  first: SheetRow[],
  rows: AsyncGenerator<SheetRow[]>,
  remove: () => void,
): AsyncGenerator<ImportRow[]> {
  try {
    yield first.flatMap((row) => rowOf(names, row))
    for await (const some of rows) yield some.flatMap((row) => rowOf(names, row))
  } finally {
    remove()
  }
}

function rowOf(names: readonly string[], { line, values, problem }: SheetRow): ImportRow | [] {
  if (problem) return { line, names, values, problem }
  if (values.length === 0) return []
  if (values.length <= names.length) return { line, names, values }
  return { line, names, values, problem: ragged(values.length, names.length) }
}
