// The conversation between an import and the process that reads its file, and the import's end of it. Messages are JSON;
// the file's bytes come through standard input, or from a path.

import type { ImportFormat } from "../../../formats/kinds.ts"
import type { Json } from "../../../lead/lead.ts"
import { AppError, type ErrorKind } from "../../../runtime/errors.ts"
import type { Upload } from "../../../runtime/upload.ts"
import type { FileReader } from "../../file-readers.ts"
import type { Context } from "../../operation.ts"
import type { Decimal } from "../cells/numbers.ts"
import type { ColumnReport, Dropped, Guess } from "../cells/told.ts"
import type { ConvertedRow } from "../convert/draft.ts"
import type { ColumnOptions } from "../detect/plan.ts"
import type { ValueReport } from "./columns.ts"
import type { ImportOptions } from "./options.ts"

/** What a request says of its file; a link of a cell counts where `map` wants one. */
type FileSaid = Pick<ImportOptions, "format" | "sheet" | "header" | "encoding" | "map">

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

/** Batches that the reader may be ahead: it converts the next while one is pushed. */
const AHEAD = 4

/** A file that another process reads. */
export interface RemoteFile {
  format: ImportFormat
  /** The columns of its header; undefined where each row names its own. */
  names: readonly string[] | undefined
  /** The sheet of a workbook that is read. */
  sheet: string | null
  /** The columns with what was found in them so far; none before `choose`. */
  columns: ColumnReport[]
  guesses: readonly Guess[]
  preset: string | null
  decimal: Decimal
  /** Words for no value that were left out, once all rows are read. */
  dropped: readonly Dropped[]
  /** Bytes that were read so far. */
  bytes: number
  /** SHA-256 of the file, once all rows are read; null while it is not known. */
  digest: string | null
  /** Says how the columns are read. To be called once, before `rows`. Throws `bad_request` as `createColumns` does. */
  choose(options: ColumnOptions, keepsValues: boolean): Promise<void>
  /** All rows, some at a time, once. Throws `bad_request` where the file cannot be read on, and `file_too_costly`. */
  rows(): AsyncGenerator<SentRow[]>
  close(): Promise<void>
}

/** The account that the file is read for, and the processes that read. */
type Asking = Pick<Context, "readers" | "caller">

/** Opens a file in a process of its own. Throws `bad_request` when it cannot be read, and `file_too_costly`. */
export async function openRemote(ctx: Asking, upload: Upload, said: FileSaid): Promise<RemoteFile> {
  const line = await talkAbout(ctx, upload, "open", said)
  try {
    const { format, names, sheet } = await line.expect("header")
    const file: RemoteFile = {
      ...{ format, names: names ?? undefined, sheet },
      ...{ columns: [], guesses: [], preset: null, decimal: "dot", dropped: [], digest: null },
      get bytes() {
        return line.bytes
      },
      async choose(options, keepsValues) {
        line.ask({ type: "columns", options, keepsValues })
        const { columns, guesses, preset, decimal } = await line.expect("columns")
        Object.assign(file, { columns, guesses, preset, decimal })
      },
      rows: () => rowsOf(line, file),
      close: line.close,
    }
    return file
  } catch (error) {
    await line.close()
    throw error
  }
}

/** How many rows a file has. Throws as `openRemote` does. */
export async function countRemote(ctx: Asking, file: Upload, said: FileSaid): Promise<number> {
  const line = await talkAbout(ctx, file, "count", said)
  try {
    return (await line.expect("counted")).rows
  } finally {
    await line.close()
  }
}

interface Line {
  ask(message: ReaderCall): void
  /** The next message of this type, or undefined when another comes first that may. Throws what the reader refuses. */
  expect<T extends Told["type"]>(...types: T[]): Promise<Extract<Told, { type: T }>>
  bytes: number
  close(): Promise<void>
}

async function talkAbout(ctx: Asking, file: Upload, type: "open" | "count", said: FileSaid): Promise<Line> {
  const reader = await ctx.readers.take(ctx.caller.account.key)
  const path = pathOf(file.blob)
  const ask = (message: ReaderCall) => reader.send(message as unknown as Json)
  const { format, sheet, header, encoding, map } = said
  const { fileName, contentType } = file
  const { storage } = ctx.caller.account.limits
  const { folder } = reader
  ask({ type, path, fileName, contentType, format, sheet, header, encoding, map, storage, folder })
  const feeding = path === undefined ? feed(reader, file, ask) : undefined
  if (path !== undefined) reader.grown(file.blob!.size)
  let isDone = false
  const line: Line = {
    ask,
    bytes: 0,
    async expect(...types) {
      for (;;) {
        const told = (await reader.next()) as Told
        if (told.type === "reading") {
          line.bytes = told.bytes
          reader.grown(told.bytes)
          continue
        }
        if (told.type === "refused") throw (await feeding?.failed()) ?? new AppError(told.kind, told.message)
        if (told.type === "defect") throw Object.assign(new Error(told.message), { stack: told.stack })
        isDone ||= told.type === "over" || told.type === "counted"
        if (!types.includes(told.type as never)) throw new Error(`a file reader said ${told.type}`)
        return told as never
      }
    },
    async close() {
      reader.close(isDone)
      feeding?.stop()
    },
  }
  return line
}

/** The path of a file that is on disk. */
function pathOf(blob: Blob | undefined): string | undefined {
  return blob && "name" in blob && typeof blob.name === "string" && blob.name !== "" ? blob.name : undefined
}

interface Feeding {
  /** The client's own failure, once there is one. */
  failed(): Promise<unknown>
  stop(): void
}

/** Hands the bytes of an upload to the reader as they come. */
function feed(reader: FileReader, { bytes }: Upload, ask: (message: ReaderCall) => void): Feeding {
  const iterator = bytes[Symbol.asyncIterator]()
  let failure: unknown
  let isStopped = false
  async function run(): Promise<void> {
    let size = 0
    try {
      while (!isStopped) {
        reader.waitsForClient(true)
        const { done, value } = await iterator.next()
        reader.waitsForClient(false)
        if (done) return ask({ type: "end", bytes: size, isBroken: false })
        size += value.length
        reader.grown(size)
        await reader.write(value)
      }
    } catch (error) {
      reader.waitsForClient(false)
      failure ??= error
      ask({ type: "end", bytes: size, isBroken: true })
    }
  }
  const running = run()
  return {
    failed: async () => failure,
    stop() {
      isStopped = true
      // A client that is slow to send must not hold up the answer.
      void running.then(() => iterator.return?.()).catch(() => undefined)
    },
  }
}

async function* rowsOf(line: Line, file: RemoteFile): AsyncGenerator<SentRow[]> {
  for (let i = 0; i < AHEAD; i++) line.ask({ type: "more" })
  for (;;) {
    const told = await line.expect("rows", "over")
    if (told.type === "over") {
      const counted = new Map(told.values)
      file.dropped = told.dropped
      file.digest = told.digest
      file.columns = file.columns.map((column, i) => {
        const values = counted.get(i)
        return values ? { ...column, values } : column
      })
      return
    }
    line.bytes = told.bytes
    const examples = new Map(told.examples)
    file.columns = file.columns.map((column, i) => ({
      ...column,
      filled: told.filled[i] ?? column.filled,
      example: examples.get(i) ?? column.example,
    }))
    yield told.rows
    line.ask({ type: "more" })
  }
}
