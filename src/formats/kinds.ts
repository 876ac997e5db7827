import { badRequest } from "../runtime/errors.ts"
import { excerpt } from "../text/text.ts"

export const IMPORT_FORMATS = ["csv", "json", "ndjson", "xlsx", "vcf"] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

const EXPORT_XLSX = "save it as .xlsx"
const OLD_EXCEL = `an old Excel workbook (.xls): open it in Excel, LibreOffice or Google Sheets and ${EXPORT_XLSX}`
const WEB_PAGE = `looks like a web page, whatever its name says: open it in Excel or LibreOffice and ${EXPORT_XLSX}, or export CSV, JSON or XLSX`
const XML = "looks like XML: export CSV, JSON or XLSX where it comes from"
const LDIF = "an LDIF address book: export it as vCard (.vcf) or CSV"
const JCARD = "jCard, contacts as JSON: export them as vCard (.vcf)"
const PARQUET =
  "a Parquet file: write it as CSV or JSON, in DuckDB by COPY (FROM 'file.parquet') TO 'leads.csv'"
const DATABASE = "a database: export the table with the leads as CSV"
const PACKED = "a packed file: unpack it, or pack it as .zip or .gz"
const MAILBOX = "an Outlook data file: export the contacts as CSV or vCard"
const DOCUMENT = "a text document: copy its table into a spreadsheet and save that as .xlsx or CSV"

/** Files that cannot be read, by what their names end in; content decides on .xls, which are often other files. */
const BY_ENDING: Readonly<Record<string, string>> = {
  xlsb: `a binary Excel workbook (.xlsb): open it in Excel and ${EXPORT_XLSX}`,
  ods: `an OpenDocument spreadsheet (.ods): open it in LibreOffice or Excel and ${EXPORT_XLSX}`,
  fods: `an OpenDocument spreadsheet (.fods): open it in LibreOffice and ${EXPORT_XLSX}`,
  numbers: "an Apple Numbers document: choose File, Export To, Excel (.xlsx) or CSV in Numbers",
  ...{ parquet: PARQUET, pdf: "a PDF document" },
  ...endingIn("ldif ldi", LDIF),
  ...endingIn("jcard jcf", JCARD),
  ...endingIn("xml osm kml gpx", XML),
  ...endingIn("html htm mht mhtml", WEB_PAGE),
  ...endingIn("doc docx odt rtf pages", DOCUMENT),
  ...endingIn("rar 7z tar bz2 xz zst", PACKED),
  ...endingIn("db sqlite sqlite3 mdb accdb dbf", DATABASE),
  ...endingIn("pst ost msg", MAILBOX),
}
function endingIn(endings: string, what: string): Record<string, string> {
  return Object.fromEntries(endings.split(" ").map((ending) => [ending, what]))
}
/** The same by content type. */
const BY_TYPE: Readonly<Record<string, string>> = {
  "application/vnd.ms-excel.sheet.binary.macroenabled.12": BY_ENDING.xlsb!,
  "application/vnd.oasis.opendocument.spreadsheet": BY_ENDING.ods!,
  "application/vnd.apple.numbers": BY_ENDING.numbers!,
  "application/x-iwork-numbers-sffnumbers": BY_ENDING.numbers!,
  "application/vcard+json": JCARD,
  "text/directory;profile=ldif": LDIF,
  "application/pdf": BY_ENDING.pdf!,
}

const ascii = (text: string) => [...Buffer.from(text)]
/** The same by how they begin. */
const BY_BYTES: readonly (readonly [bytes: readonly number[], what: string])[] = [
  [[0x28, 0xb5, 0x2f, 0xfd], "compressed with zstd: unpack it first"],
  [ascii("%PDF"), BY_ENDING.pdf!],
  [ascii("PAR1"), PARQUET],
  [ascii("SQLite format 3"), DATABASE],
  [[0, 1, 0, 0, ...ascii("Standard ")], DATABASE],
  [ascii("Rar!"), PACKED],
  [[0x37, 0x7a, 0xbc, 0xaf], PACKED],
  [ascii("BZh"), PACKED],
  [[0xfd, ...ascii("7zXZ")], PACKED],
  [ascii("!BDN"), MAILBOX],
  [ascii("{\\rtf"), DOCUMENT],
  // BIFF 2 to 5 without a container.
  ...[0, 2, 4, 8].map(
    (version) => [[9, version, version < 8 ? (version === 0 ? 4 : 6) : 8, 0], OLD_EXCEL] as const,
  ),
]
const CONTAINER = [0xd0, 0xcf, 0x11, 0xe0]
/** Parts of containers, by which it is known what they are. */
const IN_CONTAINER: readonly (readonly [part: string, what: string])[] = [
  ["EncryptedPackage", `a workbook with a password: open it and ${EXPORT_XLSX} without one`],
  ["WordDocument", DOCUMENT],
  ["__nameid_version", MAILBOX],
]
/** Parts of a ZIP file, by which it is known what it is. */
const IN_ZIP: readonly (readonly [part: RegExp, what: string])[] = [
  [/^xl\/workbook\.bin$/, BY_ENDING.xlsb!],
  [/^Index\/Tables?\b|^Index\/CalculationEngine|^Index\/Document\.iwa$|^Index\.zip$/, BY_ENDING.numbers!],
  [/^word\/document\.xml$/, DOCUMENT],
  [
    /^ppt\/presentation\.xml$/,
    "a presentation: copy its table into a spreadsheet and save that as .xlsx or CSV",
  ],
]

