// Reading a ZIP file by its directory, one part at a time.
import { Readable } from "node:stream"
import { promisify } from "node:util"
import { type Entry, fromRandomAccessReader, RandomAccessReader, type ZipFile as Zip } from "yauzl"
import { AppError, badRequest } from "../../runtime/errors.ts"
import { isBomb } from "../kinds.ts"

export interface ZipFile {
  /** The paths of its parts, in the order of its directory. */
  readonly paths: readonly string[]
  has(path: string): boolean
  /** The bytes of a part, unpacked while they are read. Throws `bad_request` when they cannot be. */
  read(path: string): AsyncGenerator<Uint8Array>
}

const DAMAGED = "the file is damaged or cut off"
/** Far more parts than any workbook has. */
const PARTS_MAX = 10_000
const BOMB = "the file unpacks to more than 200 times its size: save the sheet as CSV"

class BlobReader extends RandomAccessReader {
  constructor(private readonly blob: Blob) {
    super()
  }
  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.blob.slice(start, end).stream())
  }
}

/** Opens a ZIP file. Throws `bad_request` for other files. */
export async function openZip(blob: Blob): Promise<ZipFile> {
  const { zip, entries } = await opened(blob).catch(() => {
    throw badRequest(DAMAGED)
  })
  return {
    paths: [...entries.keys()],
    has: (path) => entries.has(path),
    read: (path) => unpacked(zip, entries.get(path)),
  }
}

async function opened(blob: Blob): Promise<{ zip: Zip; entries: Map<string, Entry> }> {
  const open = promisify(fromRandomAccessReader) as (
    reader: RandomAccessReader,
    size: number,
    options: { lazyEntries: boolean; autoClose: boolean },
  ) => Promise<Zip>
  const zip = await open(new BlobReader(blob), blob.size, { lazyEntries: true, autoClose: false })
  const entries = new Map<string, Entry>()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  zip.on("error", reject).on("end", resolve)
  zip.on("entry", (entry: Entry) => {
    entries.set(entry.fileName, entry)
    if (entries.size > PARTS_MAX) reject(new Error("too many parts"))
    else zip.readEntry()
  })
  zip.readEntry()
  await promise
  return { zip, entries }
}

async function* unpacked(zip: Zip, entry: Entry | undefined): AsyncGenerator<Uint8Array> {
  if (!entry) throw badRequest(DAMAGED)
  if (entry.isEncrypted()) throw badRequest("the file is encrypted: save it without a password")
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    throw badRequest("the file is packed in an unusual way: save it anew")
  try {
    const open = promisify(zip.openReadStream.bind(zip)) as (entry: Entry) => Promise<Readable>
    let size = 0
    for await (const piece of await open(entry)) {
      size += piece.length
      if (isBomb(size, entry.compressedSize)) throw badRequest(BOMB)
      yield piece
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw badRequest(DAMAGED)
  }
}
