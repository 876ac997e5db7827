// The text that a file may become: a workbook names one long text in a hundred thousand cells, a packed file repeats it.
import { AppError } from "../../../runtime/errors.ts"
import { counted, grouped } from "../../../text/text.ts"
import type { ConvertedRow } from "../convert/draft.ts"

const MIB = 1024 * 1024
/** Characters that any file may become. */
export const TEXT_FREE = 32 * MIB
/** Characters for each byte of the file. */
export const TEXT_RATIO = 200
/** Characters for each byte that the plan keeps. */
const OF_STORAGE = 2
/** Characters in any case, and for each byte of a file that is larger: as plain text it is what it is. */
const MOST = 2 * 1024 * MIB
const RATIO_OF_LARGE = 4
/** Levels of nested values that are counted. */
const DEPTH = 64

export interface TextBudget {
  /** Counts one more row of so many characters. Throws `file_too_costly`. */
  count(characters: number): void
}

/** A budget for a file of so many bytes, in an account that keeps `storage` bytes; null for a plan without a limit. */
export function textBudget(fileBytes: () => number, storage: number | null): TextBudget {
  let rows = 0
  let text = 0
  return {
    count(characters) {
      rows++
      text += characters
      if (text <= TEXT_FREE) return
      const bytes = fileBytes()
      const bounds: [most: number, why: string][] = [
        [
          TEXT_RATIO * bytes,
          `${TEXT_RATIO} times the file's ${amount(bytes)}: save it as plain CSV, or split it`,
        ],
        [Math.max(MOST, RATIO_OF_LARGE * bytes), "what one import takes: split the file"],
      ]
      if (storage !== null)
        bounds.push([OF_STORAGE * storage, `${OF_STORAGE} times the storage of the account's plan: split it`])
      for (const [most, why] of bounds)
        if (text > Math.max(TEXT_FREE, most))
          throw new AppError(
            "file_too_costly",
            `The first ${counted(rows, "row")} of the file become ${amount(text)} of text, more than ${why}`,
          )
    },
  }
}

/** Characters of a row: of its cells, or of the lead that it becomes with the names of its attributes, if they are more. */
export function textOfRow(cells: number, row: ConvertedRow): number {
  return "lead" in row ? Math.max(cells, textOf(row.lead)) : cells
}

/** Characters of a value as JSON, nearly; what is nested deeper than leads can have it counts little. */
export function textOf(value: unknown, depth = 0): number {
  if (typeof value === "string") return value.length
  if (typeof value !== "object" || value === null || depth > DEPTH) return 16
  let text = 0
  if (Array.isArray(value)) for (const item of value) text += textOf(item, depth + 1)
  else
    for (const name in value)
      text += name.length + textOf((value as Record<string, unknown>)[name], depth + 1)
  return text
}

function amount(bytes: number): string {
  return bytes < MIB ? `${grouped(Math.ceil(bytes / 1024))} KiB` : `${grouped(Math.ceil(bytes / MIB))} MiB`
}
