import { badRequest } from "../core/errors.ts"
import { excerpt } from "../core/text.ts"

/** Characters that are handed over at a time, at least: readers do their best with more than a few. */
const PIECE = 32 * 1024
/** The encoding assumed for text that is not UTF-8: it reads Latin-1 as well. */
const WESTERN = "windows-1252"

/**
 * The text of bytes in large pieces, without a byte order mark; line ends that are nothing but CR become LF. The
 * encoding is found out: UTF-8, UTF-16 with or without its mark, else Windows-1252, unless `said` names it. Throws
 * `bad_request` for an encoding that nobody knows.
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>, said?: string): AsyncGenerator<string> {
  let decode: Decoder | undefined
  let piece = ""
  let isOldMac: boolean | undefined
  const ready = () => {
    isOldMac ??= piece.includes("\r") && !piece.includes("\n")
    const text = isOldMac ? piece.replaceAll("\r", "\n") : piece
    piece = ""
    return text
  }
  for await (const chunk of beginning(bytes)) {
    decode ??= decoderOf(chunk, said)
    piece += decode(chunk, false)
    if (piece.length >= PIECE) yield ready()
  }
  if (decode) piece += decode(new Uint8Array(), true)
  if (piece !== "") yield ready()
}

/** Passes chunks on, the first at least 4 bytes long, so that it tells the format. */
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

type Decoder = (bytes: Uint8Array, isLast: boolean) => string

/** Throws `bad_request` for an encoding that nobody knows. */
function decoderOf(start: Uint8Array, said: string | undefined): Decoder {
  const name = said ?? wideEncodingOf(start)
  return name === undefined ? guessing() : plain(name)
}

function plain(name: string): Decoder {
  const decoder = open(name)
  return (bytes, isLast) => decoder.decode(bytes, { stream: !isLast })
}

function open(name: string): TextDecoder {
  try {
    return new TextDecoder(name as Bun.Encoding)
  } catch {
    throw badRequest(
      `encoding "${excerpt(name)}" is not known: use utf-8, windows-1252, iso-8859-1, iso-8859-15 or utf-16le`,
    )
  }
}

/** UTF-16 by its mark, or by the zero bytes of what is ASCII in it. */
function wideEncodingOf([a, b, c, d]: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (a === 0xff && b === 0xfe) return "utf-16le"
  if (a === 0xfe && b === 0xff) return "utf-16be"
  if (a === 0 && b !== 0 && c === 0 && d !== 0) return "utf-16be"
  return a !== 0 && b === 0 && c !== 0 && d === 0 ? "utf-16le" : undefined
}

/**
 * UTF-8 until a byte says otherwise. What came before it was ASCII alone in a file of another encoding; in a file that
 * is UTF-8 elsewhere only the lines that are none are read otherwise.
 */
function guessing(): Decoder {
  const western = open(WESTERN)
  let isWestern = false
  let hasWide = false
  let isBegun = false
  let rest: Uint8Array = new Uint8Array()
  return (bytes, isLast) => {
    if (isWestern) return western.decode(bytes)
    const all = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes
    const end = isLast ? all.length : wholeEnd(all)
    rest = all.subarray(end)
    const whole = all.subarray(0, end)
    const text = utf8(whole)
    if (text !== undefined) {
      if (!hasWide && text.length < whole.length) hasWide = true
      const isFirst = !isBegun && text !== ""
      isBegun ||= isFirst
      return isFirst && text.startsWith("\ufeff") ? text.slice(1) : text
    }
    isBegun = true
    if (hasWide) return byLine(whole)
    isWestern = true
    const both = western.decode(all)
    rest = new Uint8Array()
    return both
  }
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function byLine(bytes: Uint8Array): string {
  let text = ""
  for (let from = 0; from < bytes.length; ) {
    const at = bytes.indexOf(10, from)
    const line = bytes.subarray(from, at < 0 ? bytes.length : at + 1)
    text += utf8(line) ?? new TextDecoder(WESTERN).decode(line)
    from += line.length
  }
  return text
}

/** Where the last character that is whole ends. */
function wholeEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return back < length ? bytes.length - back : bytes.length
    }
  }
  return bytes.length
}
