// Files as an import without any option reads them.
import { isKnownName } from "../../src/domain/imports/detect/header.ts"
import { createColumns } from "../../src/domain/imports/reader/columns.ts"
import { openFile } from "../../src/formats/any/open.ts"
import type { SourceRow, Table } from "../../src/formats/rows.ts"
import { Upload } from "../../src/runtime/upload.ts"

/** All rows of a table. */
export async function rowsOf({ rows }: Pick<Table, "rows">): Promise<SourceRow[]> {
  return (await Array.fromAsync(rows)).flat()
}

/** Bytes in pieces of a size. */
export async function* inPieces(content: string | Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** What becomes of a file: its table, its columns, and what each row is. */
export async function readFile(
  content: string | Uint8Array,
  fileName?: string,
  options: { sheet?: string } = {},
) {
  const upload = new Upload(inPieces(content, 10_000), undefined, fileName, new Blob([Buffer.from(content)]))
  const { table, format } = await openFile(upload, { knows: isKnownName, ...options })
  const rows = await rowsOf(table)
  const { names, typing } = table
  const columns = createColumns(names, rows.slice(0, 1_000), typing, { map: [], wording: "query" })
  return { table, format, columns, rows: rows.map((row) => columns.leadOf(row)) }
}
