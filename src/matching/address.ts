import { memoizeShortText } from "../text/text.ts"
import table from "./data/street-words.json"
import { foldLetters, isUnspacedWord } from "./fold.ts"
import { lettersOf } from "./similarity.ts"
import { type ComparedWords, PRIOR, wordsFrom } from "./words.ts"

export interface PostalAddress extends ComparedWords {
  /** House numbers in the order they stand there: `33-35` has two. */
  house: string[]
  /** Letters and numbers of suites, flats and floors. */
  units: string[]
  /** The word that tells the street best; "" without any. */
  street: string
  /** All words in one. */
  glued: string
  /** The letters of all words, as bits. */
  gluedLetters: number
}

const TYPES = new Map(
  Object.entries(table.types).flatMap(([type, words]) => words.map((word) => [word, type] as const)),
)
const TYPE_NAMES = new Set(Object.keys(table.types))
const UNITS = new Set(table.units)
const SMALL = new Set(table.small)
const ORDINALS = new Map(Object.entries(table.ordinals))
const SUFFIXES = table.suffixes
const ASCII = /^[\0-\x7f]*$/
const ASCII_TOKENS = /\d+|[a-z]+|[-/]/g
const NUMBER = /^\p{N}/u
const HAS_DIGIT = /\d/
const TOKENS = /\p{N}+|(?:(?!\p{N})[\p{L}\p{M}])+|[-/]/gu

/**
 * The parts of a postal address. What stands at its end and is the lead's own postal code, city, state or country is
 * left out (`own`, lists of folded words).
 */
export function addressOf(
  text: string | null | undefined,
  ownPlaces: readonly (readonly string[])[],
): PostalAddress | undefined {
  if (!text) return undefined
  const tokens = tokensOf(text)
  const isOwn = (token: string) => ownPlaces.some((words) => words.includes(token))
  while (tokens.length > 1 && isOwn(tokens.at(-1)!)) tokens.pop()
  const house: string[] = []
  const units: string[] = []
  const words: string[] = []
  let numberEnded = -2
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!
    const next = tokens[i + 1]
    if (UNITS.has(token) && i > 0 && next !== undefined && /^(\d+[a-z]?|[a-z])$/.test(next)) {
      units.push(next)
      i++
    } else if (/^\d{1,5}[a-z]?$/.test(token)) {
      if (house.length === 0 || numberEnded === i - 1) {
        house.push(token)
        numberEnded = i
      } else words.push(token)
    } else if (token.length > 1 || !SMALL.has(token)) words.push(...streetWords(token))
  }
  const unique = [...new Set(words)].slice(0, 16)
  if (unique.length === 0 && house.length === 0) return undefined
  const glued = unique.filter((word) => !SMALL.has(word)).join("")
  const telling = unique.filter((word) => !TYPE_NAMES.has(word) && !SMALL.has(word))
  return {
    ...wordsFrom(unique, (word) => ({
      factor: SMALL.has(word) ? 0.05 : TYPE_NAMES.has(word) ? 0.2 : /^\d/.test(word) ? 0.7 : 1,
      prior: PRIOR.telling,
    })),
    house: house.slice(0, 4),
    units: units.slice(0, 4),
    glued,
    gluedLetters: lettersOf(glued),
    street: (telling.length > 0 ? telling : unique)[0] ?? "",
  }
}

/** Whether a word of a name is the street of an address: `Lindenstraße` in `Lindenstr. 4`. */
export function isOfStreet(word: string, { street }: PostalAddress): boolean {
  return (
    street.length > 2 && (word === street || (word.startsWith(street) && streetWords(word)[0] === street))
  )
}

/** Whether a text is a street with a house number by its words (`Torstr. 12`, `12 King Street`). */
export function isStreet(text: string | null | undefined): boolean {
  if (!text || !HAS_DIGIT.test(text)) return false
  const tokens = tokensOf(text)
  return tokens.length > 1 && tokens.some((token) => streetWords(token).some((word) => TYPE_NAMES.has(word)))
}

/** Words, numbers with a letter that stands at them, ordinals without their ending. */
function tokensOf(text: string): string[] {
  const folded = foldLetters(text).replace(/['’`´.]/g, (mark) => (mark === "." ? ". " : ""))
  const out: string[] = []
  let numberEnd = -1
  for (const { 0: token, index } of folded
    .replaceAll("#", " unit ")
    .matchAll(ASCII.test(folded) ? ASCII_TOKENS : TOKENS)) {
    if (token === "-" || token === "/") continue
    const atNumber = index === numberEnd
    if (NUMBER.test(token)) {
      numberEnd = index + token.length
      out.push(token.replace(/^0+(?=\d)/, ""))
    } else if (atNumber && /^(st|nd|rd|th)$/.test(token)) out.push(`${out.pop()}th`)
    else if (atNumber && token.length === 1 && token <= "z") out.push(out.pop()! + token)
    else out.push(ORDINALS.has(token) ? `${ORDINALS.get(token)}th` : token)
  }
  return out
}

/** A word in its one form; `hauptstr` is two, scripts without spaces are cut in pairs. */
const streetWords = memoizeShortText(20_000, (word): string[] => {
  const type = TYPES.get(word)
  if (type) return [type]
  if (isUnspacedWord(word)) {
    const characters = [...word]
    return characters.length < 2 ? characters : characters.slice(1).map((one, i) => characters[i]! + one)
  }
  const suffix = SUFFIXES.find((one) => word.length > one.length + 2 && word.endsWith(one))
  if (suffix) return [word.slice(0, -suffix.length), TYPES.get(suffix) ?? suffix]
  return [word]
})
