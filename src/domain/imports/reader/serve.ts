// The process that reads one file: it parses the file, recognises its columns and converts its rows into leads. It has
// no database and no network, and ends with its file.

import { openFile } from "../../../formats/any/open.ts"
import { refuseAllDeep } from "../../../formats/json/read-json.ts"
import type { Opened, SourceRow, Table } from "../../../formats/rows.ts"
import { spoolIn } from "../../../formats/spool.ts"
import { AppError, badRequest } from "../../../runtime/errors.ts"
import { Upload } from "../../../runtime/upload.ts"
import { counted, grouped } from "../../../text/text.ts"
import type { ConvertedRow } from "../convert/draft.ts"
import { isKnownName, linkedBy } from "../detect/header.ts"
import { createColumns } from "./columns.ts"
import type { FileAsked, ReaderCall, SentRow, Told } from "./open-remote.ts"

// The text that a file may become: a workbook names one long text in a hundred thousand cells, a packed file repeats it.

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

/** Counts one more row of so many characters. Throws `file_too_costly`. */
type CountText = (characters: number) => void

/** A budget for a file of so many bytes, in an account that keeps `storage` bytes; null for a plan without a limit. */
function textBudget(fileBytes: () => number, storage: number | null): CountText {
  let rows = 0
  let text = 0
  return (characters) => {
    rows++
    text += characters
    if (text <= TEXT_FREE) return
    const bytes = fileBytes()
    const ratio = `${TEXT_RATIO} times the file's ${amount(bytes)}: save it as plain CSV, or split it`
    const plan = `${OF_STORAGE} times the storage of the account's plan: split it`
    const bounds: [most: number, why: string][] = [
      [TEXT_RATIO * bytes, ratio],
      [Math.max(MOST, RATIO_OF_LARGE * bytes), "what one import takes: split the file"],
      [OF_STORAGE * (storage ?? Infinity), plan],
    ]
    const passed = bounds.find(([most]) => text > Math.max(TEXT_FREE, most))
    if (!passed) return
    const become = `The first ${counted(rows, "row")} of the file become ${amount(text)} of text`
    throw new AppError("file_too_costly", `${become}, more than ${passed[1]}`)
  }
}

/** Characters of a row: of its cells, or of the lead that it becomes with the names of its attributes, if they are more. */
function textOfRow(cells: number, row: ConvertedRow): number {
  return "lead" in row ? Math.max(cells, textOf(row.lead)) : cells
}

