// The records of a ZIP file (PKWARE APPNOTE 6.3.10, sections 4.3 to 4.5); numbers are little-endian.

export const UINT32_MAX = 0xffff_ffff

/** An entry of a ZIP file; sizes in bytes. */
export interface ZipEntry {
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

type Field = [width: 2 | 4 | 8, value: number]

function record(...fields: Field[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [width]) => sum + width, 0))
  let at = 0
  for (const [width, value] of fields) {
    if (width === 8) bytes.writeBigUInt64LE(BigInt(value), at)
    else bytes.writeUIntLE(value, at, width)
    at += width
  }
  return bytes
}

function isHuge(entry: ZipEntry, limit: number): boolean {
  return entry.size >= limit || entry.packed >= limit
}

function method(version: number): Field[] {
  return [
    [2, version],
    [2, SIZES_FOLLOW],
    [2, DEFLATED],
    [2, 0],
    [2, DATE],
  ]
}

export function localHeader({ path, maybeHuge }: ZipEntry): Buffer {
  const unknown: Field[] = [
    [4, 0],
    [4, 0],
    [4, 0],
  ]
  const header = record(
    [4, 0x04034b50],
    ...method(maybeHuge ? ZIP64 : CLASSIC),
    ...unknown,
    [2, path.length],
    [2, 0],
  )
  return Buffer.concat([header, path])
}

export function dataDescriptor(entry: ZipEntry, limit: number): Buffer {
  const width = isHuge(entry, limit) ? 8 : 4
  return record([4, 0x08074b50], [4, entry.crc], [width, entry.packed], [width, entry.size])
}

export function directoryRecord(entry: ZipEntry, limit: number): Buffer {
  const huge = isHuge(entry, limit)
  const version = huge || entry.maybeHuge ? ZIP64 : CLASSIC
  const sizes = huge ? [UINT32_MAX, UINT32_MAX] : [entry.packed, entry.size]
  const extra = huge ? record([2, 0x0001], [2, 16], [8, entry.size], [8, entry.packed]) : Buffer.alloc(0)
  const head = record(
    [4, 0x02014b50],
    [2, version],
    ...method(version),
    [4, entry.crc],
    [4, sizes[0]!],
    [4, sizes[1]!],
    [2, entry.path.length],
    [2, extra.length],
    // No comment, disk 0, no file attributes.
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, entry.offset],
  )
  return Buffer.concat([head, entry.path, extra])
}

/** The end of the file, after a directory of so many entries, so many bytes long, that starts at `offset`. */
export function endRecords(
  directory: { entries: number; length: number; offset: number },
  limit: number,
): Buffer {
  const { entries, length, offset } = directory
  const far = offset >= limit
  const end = record(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, entries],
    [2, entries],
    [4, length],
    [4, far ? UINT32_MAX : offset],
    [2, 0],
  )
  if (!far) return end
  const end64: Field[] = [
    [4, 0x06064b50],
    [8, 44],
    [2, ZIP64],
    [2, ZIP64],
    [4, 0],
    [4, 0],
  ]
  const totals: Field[] = [
    [8, entries],
    [8, entries],
    [8, length],
    [8, offset],
  ]
  const locator: Field[] = [
    [4, 0x07064b50],
    [4, 0],
    [8, offset + length],
    [4, 1],
  ]
  return Buffer.concat([record(...end64, ...totals, ...locator), end])
}
