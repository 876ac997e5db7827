// The conversation between an import and the process that reads its file. Messages are JSON; the file's bytes come
// through standard input, or from a path.

import type { ImportFormat } from "../../../formats/kinds.ts"
import type { ErrorKind } from "../../../runtime/errors.ts"
import type { ConvertedRow } from "../convert/draft.ts"
import type { Dropped } from "../convert/row-leads.ts"
import type { Guess } from "../detect/guesses.ts"
import type { ColumnOptions } from "../detect/plan.ts"
import type { ColumnReport, ValueReport } from "./columns.ts"
import type { ImportOptions } from "./options.ts"

/** What a request says of its file; a link of a cell counts where `map` wants one. */
export type FileSaid = Pick<ImportOptions, "format" | "sheet" | "header" | "encoding" | "map">

export interface FileAsked extends FileSaid {
  /** Where the file is on disk; undefined when its bytes come through standard input. */
  path: string | undefined
  fileName: string | undefined
  contentType: string | undefined
  /** Bytes that the account's plan keeps; null for one without a limit. */
  storage: number | null
  /** A folder for what has to be unpacked. */
  folder: string
}

export type ReaderCall =
  | ({ type: "open" | "count" } & FileAsked)
  /** The mapping of the columns, which answers the message with the header's names. */
  | { type: "columns"; options: ColumnOptions; keepsValues: boolean }
  /** One batch more may come. */
  | { type: "more" }
  /** So many bytes came through standard input; `isBroken` where the client broke off there. */
  | { type: "end"; bytes: number; isBroken: boolean }

/** A row by its line, as a lead; with `names` and `values` as they stand in the file where that was asked for. */
export interface SentRow {
  line: number
  /** Characters that it has in the file, nearly. */
  size: number
  lead: ConvertedRow
  names?: readonly string[]
  values?: readonly unknown[]
}

export type Told =
  | { type: "header"; format: ImportFormat; names: readonly string[] | null; sheet: string | null }
  | {
      type: "columns"
      columns: ColumnReport[]
      guesses: readonly Guess[]
      preset: string | null
      decimal: "dot" | "comma"
    }
  | {
      type: "rows"
      rows: SentRow[]
      /** How many rows have something in each of the columns, and the examples that were found since. */
      filled: number[]
      examples: [column: number, example: string][]
      /** Bytes of the file that were read so far. */
      bytes: number
    }
  | { type: "over"; values: ValueReport[]; dropped: Dropped[]; digest: string | null }
  | { type: "counted"; rows: number }
  /** Still reading, `bytes` of the file so far. */
  | { type: "reading"; bytes: number }
  | { type: "refused"; kind: ErrorKind; message: string }
  | { type: "defect"; message: string; stack: string }