/** Characters of a value as JSON, nearly; what is nested deeper than leads can have it counts little. */
function textOf(value: unknown, depth = 0): number {
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

/** Rows that tell what columns are, and the characters that they may have together. */
const SAMPLE_ROWS = 1_000
const SAMPLE_SIZE = 8 * 1024 * 1024
/** Rows of a batch, and its characters: to read it takes the thread that answers requests a millisecond or two. */
const BATCH_ROWS = 250
const BATCH_SIZE = 128 * 1024
/** Bytes of the file after which the parent hears of a reader that has nothing else to say. */
const READING = 4 * 1024 * 1024

/** The reader's end of the conversation. */
interface ReaderChannel {
  send(message: Told): void
  /** Hands over every message from now on; those that came before are handed over at once. */
  onMessage(handle: (message: ReaderCall) => void): void
  /** The bytes of all files that have no path, one behind the other. */
  bytes: AsyncIterable<Uint8Array>
}

/** Reads files for a parent, one after the other, as it asks. Never resolves: the parent ends the process. */
export async function serveFiles(channel: ReaderChannel): Promise<never> {
  const input = inputOf(channel.bytes)
  for (;;) await serveFile(channel, input)
}

const DISK_FULL = "The disk is full: the file could not be put there to be read"

function isDiskFull(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT"].includes((error as { code?: string } | null)?.code ?? "")
}

async function serveFile(channel: ReaderChannel, input: Input): Promise<void> {
  const conversation = listen(channel)
  try {
    const asked = await conversation.opening
    const opened = await open(channel, asked, untilEnd(input, conversation.end))
    const budget = textBudget(opened.fileBytes, asked.storage)
    if (asked.type === "count") channel.send({ type: "counted", rows: await count(opened, budget) })
    else await read(channel, conversation, opened, budget)
  } catch (error) {
    if (isDiskFull(error)) channel.send({ type: "refused", kind: "storage_full", message: DISK_FULL })
    else if (error instanceof AppError)
      channel.send({ type: "refused", kind: error.kind, message: error.message })
    else {
      const { message, stack = "" } = error instanceof Error ? error : new Error(String(error))
      channel.send({ type: "defect", message, stack })
    }
  }
}

type Opening = Extract<ReaderCall, { type: "open" | "count" }>
type Choice = Extract<ReaderCall, { type: "columns" }>
type End = Extract<ReaderCall, { type: "end" }>

interface Conversation {
  opening: Promise<Opening>
  choice: Promise<Choice>
  /** Resolves when all bytes of the file were sent, or the client broke off. */
  end: Promise<End>
  /** Resolves when the parent takes one more batch. */
  more(): Promise<void>
}

function listen(channel: ReaderChannel): Conversation {
  const [opening, choice] = [Promise.withResolvers<Opening>(), Promise.withResolvers<Choice>()]
  const end = Promise.withResolvers<End>()
  let credits = 0
  let waiting = Promise.withResolvers<void>()
  channel.onMessage((message) => {
    if (message.type === "columns") choice.resolve(message)
    else if (message.type === "end") end.resolve(message)
    else if (message.type === "more") {
      credits++
      waiting.resolve()
    } else {
      // Credits left over from the previous file do not count.
      credits = 0
      opening.resolve(message)
    }
  })
  return {
    opening: opening.promise,
    choice: choice.promise,
    end: end.promise,
    async more() {
      while (credits === 0) {
        waiting = Promise.withResolvers()
        await waiting.promise
      }
      credits--
    },
  }
}

/** Standard input, of which a file may leave a read that has not come to its end. */
interface Input {
  /** Returns one promise until it is consumed. */
  next(): Promise<IteratorResult<Uint8Array>>
  taken(): void
}

function inputOf(bytes: AsyncIterable<Uint8Array>): Input {
  const iterator = bytes[Symbol.asyncIterator]()
  let pending: Promise<IteratorResult<Uint8Array>> | undefined
  return {
    next: () => (pending ??= iterator.next()),
    taken() {
      pending = undefined
    },
  }
}

/** The bytes of one file. Throws where the client broke off, once those before were read; the parent knows why it did. */
async function* untilEnd(input: Input, ending: Promise<End>): AsyncGenerator<Uint8Array> {
  for (let size = 0; ; ) {
    const next = input.next()
    const end = await Promise.race([ending, next.then(() => undefined)])
    if (end?.isBroken && size === end.bytes) throw badRequest("the upload was cut off")
    if (size === end?.bytes) return
    const { done, value } = await next
    input.taken()
    if (done) return
    size += value.length
    yield value
  }
}

interface OpenedFile extends Opened {
  /** Bytes that were read so far. */
  bytes(): number
  /** Bytes of the whole file, or of what came of it. */
  fileBytes(): number
  /** SHA-256 of its bytes; null where they were not read to the end. */
  digest(): Promise<string | null>
}

async function open(
  channel: ReaderChannel,
  { path, fileName, contentType, format, sheet, header, encoding, folder, map }: FileAsked,
  input: AsyncIterable<Uint8Array>,
): Promise<OpenedFile> {
  spoolIn(folder)
  let size = 0
  let told = 0
  let hash: Bun.CryptoHasher | undefined = new Bun.CryptoHasher("sha256")
  let read: string | null = null
  async function* counted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      size += chunk.length
      hash?.update(chunk)
      if (size - told > READING) {
        told = size
        channel.send({ type: "reading", bytes: size })
      }
      yield chunk
    }
    read = hash?.digest("hex") ?? null
    hash = undefined
  }
  const blob = path === undefined ? undefined : Bun.file(path)
  const bytes = counted(blob ? blob.stream() : input)
  const file = new Upload(bytes, contentType, fileName, blob)
  const opened = await openFile(file, {
    ...{ format, sheet, header, encoding },
    knows: isKnownName,
    linked: (name) => linkedBy(name, map),
  })
  return {
    ...opened,
    bytes: () => size,
    fileBytes: () => blob?.size ?? size,
    digest: async () => read ?? (blob ? digestOf(blob) : null),
  }
}

