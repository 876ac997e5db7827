// ZIP files written while they are sent. Sizes are not known before the data is out, so a "data descriptor" after
// the data tells them; most readers take them from the directory at the end.
// Why not a library: yazl 3.3 takes 1.5 to 1.8 times as long, as it packs one piece after the other on the same thread.
import { promisify } from "node:util"
import { constants, crc32, deflateRaw } from "node:zlib"

// The records of a ZIP file (PKWARE APPNOTE 6.3.10, sections 4.3 to 4.5); numbers are little-endian.

const UINT32_MAX = 0xffff_ffff

/** An entry of a ZIP file; sizes in bytes. */
interface ZipEntry {
  path: Buffer
  maybeHuge: boolean
  crc: number
  /** Deflated. */
  packed: number
  size: number
  /** Where its local header starts in the file. */
  offset: number
}

const CLASSIC = 20
const ZIP64 = 45
const SIZES_FOLLOW = 0x0008
const DEFLATED = 8
// The first day ZIP knows, 1980-01-01: equal leads make equal files.
const DATE = 0x0021

type Width = 2 | 4 | 8

/** Numbers of these widths in bytes, one behind the other. */
function record(widths: readonly Width[], values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(widths.reduce<number>((sum, width) => sum + width, 0))
  let at = 0
  for (const [i, width] of widths.entries()) {
    if (width === 8) bytes.writeBigUInt64LE(BigInt(values[i]!), at)
    else bytes.writeUIntLE(values[i]!, at, width)
    at += width
  }
  return bytes
}

function isHuge(entry: ZipEntry, limit: number): boolean {
  return entry.size >= limit || entry.packed >= limit
}

/** Version, flags, method, time and date. */
const METHOD: readonly Width[] = [2, 2, 2, 2, 2]
const method = (version: number) => [version, SIZES_FOLLOW, DEFLATED, 0, DATE]

/** Checksum and sizes are zero, as they are not known yet. */
function localHeader({ path, maybeHuge }: ZipEntry): Buffer {
  const widths: Width[] = [4, ...METHOD, 4, 4, 4, 2, 2]
  const values = [0x04034b50, ...method(maybeHuge ? ZIP64 : CLASSIC), 0, 0, 0, path.length, 0]
  return Buffer.concat([record(widths, values), path])
}

function dataDescriptor(entry: ZipEntry, limit: number): Buffer {
  const width = isHuge(entry, limit) ? 8 : 4
  return record([4, 4, width, width], [0x08074b50, entry.crc, entry.packed, entry.size])
}

function directoryRecord(entry: ZipEntry, limit: number): Buffer {
  const { path, crc, packed, size, offset } = entry
  const huge = isHuge(entry, limit)
  const version = huge || entry.maybeHuge ? ZIP64 : CLASSIC
  const sizes = huge ? [UINT32_MAX, UINT32_MAX] : [packed, size]
  const extra = huge ? record([2, 2, 8, 8], [0x0001, 16, size, packed]) : Buffer.alloc(0)
  // Behind the lengths: no comment, disk 0, no file attributes.
  const head = record(
    [4, 2, ...METHOD, 4, 4, 4, 2, 2, 2, 2, 2, 4, 4],
    [0x02014b50, version, ...method(version), crc, ...sizes, path.length, extra.length, 0, 0, 0, 0, offset],
  )
  return Buffer.concat([head, path, extra])
}

/** The end of the file, after a directory of so many entries, so many bytes long, that starts at `offset`. */
function endRecords(directory: { entries: number; length: number; offset: number }, limit: number): Buffer {
  const { entries, length, offset } = directory
  const far = offset >= limit
  const end = record(
    [4, 2, 2, 2, 2, 4, 4, 2],
    [0x06054b50, 0, 0, entries, entries, length, far ? UINT32_MAX : offset, 0],
  )
  if (!far) return end
  const end64 = record(
    [4, 8, 2, 2, 4, 4, 8, 8, 8, 8],
    [0x06064b50, 44, ZIP64, ZIP64, 0, 0, entries, entries, length, offset],
  )
  const locator = record([4, 4, 8, 4], [0x07064b50, 0, offset + length, 1])
  return Buffer.concat([end64, locator, end])
}

/** One file of a ZIP. */
export interface ZipPart {
  path: string
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** True when it may come to 4 GiB: Excel reads such a part only if its first header already tells so. */
  maybeHuge?: boolean
}

// Level 4 makes files 3 % larger than the usual 6 and takes a fifth less time.
const PIECE = { level: 4, finishFlush: constants.Z_SYNC_FLUSH }
const LAST_PIECE = Uint8Array.of(0x03, 0x00)

const deflate = promisify<Uint8Array, typeof PIECE, Buffer>(deflateRaw)

/**
 * The bytes of a ZIP file with these parts. Only a few numbers per part are kept, and data is read only as the
 * bytes are. Parts and offsets from `limit` on are told in ZIP64 form (a parameter for tests).
 */
export async function* zip(parts: Iterable<ZipPart>, limit = UINT32_MAX): AsyncGenerator<Uint8Array> {
  const entries: ZipEntry[] = []
  let offset = 0
  for (const { path, chunks, maybeHuge = false } of parts) {
    const entry = { path: Buffer.from(path), maybeHuge, crc: 0, packed: 0, size: 0, offset }
    const header = localHeader(entry)
    yield header
    yield* packed(chunks, entry)
    const descriptor = dataDescriptor(entry, limit)
    yield descriptor
    offset += header.length + entry.packed + descriptor.length
    entries.push(entry)
  }
  const directory = Buffer.concat(entries.map((entry) => directoryRecord(entry, limit)))
  yield directory
  yield endRecords({ entries: entries.length, length: directory.length, offset }, limit)
}

/**
 * The chunks deflated, and counted in `entry`. Each is packed by itself on zlib's own threads and ends on a byte
 * boundary, so that the pieces make up one stream; while one is packed the next is already being made.
 */
async function* packed(chunks: ZipPart["chunks"], entry: ZipEntry): AsyncGenerator<Uint8Array> {
  let ahead: Promise<Uint8Array> | undefined
  const piece = async (bytes: Promise<Uint8Array>) => {
    entry.packed += (await bytes).length
    return bytes
  }
  for await (const chunk of chunks) {
    entry.crc = crc32(chunk, entry.crc)
    entry.size += chunk.length
    const before = ahead
    ahead = deflate(chunk, PIECE)
    if (before) yield piece(before)
  }
  if (ahead) yield piece(ahead)
  yield piece(Promise.resolve(LAST_PIECE))
}
