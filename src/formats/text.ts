import { badRequest } from "../core/errors.ts"

/** Characters that are handed over at a time, at least: readers do their best with more than a few. */
const PIECE = 32 * 1024

/**
 * The text of bytes in UTF-8, or UTF-16 with a byte order mark, in large pieces without the mark; line ends that are
 * nothing but CR become LF. Throws `bad_request` that names the line where it is no such text.
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decode: ReturnType<typeof decoder> | undefined
  let piece = ""
  let isOldMac: boolean | undefined
  const ready = () => {
    isOldMac ??= piece.includes("\r") && !piece.includes("\n")
    const text = isOldMac ? piece.replaceAll("\r", "\n") : piece
    piece = ""
    return text
  }
  for await (const chunk of beginning(bytes)) {
    decode ??= decoder(chunk)
    piece += decode(chunk, false)
    if (piece.length >= PIECE) yield ready()
  }
  if (decode) piece += decode(new Uint8Array(), true)
  if (piece !== "") yield ready()
}

/** The same chunks, with the first at least 4 bytes long, so that it tells what the file is. */
export async function* beginning(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let first: Uint8Array | undefined = new Uint8Array()
  for await (const chunk of bytes) {
    if (!first) yield chunk
    else if (first.length + chunk.length < 4) first = Buffer.concat([first, chunk])
    else {
      yield first.length > 0 ? Buffer.concat([first, chunk]) : chunk
      first = undefined
    }
  }
  if (first && first.length > 0) yield first
}

function decoder(start: Uint8Array): (bytes: Uint8Array, isLast: boolean) => string {
  const encoding = encodingOf(start)
  const text = new TextDecoder(encoding, { fatal: true })
  let lines = 1
  return (bytes, isLast) => {
    try {
      const decoded = text.decode(bytes, { stream: !isLast })
      for (let at = decoded.indexOf("\n"); at >= 0; at = decoded.indexOf("\n", at + 1)) lines++
      return decoded
    } catch {
      const name = encoding === "utf-8" ? "UTF-8" : "UTF-16"
      throw badRequest(
        `line ${lines + goodLines(bytes, encoding)} is not valid ${name}: save the file as UTF-8`,
      )
    }
  }
}

/** Throws `bad_request` for UTF-16 that does not say so. */
function encodingOf([a, b, c, d]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (a === 0xff && b === 0xfe) return "utf-16le"
  if (a === 0xfe && b === 0xff) return "utf-16be"
  const isWide = (a === 0 && b !== 0 && c === 0 && d !== 0) || (a !== 0 && b === 0 && c !== 0 && d === 0)
  if (isWide) throw badRequest("the file looks like UTF-16 without a byte order mark: save it as UTF-8")
  return "utf-8"
}

/** Whole lines before the first that cannot be decoded. What a chunk begins with may be the end of a character. */
function goodLines(bytes: Uint8Array, encoding: "utf-8" | "utf-16le" | "utf-16be"): number {
  if (encoding !== "utf-8") return 0
  const strict = new TextDecoder("utf-8", { fatal: true })
  let lines = 0
  let from = 0
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
    try {
      strict.decode(bytes.subarray(lines === 0 ? firstCharacter(bytes) : from, end))
    } catch {
      return lines
    }
    lines++
    from = end + 1
  }
  return lines
}

function firstCharacter(bytes: Uint8Array): number {
  let at = 0
  while (at < 3 && (bytes[at]! & 0xc0) === 0x80) at++
  return at
}
