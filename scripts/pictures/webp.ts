// A moving WebP put together from still ones, by the container format of RFC 9649: browsers encode stills alone.

/** A part of the picture that changes, and how long it stays so. Offsets are even. */
export interface Frame {
  /** A WebP file of this part. */
  still: Uint8Array
  x: number
  y: number
  width: number
  height: number
  ms: number
}

const ANIMATION = 0x02
const ALPHA = 0x10
/** The part takes the place of what was there. */
const NO_BLENDING = 0x02

/** A WebP file that shows the frames over each other, again and again. */
export function movingWebp(width: number, height: number, frames: readonly Frame[]): Uint8Array {
  const header = new Uint8Array(10)
  header[0] = ANIMATION | ALPHA
  header.set(uint24(width - 1), 4)
  header.set(uint24(height - 1), 7)
  // Background and number of rounds: none, for ever.
  const all = [chunk("VP8X", header), chunk("ANIM", new Uint8Array(6)), ...frames.map(frameChunk)]
  return chunk("RIFF", joined([new TextEncoder().encode("WEBP"), ...all]))
}

/** How long one round of a moving WebP takes, in milliseconds, and its size in pixels. Throws when it is none. */
export function aboutWebp(file: Uint8Array): { ms: number; width: number; height: number; frames: number } {
  const chunks = chunksOf(file)
  const header = chunks.find(({ name }) => name === "VP8X")?.data
  if (!header || !(header[0]! & ANIMATION)) throw new Error("it is no moving WebP")
  const frames = chunks.filter(({ name }) => name === "ANMF")
  return {
    ms: frames.reduce((sum, { data }) => sum + readUint24(data, 12), 0),
    width: readUint24(header, 4) + 1,
    height: readUint24(header, 7) + 1,
    frames: frames.length,
  }
}

function frameChunk({ still, x, y, width, height, ms }: Frame): Uint8Array {
  if (x % 2 || y % 2) throw new Error(`a frame begins at even pixels, not at ${x}, ${y}`)
  const about = [x / 2, y / 2, width - 1, height - 1, ms].flatMap(uint24)
  const image = chunksOf(still).filter(({ name }) => /^(ALPH|VP8 |VP8L)$/.test(name))
  return chunk(
    "ANMF",
    joined([Uint8Array.of(...about, NO_BLENDING), ...image.map(({ name, data }) => chunk(name, data))]),
  )
}

function chunksOf(file: Uint8Array): { name: string; data: Uint8Array }[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const text = (at: number) => String.fromCharCode(...file.subarray(at, at + 4))
  if (text(0) !== "RIFF" || text(8) !== "WEBP") throw new Error("it is no WebP")
  const chunks = []
  for (let at = 12; at + 8 <= file.length; ) {
    const size = view.getUint32(at + 4, true)
    chunks.push({ name: text(at), data: file.subarray(at + 8, at + 8 + size) })
    at += 8 + size + (size % 2)
  }
  return chunks
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const size = new Uint8Array(4)
  new DataView(size.buffer).setUint32(0, data.length, true)
  return joined([new TextEncoder().encode(name), size, data, new Uint8Array(data.length % 2)])
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Bun.concatArrayBuffers(parts.map((part) => part.slice())))
}

const uint24 = (value: number) => [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff]
const readUint24 = (data: Uint8Array, at: number) => data[at]! | (data[at + 1]! << 8) | (data[at + 2]! << 16)
