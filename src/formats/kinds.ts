import { badRequest } from "../core/errors.ts"

export const IMPORT_FORMATS = ["csv", "json", "ndjson", "xlsx"] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

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
