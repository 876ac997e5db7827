// Compresses JSON answers for clients that ask for it.
import { promisify } from "node:util"
import { gzip as gzipInPool } from "node:zlib"

/** Bytes from which an answer is compressed: a shorter one fits into a packet or two as it is. */
export const COMPRESSED_FROM = 1024
/** Bytes that take about a millisecond; longer answers are compressed on a thread of the pool. */
const AT_ONCE = 256 * 1024

const gzipAsync = promisify(gzipInPool)

type Coding = "gzip" | "zstd"
type Bytes = Uint8Array<ArrayBuffer>

/** The coding that a client prefers, zstd where it takes both alike; undefined for none. */
export function codingOf(accepted: string | null): Coding | undefined {
  if (accepted === null || accepted === "" || accepted === "identity") return undefined
  let best: Coding | undefined
  let most = 0
  for (const part of accepted.toLowerCase().split(",", 20)) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim())
    if (name !== "gzip" && name !== "zstd" && name !== "x-gzip") continue
    const quality = parameters.find((parameter) => parameter.startsWith("q="))
    const weight = quality === undefined ? 1 : Number(quality.slice(2))
    if (weight > most || (weight === most && weight > 0 && name === "zstd")) {
      best = name === "zstd" ? "zstd" : "gzip"
      most = weight
    }
  }
  return best
}

/** The compressed body: at once where that is quick. */
export function compressed(body: string | Bytes, coding: Coding): Bytes | Promise<Bytes> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body
  if (bytes.length <= AT_ONCE)
    return coding === "zstd" ? asBytes(Bun.zstdCompressSync(bytes)) : Bun.gzipSync(bytes, { level: 1 })
  return coding === "zstd"
    ? Bun.zstdCompress(bytes).then(asBytes)
    : gzipAsync(bytes, { level: 1 }).then(asBytes)
}

function asBytes(buffer: Buffer): Bytes {
  return new Uint8Array(buffer.buffer as ArrayBuffer, buffer.byteOffset, buffer.byteLength)
}
