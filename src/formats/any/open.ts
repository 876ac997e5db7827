import { Readable } from "node:stream"
import { createGunzip } from "node:zlib"
import { badRequest } from "../../runtime/errors.ts"
import type { Upload } from "../../runtime/upload.ts"
import { excerpt } from "../../text/text.ts"
import { readCsv } from "../csv/read-csv.ts"
import type { HeaderHints } from "../header.ts"
import { readJson, readNdjson } from "../json/read-json.ts"
import {
  IMPORT_FORMATS,
  type ImportFormat,
  isBomb,
  isLine,
  packingOf,
  refuseNamed,
  refuseOther,
  refuseText,
  refuseZipped,
  sniffed,
} from "../kinds.ts"
import { withPlaces } from "../places.ts"
import { noticeRow, type Opened, ROW_MAX, type SourceRow } from "../rows.ts"
import { withoutSections } from "../sections.ts"
import { spooled } from "../spool.ts"
import { beginning } from "../text.ts"
import { readVcards } from "../vcard/read-vcard.ts"
import { readXlsx } from "../xlsx/read-xlsx.ts"
import type { ZipFile } from "../zip/read-zip.ts"

/** The format that each content type means. */
export const IMPORT_CONTENT_TYPES: Readonly<Record<string, ImportFormat>> = {
  "text/csv": "csv",
  "application/json": "json",
  "application/x-ndjson": "ndjson",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "text/vcard": "vcf",
}
/** Formats by what is written in words with spaces between them. */
function byWord(words: Readonly<Record<ImportFormat, string>>): [string, ImportFormat][] {
  return IMPORT_FORMATS.flatMap((format) =>
    words[format].split(" ").map((word): [string, ImportFormat] => [word, format]),
  )
}
const MORE_TYPES = byWord({
  csv: "application/csv application/vnd.ms-excel text/tab-separated-values",
  json: "application/geo+json",
  ndjson: "application/ndjson application/jsonl application/x-jsonlines application/geo+json-seq",
  xlsx: "application/vnd.ms-excel.sheet.macroenabled.12",
  vcf: "text/x-vcard text/directory",
})
const TYPES = new Map([...Object.entries(IMPORT_CONTENT_TYPES), ...MORE_TYPES])
/** Content types that say nothing: what is in the file does. */
const ANY_TYPE =
  /^(?:|text\/plain|application\/(?:octet-stream|(?:x-)?gzip|zip|x-zip-compressed|x-www-form-urlencoded))$/
const ENDINGS = new Map(
  byWord({
    csv: "csv tsv tab txt",
    json: "json geojson",
    ndjson: "ndjson jsonl geojsonl geojsons jl",
    xlsx: "xlsx xlsm xltx xltm",
    vcf: "vcf vcard",
  }),
)
/** Endings of files that are many things: what is in them decides. */
const BY_CONTENT = "zip gz gzip xls xlt data dat out log lst".split(" ")
/** Unpacked bytes of a file: a mistake, or malice, must not go on forever. */
const UNPACKED_MAX = 2 * 1024 * 1024 * 1024
const RATIO = "the file unpacks to more than 200 times its size: send it unpacked"

/** How a file is to be read. */
interface OpenOptions extends HeaderHints {
  /** Undefined leaves it to the file's name, type and content. */
  format?: ImportFormat | undefined
  sheet?: string | undefined
  encoding?: string | undefined
}

/** Opens the rows of a file, packed or not. Throws `bad_request` for an unreadable one. */
export async function openFile(file: Upload, options: OpenOptions): Promise<Opened> {
  const said = formatOf(options.format, file)
  const bytes = beginning(file.bytes)
  const first = await bytes.next()
  const start = first.value ?? new Uint8Array()
  const packing = packingOf(start)
  if (packing === "gzip") {
    const name = file.fileName?.replace(/\.(gz|gzip)$/i, "")
    const type = /gzip/.test(file.contentType ?? "") ? undefined : file.contentType
    const inner = formatOf(options.format, { contentType: type, fileName: name })
    return openText(unpacked(again(start, bytes)), inner, options)
  }
  if (packing === "zip") return openPacked(file, again(start, bytes), options)
  return openText(again(start, bytes), said, options)
}

async function openPacked(
  { blob }: Upload,
  bytes: AsyncGenerator<Uint8Array>,
  options: OpenOptions,
): Promise<Opened> {
  const { openZip } = await import("../zip/read-zip.ts")
  if (blob) await bytes.return(undefined)
  const zip = await openZip(blob ?? (await spooled(bytes)))
  refuseZipped(zip.paths)
  return zip.has("[Content_Types].xml")
    ? { format: "xlsx", table: withPlaces(withoutSections(await readXlsx(zip, options))) }
    : readAll(zip, (part, name) => openText(part, ENDINGS.get(endingOf(name)), options))
}

