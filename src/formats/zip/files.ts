// Several tables in one ZIP file, as newsletters and exports of whole accounts send them.
import { badRequest } from "../../runtime/errors.ts"
import { excerpt } from "../../text/text.ts"
import { noticeRow, type Opened, type SourceRow } from "../rows.ts"
import type { ZipFile } from "./read-zip.ts"

const TABLES = [/\.(csv|tsv)$/i, /\.(json|ndjson|jsonl|jl|geojson|geojsonl)$/i, /\.(vcf|vcard)$/i, /\.txt$/i]

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
  const connections = connectionsOf(names)
  const [name = "", ...more] = connections ? [connections] : names
  const first = await open(zip.read(name), name)
  if (connections) return { ...first, table: { ...first.table, rows: alone(first, names.length - 1) } }
  if (more.length === 0) return first
  async function* rows(): AsyncGenerator<SourceRow[]> {
    yield* first.table.rows
    for (const path of more) yield* (await open(zip.read(path), path)).table.rows
  }
  const { typing } = first.table
  return { format: first.format, table: { typing, isTabular: typing === "none", rows: rows() } }
}

/** Files of the archive that LinkedIn sends its members. */
const LINKEDIN =
  /^(?:profile|invitations|messages|positions|registration|skills|education|email addresses|phonenumbers|company follows|member_follows|searchqueries|rich_media|ad_targeting|endorsement_|recommendations_|reactions|shares|logins)/

/** The connections in LinkedIn's archive, whose other tables are about the member. */
function connectionsOf(names: readonly string[]): string | undefined {
  const fileOf = (path: string) => path.slice(path.lastIndexOf("/") + 1).toLowerCase()
  const file = names.find((path) => fileOf(path) === "connections.csv")
  return file !== undefined && names.some((path) => LINKEDIN.test(fileOf(path))) ? file : undefined
}

async function* alone(first: Opened, others: number): AsyncGenerator<SourceRow[]> {
  const count = `${others} other table${others === 1 ? "" : "s"}`
  yield [noticeRow(1, `only Connections.csv of LinkedIn's archive is imported: ${count} in it are no leads`)]
  yield* first.table.rows
}
