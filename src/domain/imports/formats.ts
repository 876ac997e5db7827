import { badRequest } from "../../core/errors.ts"
import { excerpt } from "../../core/text.ts"
import type { Upload } from "../../core/upload.ts"
import { readCsv } from "../../formats/csv/read.ts"
import { readNdjson } from "../../formats/json/ndjson.ts"
import { readJson } from "../../formats/json/read.ts"
import type { Table } from "../../formats/rows.ts"
import { beginning } from "../../formats/text.ts"
import { readXlsx } from "../../formats/xlsx/read.ts"

export const IMPORT_FORMATS = ["csv", "json", "ndjson", "xlsx"] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

/** The format that each content type means. */
export const IMPORT_CONTENT_TYPES: Readonly<Record<string, ImportFormat>> = {
  "text/csv": "csv",
  "application/json": "json",
  "application/x-ndjson": "ndjson",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
}
const MORE_TYPES: Readonly<Record<string, ImportFormat>> = {
  "application/csv": "csv",
  "text/tab-separated-values": "csv",
  "application/ndjson": "ndjson",
  "application/jsonl": "ndjson",
  "application/x-jsonlines": "ndjson",
}
const ENDINGS: Readonly<Record<string, ImportFormat>> = {
  csv: "csv",
  tsv: "csv",
  txt: "csv",
  json: "json",
  ndjson: "ndjson",
  jsonl: "ndjson",
  xlsx: "xlsx",
}

/** What a file is: as its sender says, else by its name, else by its content type. Throws `bad_request`. */
export function formatOf(
  said: ImportFormat | undefined,
  { contentType = "", fileName = "" }: Upload,
): ImportFormat {
  const ending = /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? ""
  const format = said ?? ENDINGS[ending] ?? IMPORT_CONTENT_TYPES[contentType] ?? MORE_TYPES[contentType]
  if (format) return format
  const seen = fileName
    ? `the name "${excerpt(fileName)}"`
    : contentType
      ? `the content type ${excerpt(contentType)}`
      : ""
  const why = seen ? `${seen} does not say what the file is` : "nothing says what the file is"
  throw badRequest(`${why}: give its format, one of ${IMPORT_FORMATS.join(", ")}`)
}

/** Files of other kinds by how they begin, and what to do about them. */
const OTHERS: readonly [bytes: number[], says: string][] = [
  [[0x1f, 0x8b], "the file is compressed with gzip: unpack it first"],
  [[0x28, 0xb5, 0x2f, 0xfd], "the file is compressed with zstd: unpack it first"],
  [[0x25, 0x50, 0x44, 0x46], "the file is a PDF document"],
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    "the file is an old .xls workbook or one with a password: save it as .xlsx without one",
  ],
]
const ZIP = [0x50, 0x4b]

/** Opens the rows of a file. Throws `bad_request` when it is none of its format. */
export async function openTable(
  file: Upload,
  format: ImportFormat,
  sheet: string | undefined,
): Promise<Table> {
  const bytes = checked(file.bytes, format)
  switch (format) {
    case "csv":
      return readCsv(bytes)
    case "json":
      return readJson(bytes)
    case "ndjson":
      return readNdjson(bytes)
    case "xlsx":
      return readXlsx(bytes, file.blob, sheet)
  }
}

async function* checked(bytes: AsyncIterable<Uint8Array>, format: ImportFormat): AsyncGenerator<Uint8Array> {
  let isFirst = true
  for await (const chunk of beginning(bytes)) {
    if (isFirst) refuseOther(chunk, format)
    isFirst = false
    yield chunk
  }
}

/** Throws `bad_request` for the beginning of a file that is of another kind. */
export function refuseOther(start: Uint8Array, format: ImportFormat): void {
  const begins = (bytes: readonly number[]) => bytes.every((byte, i) => start[i] === byte)
  const other = OTHERS.find(([bytes]) => begins(bytes))
  if (other) throw badRequest(other[1])
  if (format === "xlsx" && !begins(ZIP))
    throw badRequest("the file is no XLSX workbook: is it a CSV file? Then say so with format csv")
  if (format !== "xlsx" && begins(ZIP))
    throw badRequest(`the file is a workbook or a ZIP file, not ${format}: for a workbook say format xlsx`)
}
