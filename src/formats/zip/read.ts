// Reading a ZIP file (PKWARE APPNOTE 6.3.10, sections 4.3 to 4.5) by its directory, one part at a time.
import { badRequest } from "../../core/errors.ts"

export interface ZipFile {
  has(path: string): boolean
  /** The bytes of a part, unpacked while they are read. Throws `bad_request` when they cannot be. */
  read(path: string): AsyncGenerator<Uint8Array>
}

interface Entry {
  method: number
  packed: number
  offset: number
  isEncrypted: boolean
}

const DAMAGED = "the workbook is damaged or cut off"
const END = 0x06054b50
const END64 = 0x06064b50
const LOCATOR64 = 0x07064b50
const DIRECTORY = 0x02014b50
const LOCAL = 0x04034b50
const UINT32_MAX = 0xffff_ffff
/** The end record and the longest comment after it. */
const END_MAX = 22 + 65_535
/** Far more than the parts of any workbook take. */
const DIRECTORY_MAX = 16 * 1024 * 1024

/** Opens a ZIP file. Throws `bad_request` when it is none. */
export async function openZip(blob: Blob): Promise<ZipFile> {
  const entries = await directoryOf(blob)
  return {
    has: (path) => entries.has(path),
    read: (path) => unpacked(blob, entries.get(path)),
  }
}

async function view(blob: Blob, from: number, length: number): Promise<DataView> {
  if (from < 0 || length < 0 || from + length > blob.size) throw badRequest(DAMAGED)
  return new DataView(await blob.slice(from, from + length).arrayBuffer())
}

async function directoryOf(blob: Blob): Promise<Map<string, Entry>> {
  const { length, offset } = await directoryPlace(blob)
  if (length > DIRECTORY_MAX) throw badRequest(DAMAGED)
  const bytes = await view(blob, offset, length)
  const entries = new Map<string, Entry>()
  for (let at = 0; at + 46 <= length; ) {
    if (bytes.getUint32(at, true) !== DIRECTORY) break
    const name = bytes.getUint16(at + 28, true)
    const extra = bytes.getUint16(at + 30, true)
    const next = at + 46 + name + extra + bytes.getUint16(at + 32, true)
    if (next > length) throw badRequest(DAMAGED)
    const path = new TextDecoder().decode(new Uint8Array(bytes.buffer, at + 46, name))
    entries.set(path, entryOf(bytes, at, at + 46 + name, extra))
    at = next
  }
  return entries
}

function entryOf(bytes: DataView, at: number, extraAt: number, extra: number): Entry {
  const entry = {
    isEncrypted: (bytes.getUint16(at + 8, true) & 1) === 1,
    method: bytes.getUint16(at + 10, true),
    packed: bytes.getUint32(at + 20, true),
    offset: bytes.getUint32(at + 42, true),
  }
  const isHuge = bytes.getUint32(at + 24, true) === UINT32_MAX
  for (let field = extraAt; field + 4 <= extraAt + extra; field += 4 + bytes.getUint16(field + 2, true)) {
    if (bytes.getUint16(field, true) !== 1) continue
    // ZIP64: what is too large stands here, in the order of the record.
    let value = field + 4 + (isHuge ? 8 : 0)
    const end = Math.min(field + 4 + bytes.getUint16(field + 2, true), extraAt + extra)
    for (const key of ["packed", "offset"] as const) {
      if (entry[key] !== UINT32_MAX || value + 8 > end) continue
      entry[key] = Number(bytes.getBigUint64(value, true))
      value += 8
    }
  }
  return entry
}

async function directoryPlace(blob: Blob): Promise<{ length: number; offset: number }> {
  const tailAt = Math.max(0, blob.size - END_MAX)
  const tail = await view(blob, tailAt, blob.size - tailAt)
  for (let at = tail.byteLength - 22; at >= 0; at--) {
    if (tail.getUint32(at, true) !== END) continue
    const place = { length: tail.getUint32(at + 12, true), offset: tail.getUint32(at + 16, true) }
    const isClassic = place.offset !== UINT32_MAX && place.length !== UINT32_MAX
    if (isClassic || at < 20 || tail.getUint32(at - 20, true) !== LOCATOR64) return place
    const end64 = await view(blob, Number(tail.getBigUint64(at - 12, true)), 56)
    if (end64.getUint32(0, true) !== END64) throw badRequest(DAMAGED)
    return { length: Number(end64.getBigUint64(40, true)), offset: Number(end64.getBigUint64(48, true)) }
  }
  throw badRequest(DAMAGED)
}

async function* unpacked(blob: Blob, entry: Entry | undefined): AsyncGenerator<Uint8Array> {
  if (!entry) throw badRequest(DAMAGED)
  if (entry.isEncrypted) throw badRequest("the workbook is encrypted: save it without a password")
  if (entry.method !== 0 && entry.method !== 8)
    throw badRequest("the workbook is packed in an unusual way: save it anew")
  const header = await view(blob, entry.offset, 30)
  if (header.getUint32(0, true) !== LOCAL) throw badRequest(DAMAGED)
  const from = entry.offset + 30 + header.getUint16(26, true) + header.getUint16(28, true)
  if (from + entry.packed > blob.size) throw badRequest(DAMAGED)
  const packed = blob.slice(from, from + entry.packed).stream()
  try {
    yield* entry.method === 0 ? packed : packed.pipeThrough(new DecompressionStream("deflate-raw"))
  } catch {
    throw badRequest(DAMAGED)
  }
}
