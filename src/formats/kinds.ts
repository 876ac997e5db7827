import { badRequest } from "../core/errors.ts"

export const IMPORT_FORMATS = ["csv", "json", "ndjson", "xlsx", "vcf"] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

/** Files that cannot be read, by how they begin, and what to do about them. */
const OTHERS: readonly [bytes: number[], says: string][] = [
  [[0x28, 0xb5, 0x2f, 0xfd], "the file is compressed with zstd: unpack it first"],
  [[0x25, 0x50, 0x44, 0x46], "the file is a PDF document"],
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    "the file is an old .xls workbook or one with a password: save it as .xlsx without one",
  ],
]

/** The packing of a file, by its first bytes. */
export function packingOf(start: Uint8Array): "zip" | "gzip" | undefined {
  if (start[0] === 0x50 && start[1] === 0x4b && start[2]! < 9 && start[3]! < 9) return "zip"
  return start[0] === 0x1f && start[1] === 0x8b ? "gzip" : undefined
}

/** Throws `bad_request` for the beginning of a file that is of another kind. */
export function refuseOther(start: Uint8Array, format: ImportFormat): void {
  const other = OTHERS.find(([bytes]) => bytes.every((byte, i) => start[i] === byte))
  if (other) throw badRequest(other[1])
  if (format === "xlsx")
    throw badRequest("the file is no XLSX workbook: is it a CSV file? Then say so with format csv")
}

/** The format of a text: JSON by its first bracket, lines of JSON when its first line is whole, vCards by theirs, else CSV. */
export function sniffed(text: string): ImportFormat {
  const start = text.trimStart()
  if (start.startsWith("<"))
    throw badRequest("the file looks like a web page or XML: export it as CSV, JSON or XLSX")
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