function refuse(what: string | undefined): void {
  if (what !== undefined) throw badRequest(`the file ${what.startsWith("looks ") ? "" : "is "}${what}`)
}

/** Throws `bad_request` for a name or content type that says that the file is of a kind that cannot be read. */
export function refuseNamed(ending: string, contentType: string): void {
  if (Object.hasOwn(BY_ENDING, ending)) refuse(BY_ENDING[ending])
  if (Object.hasOwn(BY_TYPE, contentType)) refuse(BY_TYPE[contentType])
}

/** Throws `bad_request` for the parts of a ZIP file that is of a kind that cannot be read. */
export function refuseZipped(paths: readonly string[]): void {
  refuse(IN_ZIP.find(([part]) => paths.some((path) => part.test(path)))?.[1])
  if (paths.includes("mimetype") && paths.includes("content.xml")) refuse(BY_ENDING.ods)
  const books = paths.filter(
    (path) => /\.(xlsx|xlsm|xls|xlsb|ods|numbers)$/i.test(path) && !path.startsWith("__MACOSX/"),
  )
  if (books.length > 0 && !paths.some((path) => /\.(csv|tsv|json|ndjson|jsonl|geojson|vcf)$/i.test(path))) {
    const named = books.slice(0, 5).map((path) => `"${excerpt(path)}"`)
    refuse(`a ZIP file of workbooks, ${named.join(", ")}: unpack it and import them one by one`)
  }
}

/** The packing of a file, by its first bytes. */
export function packingOf(start: Uint8Array): "zip" | "gzip" | undefined {
  if (start[0] === 0x50 && start[1] === 0x4b && start[2]! < 9 && start[3]! < 9) return "zip"
  return start[0] === 0x1f && start[1] === 0x8b ? "gzip" : undefined
}

/** A part that unpacks to so many times its size, and to so many bytes, is no table that anybody saved. */
const RATIO_MAX = 200
const RATIO_FROM = 32 * 1024 * 1024

/** True for so many unpacked bytes out of so few packed ones as no table has. */
export function isBomb(size: number, packed: number): boolean {
  return size > RATIO_FROM && size > RATIO_MAX * packed
}

/** Throws `bad_request` for the beginning of a file that is of another kind. */
export function refuseOther(start: Uint8Array, format: ImportFormat | undefined): void {
  const begins = (bytes: readonly number[]) => bytes.every((byte, i) => start[i] === byte)
  if (begins(CONTAINER)) {
    const has = (part: string) => Buffer.from(start).includes(Buffer.from(part, "utf16le"))
    refuse(IN_CONTAINER.find(([part]) => has(part))?.[1] ?? OLD_EXCEL)
  }
  refuse(BY_BYTES.find(([bytes]) => begins(bytes))?.[1])
  if (format === "xlsx")
    throw badRequest("the file is no XLSX workbook: is it a CSV file? Then say so with format csv")
}

/** Throws `bad_request` for a text that is of another kind than those that are read. */
export function refuseText(text: string): void {
  const start = text.slice(0, 2_000).trimStart()
  if (/^<(!doctype html|html|head|body|table|div|meta|style)\b/i.test(start)) refuse(WEB_PAGE)
  if (/^<\?xml\b|^<\?mso-application/i.test(start))
    refuse(
      /schemas-microsoft-com:office:spreadsheet|mso-application/.test(start)
        ? `an XML spreadsheet of Excel 2003: open it in Excel or LibreOffice and ${EXPORT_XLSX}`
        : /opendocument/.test(start)
          ? BY_ENDING.fods
          : /^[^>]*>\s*(<!doctype html|<html)/i.test(start)
            ? WEB_PAGE
            : XML,
    )
  if (isLdif(start)) refuse(LDIF)
  if (/^\[\s*(\[\s*)?"vcard"\s*,/i.test(start)) refuse(JCARD)
}

/** LDIF begins with the name of an entry, behind comments and its version (RFC 2849). */
function isLdif(start: string): boolean {
  const said = start.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"))
  const first = /^version:\s*1\s*$/i.test(said[0] ?? "") ? said[1] : said[0]
  return /^dn::? /i.test(first ?? "")
}

/** The format of a text: JSON by its first bracket, lines of JSON when its first line is whole, vCards by theirs, else CSV. */
export function sniffed(text: string): ImportFormat {
  const start = text.trimStart()
  if (start.startsWith("<")) refuse(XML)
  if (/^BEGIN:VCARD/i.test(start)) return "vcf"
  if (start.startsWith("{")) return isLine(start) ? "ndjson" : "json"
  return /^\[\s*[[{\]]/.test(start) ? "json" : "csv"
}

/** Whether the first line is a JSON object of its own, with another after it or nothing. */
export function isLine(start: string): boolean {
  const [first = "", ...more] = start.split("\n")
  const second = more.find((line) => line.trim() !== "")
  if (second !== undefined && !second.trimStart().startsWith("{")) return false
  try {
    JSON.parse(first)
    return second !== undefined
  } catch {
    return false
  }
}