/** The rows of bytes that are not packed. */
async function openText(
  bytes: AsyncGenerator<Uint8Array>,
  said: ImportFormat | undefined,
  options: OpenOptions,
): Promise<Opened> {
  const start = await upToSecondLine(bytes)
  refuseOther(start, said)
  const format = formatIn(start, said)
  const all = again(start, bytes)
  const { encoding } = options
  const read =
    format === "csv"
      ? await readCsv(all, options)
      : format === "json"
        ? readJson(all, encoding)
        : format === "vcf"
          ? readVcards(all, encoding)
          : readNdjson(all, encoding)
  return { format, table: withPlaces(withoutSections(read)) }
}

function formatIn(start: Uint8Array, said: ImportFormat | undefined): ImportFormat {
  const isWide = start[1] === 0 || (start[0] === 0xff && start[1] === 0xfe)
  const text = new TextDecoder(isWide ? "utf-16le" : "utf-8").decode(start.subarray(0, FIRST_LINE))
  refuseText(text)
  if (said === undefined) return sniffed(text)
  return said === "json" && isLine(text.trimStart()) ? "ndjson" : said
}

/** Bytes in which the first line of JSON ends: some that are too long for a row are still told from one object. */
const FIRST_LINE = 8 * ROW_MAX

const [LF, SPACE] = [10, 32]

/** The beginning of a file, that of JSON with its first line and what follows it. */
async function upToSecondLine(bytes: AsyncGenerator<Uint8Array>): Promise<Uint8Array> {
  const parts = beginning(bytes)
  let start = (await parts.next()).value ?? new Uint8Array()
  const isObject = /^[^\w<[]{0,8}\{/.test(Buffer.from(start.subarray(0, 16)).toString("latin1"))
  while (isObject && start.length < FIRST_LINE && !hasSecondLine(start)) {
    const next = await parts.next()
    if (next.done) break
    start = Buffer.concat([start, next.value])
  }
  return start
}

function hasSecondLine(start: Uint8Array): boolean {
  const end = start.indexOf(LF)
  return end >= 0 && start.subarray(end).some((byte) => byte > SPACE)
}

/** The format that the sender states, by name or type; undefined leaves it to the contents. */
export function formatOf(
  said: ImportFormat | undefined,
  { contentType = "", fileName = "" }: { contentType?: string | undefined; fileName?: string | undefined },
): ImportFormat | undefined {
  const ending = endingOf(fileName)
  const format = said ?? ENDINGS.get(ending) ?? TYPES.get(contentType)
  if (format) return format
  refuseNamed(ending, contentType)
  if (BY_CONTENT.includes(ending)) return undefined
  if (ending === "" && ANY_TYPE.test(contentType)) return undefined
  const seen = ending ? `the name "${excerpt(fileName)}"` : `the content type ${excerpt(contentType)}`
  throw badRequest(
    `${seen} does not say what the file is: give its format, one of ${IMPORT_FORMATS.join(", ")}`,
  )
}

function endingOf(name: string): string {
  return /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ""
}

async function* again(start: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (start.length > 0) yield start
  yield* rest
}

/** Bytes out of gzip. Throws `bad_request` where they cannot be unpacked. */
async function* unpacked(bytes: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let packed = 0
  let size = 0
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      packed += chunk.length
      yield chunk
    }
  }
  try {
    for await (const chunk of Readable.from(counted()).pipe(createGunzip()) as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > UNPACKED_MAX || isBomb(size, packed)) break
      yield chunk
    }
  } catch {
    throw badRequest("the file is damaged or cut off")
  }
  if (isBomb(size, packed)) throw badRequest(RATIO)
  if (size > UNPACKED_MAX) throw badRequest("the file is larger than 2 GiB when it is unpacked")
}

// Several tables in one ZIP file, as newsletters and exports of whole accounts send them.

const TABLES = [/\.(csv|tsv)$/i, /\.(json|ndjson|jsonl|jl|geojson|geojsonl)$/i, /\.(vcf|vcard)$/i, /\.txt$/i]

/** The tables of the first kind that there is, one after the other. Throws `bad_request` when there is none. */
export async function readAll(
  zip: ZipFile,
  open: (bytes: AsyncGenerator<Uint8Array>, name: string) => Promise<Opened>,
): Promise<Opened> {
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
  return { format: first.format, table: { typing: first.table.typing, rows: rows() } }
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
