// How two texts are held to be the same, in one place for deduplication, filters and sorting.
import { distance } from "fastest-levenshtein"
import { barePhone } from "./phone-dressing.ts"

const ASCII = /^[\0-\x7f]*$/

/**
 * The form in which texts are compared "ignoring case": composed (NFC) and lower-cased, in any script. Every lower
 * case sigma is the same one: which of the two JavaScript writes depends on what follows, so that a word and its
 * beginning would differ.
 */
export function fold(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : text.normalize("NFC").toLowerCase().replaceAll("ς", "σ")
}

/** Phones of digits and these separators need no Unicode tables. */
const PLAIN_PHONE = /^[\d +()./-]*$/

/** Between a phone and its extension in a key, which has no other signs. */
export const EXTENSION_MARK = "#"

/**
 * A phone number's letters and digits, without spaces, punctuation, a leading `+` or `00` and what stands around it, so that
 * `+49 30 1234`, `Tel. 0049 (30) 12-34` are equal; an extension is behind a mark. Undefined when nothing is left.
 */
export function phoneKey(phone: string): string | undefined {
  if (PLAIN_PHONE.test(phone)) return withoutZeros(phone.replaceAll(/\D+/g, "")) || undefined
  const { number, extension } = barePhone(phone)
  const key = withoutZeros(fold(number.replaceAll(/[^\p{L}\p{N}]+/gu, "")))
  return (extension === undefined ? key : `${key}${EXTENSION_MARK}${extension}`) || undefined
}

const withoutZeros = (key: string) => (key.startsWith("00") ? key.slice(2) : key)

/** True for text that SQLite and JSON carry unharmed: no NUL, no lone surrogates. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0")
}

/** At most `most` characters of a text for an error message. */
export function excerpt(text: string, most = 60): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`
}

/** Longer names are not compared: the cost grows with the square of their length. */
const NAME_MAX = 100

/** The name among `known` that is closest to a mistyped one, when it is close at all; none for a very long one. */
export function closest(name: string, names: Iterable<string>): string | undefined {
  if (name.length > NAME_MAX) return undefined
  let best: string | undefined
  let least = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const candidate of names) {
    const apart = haveSameLetters(name, candidate) ? 1 : distance(fold(name), fold(candidate))
    if (apart < least) {
      least = apart
      best = candidate
    }
  }
  return best
}

/** True for letters in another order, as in "emial": one slip, though two edits. */
function haveSameLetters(a: string, b: string): boolean {
  return a.length === b.length && [...fold(a)].sort().join("") === [...fold(b)].sort().join("")
}

/** A whole number with separators: `1,000`. toLocaleString would load the locales at every start. */
export function grouped(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ",")
}

/** So many of something: `1 row`, `2,000 rows`. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${grouped(n)} ${n === 1 ? one : many}`
}

/** Below 0 when the first comes first, by code points, as UTF-8 is compared byte by byte: SQLite's own order. */
export function compareCodePoints(a: string, b: string): number {
  let at = 0
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1)
}

/** Longer texts are computed each time: they seldom repeat, and any client may send them. */
const LENGTH_MAX = 64

/**
 * `make`, which must depend on the text alone, with its results for up to `most` short texts kept. Forgets all of them
 * when there would be more.
 */
export function memoizeShortText<T extends {}>(most: number, make: (text: string) => T): (text: string) => T {
  const results = new Map<string, T>()
  return (text) => {
    const cached = results.get(text)
    if (cached !== undefined) return cached
    const result = make(text)
    if (text.length > LENGTH_MAX) return result
    if (results.size >= most) results.clear()
    results.set(text, result)
    return result
  }
}
