// Several tables in one ZIP file, as newsletters and exports of whole accounts send them.
import { badRequest } from "../../core/errors.ts"
import { excerpt } from "../../core/text.ts"
import type { Opened, SourceRow } from "../rows.ts"
import type { ZipFile } from "./read.ts"

const TABLES = [/\.(csv|tsv)$/i, /\.(json|ndjson|jsonl)$/i, /\.txt$/i]

/** The tables of the first kind that there is, one after the other. Throws `bad_request` when there is none. */
export async function readAll(
  zip: ZipFile,
  open: (bytes: AsyncGenerator<Uint8Array>, name: string) => Promise<Opened>,
): Promise<Pick<Opened, "format" | "table">> {
  const paths = zip.paths.filter((path) => !/(^|\/)(__MACOSX\/|\.)|\/$/.test(path))
  const names = TABLES.map((kind) => paths.filter((path) => kind.test(path))).find(({ length }) => length > 0)
  if (!names) {
    const seen = paths.slice(0, 5).map((path) => `"${excerpt(path)}"`)
    throw badRequest(
      `the ZIP file has no CSV or JSON file in it${seen.length > 0 ? `, only ${seen.join(", ")}` : ""}`,
    )
  }
  const [name = "", ...more] = names
  const first = await open(zip.read(name), name)
  if (more.length === 0) return first
  async function* rows(): AsyncGenerator<SourceRow[]> {
    yield* rowsOf(first)
    for (const path of more) yield* rowsOf(await open(zip.read(path), path))
  }
  const { typing } = first.table
  return { format: first.format, table: { typing, isTabular: typing === "none", rows: rows() } }
}

async function* rowsOf({ table }: Opened): AsyncGenerator<SourceRow[]> {
  for (let next = await table.rows.next(); !next.done; next = await table.rows.next()) yield next.value
}
