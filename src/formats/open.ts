import { badRequest } from "../core/errors.ts"
import { excerpt } from "../core/text.ts"
import type { Upload } from "../core/upload.ts"
import { readCsv } from "./csv/read.ts"
import { readNdjson } from "./json/ndjson.ts"
import { readJson } from "./json/read.ts"
import { IMPORT_FORMATS, type ImportFormat, refuseOther } from "./kinds.ts"
import type { Table } from "./rows.ts"
import { beginning } from "./text.ts"
import { readXlsx } from "./xlsx/read.ts"

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
