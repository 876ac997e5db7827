import { badRequest } from "../runtime/errors.ts"
import { excerpt } from "../text/text.ts"

/** Characters that are handed over at a time, at least: readers do their best with more than a few. */
const PIECE = 32 * 1024
/** The encoding assumed for text that is not UTF-8 and shows no other: it reads Latin-1 as well. */
const WESTERN = "windows-1252"

/** An encoding that was found out, and a word that shows it. */
export interface GuessedEncoding {
  name: string
  example: string
}

/**
 * The text of bytes in large pieces, without a byte order mark; line ends that are nothing but CR become LF. The
 * encoding is found out: UTF-8, UTF-16 with or without its mark, else the one that its letters show, unless `said` names
 * it. Throws `bad_request` for an encoding that nobody knows.
 */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  said?: string,
  onGuess?: (guess: GuessedEncoding) => void,
): AsyncGenerator<string> {
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
    decode ??= decoderOf(chunk, said, onGuess)
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
function decoderOf(
  start: Uint8Array,
  said: string | undefined,
  onGuess: ((guess: GuessedEncoding) => void) | undefined,
): Decoder {
  const name = said ?? wideEncodingOf(start)
  return name === undefined ? guessing(onGuess) : plain(name)
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
function guessing(onGuess?: (guess: GuessedEncoding) => void): Decoder {
  let other: Decoder | undefined
  let hasWide = false
  let isBegun = false
  let rest: Uint8Array = new Uint8Array()
  return (bytes, isLast) => {
    if (other) return other(bytes, isLast)
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
    const name = encodingOf(all)
    other = plain(name)
    rest = new Uint8Array()
    const both = other(all, isLast)
    const at = both.search(OTHER)
    const words = both.slice(Math.max(0, at - 30), at + 30).split(/[\s"',;|]+/)
    const example = words.find((word) => OTHER.test(word)) ?? ""
    onGuess?.({ name, example: excerpt(example) })
    return both
  }
}

/** A character that is not ASCII. */
const OTHER = /[^\t\n\r -~]/

/** Bytes that are looked at for the encoding. */
const LOOKED_AT = 64 * 1024
/** Signs of Windows-1252 within words, where Windows-1250 has letters: `£ód¼` is Łódź. */
const CENTRAL = /\p{L}[¹³¿¼](?=\p{Ll})|(?<![\p{L}\d])[£¯](?=[\p{Ll}¹³¿¼])|\p{Ll}{2}[¹³¼](?![\p{L}\d])/gu

/** The encoding of text that is not UTF-8, as its letters stand together. */
function encodingOf(bytes: Uint8Array): string {
  const start = bytes.subarray(0, LOOKED_AT)
  let [high, pairs, low, late] = [0, 0, 0, 0]
  for (const [i, byte] of start.entries()) {
    if (byte < 0x80) continue
    high++
    if (start[i + 1]! >= 0x80) pairs++
    if (byte < 0xa0) low++
    if (byte >= 0xe0) late++
  }
  // Letters of one alphabet stand alone among ASCII.
  if (pairs * 3 > high) {
    if (low * 5 > high && isReadBy("shift_jis", start)) return "shift_jis"
    if (late * 2 > high) return "windows-1251"
    if (isReadBy("gb18030", start)) return "gb18030"
  }
  const signs = new TextDecoder(WESTERN).decode(start).match(CENTRAL)?.length ?? 0
  return signs * 5 > high ? "windows-1250" : WESTERN
}

function isReadBy(name: string, bytes: Uint8Array): boolean {
  try {
    // Its last character may be cut off.
    new TextDecoder(name as Bun.Encoding, { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
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