/** The digest of a file that was not read from beginning to end, as packed ones are not. */
async function digestOf(blob: Blob): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256")
  for await (const chunk of blob.stream()) hash.update(chunk)
  return hash.digest("hex")
}

async function count({ table }: Opened, countText: CountText): Promise<number> {
  let rows = 0
  for await (const some of table.rows)
    for (const row of some) {
      if (row.notice !== undefined) continue
      rows++
      countText(sizeOf(row))
    }
  return rows
}

async function read(
  channel: ReaderChannel,
  conversation: Conversation,
  { format, table, bytes, digest }: OpenedFile,
  countText: CountText,
): Promise<void> {
  const sample = await take(table.rows)
  refuseAllDeep(sample)
  const names = table.names ?? null
  channel.send({ type: "header", format, names, sheet: table.sheet ?? null })
  const { options, keepsValues } = await conversation.choice
  const columns = createColumns(table.names, sample, table.typing, options)
  const { preset, decimal, guesses } = columns
  const reports = columns.reports()
  channel.send({ type: "columns", columns: reports, guesses, preset, decimal })
  const examples = reports.map(({ example }) => example)

  async function send(rows: SentRow[]): Promise<void> {
    await conversation.more()
    const now = columns.reports()
    const examplesNow = now.flatMap(({ example }, i): [number, string][] => {
      if (example === null || examples[i] !== null) return []
      examples[i] = example
      return [[i, example]]
    })
    channel.send({
      type: "rows",
      rows,
      filled: now.map(({ filled }) => filled),
      examples: examplesNow,
      bytes: bytes(),
    })
  }

  let batch: SentRow[] = []
  let size = 0
  for await (const row of all(sample, table.rows)) {
    const lead = columns.leadOf(row)
    const { line, names, values } = row
    const bytes = sizeOf(row)
    countText(textOfRow(bytes, lead))
    batch.push({ line, size: bytes, lead, ...(keepsValues && { names, values }) })
    size += bytes
    if (batch.length < BATCH_ROWS && size < BATCH_SIZE) continue
    await send(batch)
    batch = []
    size = 0
  }
  if (batch.length > 0) await send(batch)
  await conversation.more()
  channel.send({
    type: "over",
    values: columns.values(),
    dropped: columns.dropped(),
    digest: await digest(),
  })
}

/** The first rows, as many as tell what columns are. */
async function take(rows: Table["rows"]): Promise<SourceRow[]> {
  const taken: SourceRow[] = []
  let size = 0
  while (taken.length < SAMPLE_ROWS && size < SAMPLE_SIZE) {
    const next = await rows.next()
    if (next.done) break
    for (const row of next.value) {
      taken.push(row)
      size += sizeOf(row)
    }
  }
  return taken
}

/** Characters of a row, nearly. */
function sizeOf({ values }: SourceRow): number {
  let size = 0
  for (const value of values) size += textOf(value)
  return size
}

async function* all(sample: SourceRow[], rows: Table["rows"]): AsyncGenerator<SourceRow> {
  yield* sample
  for await (const some of rows) yield* some
}
