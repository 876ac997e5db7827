// ZIP archives of a few small texts, uncompressed.

const CRC = Array.from({ length: 256 }, (_, n) => {
  let crc = n
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1
  return crc >>> 0
})

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = CRC[(crc ^ byte) & 255]! ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

/** Numbers of two and four bytes, lowest first. */
function packed(parts: readonly (readonly [value: number, bytes: 2 | 4])[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap(([value, bytes]) => Array.from({ length: bytes }, (_, i) => (value >>> (8 * i)) & 255)),
  )
}

/** The first day that the format knows, 1980-01-01: equal texts make equal archives. */
const DATE = 33
const UTF8 = 0x800

export function zipOf(files: readonly (readonly [name: string, text: string])[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder()
  const [all, directory]: [Uint8Array[], Uint8Array[]] = [[], []]
  const sizeOf = (chunks: readonly Uint8Array[]) => chunks.reduce((sum, { length }) => sum + length, 0)
  for (const [file, text] of files) {
    const [name, body] = [encoder.encode(file), encoder.encode(text)]
    const common = packed([
      ...([
        [20, 2],
        [UTF8, 2],
        [0, 2],
        [0, 2],
        [DATE, 2],
      ] as const),
      ...([
        [crc32(body), 4],
        [body.length, 4],
        [body.length, 4],
        [name.length, 2],
        [0, 2],
      ] as const),
    ])
    const at = sizeOf(all)
    all.push(packed([[0x04034b50, 4]]), common, name, body)
    directory.push(
      packed([
        [0x02014b50, 4],
        [20, 2],
      ]),
      common,
      packed([
        [0, 2],
        [0, 2],
        [0, 2],
        [0, 4],
        [at, 4],
      ]),
      name,
    )
  }
  const [from, size] = [sizeOf(all), sizeOf(directory)]
  const count = files.length
  const end = packed([
    ...([
      [0x06054b50, 4],
      [0, 2],
      [0, 2],
      [count, 2],
      [count, 2],
    ] as const),
    ...([
      [size, 4],
      [from, 4],
      [0, 2],
    ] as const),
  ])
  const archive = new Uint8Array(from + size + end.length)
  let at = 0
  for (const chunk of [...all, ...directory, end]) {
    archive.set(chunk, at)
    at += chunk.length
  }
  return archive
}
