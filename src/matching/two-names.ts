// Names that are nearly the same letters, and of two things all the same.
import given from "./data/given-names.json"
import nicknames from "./data/nicknames.json"
import told from "./data/told-apart.json"
import { foldLetters, isUnspacedWord } from "./fold.ts"

/** Spellings of one given name: `Stefan` and `Stephan`, `Hanna` and `Hannah`, `Erik` and `Eric`. */
function spelling(word: string): string {
  return word
    .replace(/sch|ch(?=r)/g, (letters) => (letters === "sch" ? "s" : "k"))
    .replaceAll("ph", "f")
    .replace(/(?<=.)h/g, "")
    .replace(/c(?![eiy])/g, "k")
    .replace(/y|j(?=[^aeiou]|$)/g, "i")
    .replaceAll("z", "s")
    .replaceAll("w", "v")
    .replace(/(.)\1+/g, "$1")
}

const GIVEN = new Set(given.flatMap((line) => line.split(" ")).map((one) => spelling(foldLetters(one))))
/** Words that tell two things apart, with what they stand for, a map for each kind: `sen` and `jun`, `Herr` and `Frau`. */
const TOLD = Object.values(told).map(
  (values) =>
    new Map(
      Object.entries(values).flatMap(([value, words]) =>
        words.map((word) => [foldLetters(word), value] as const),
      ),
    ),
)
/** Words of one letter for `and` and `or`, which say nothing inside of a name. */
const JOINING = new Set(["a", "e", "i", "n", "o", "u", "y", "и", "і", "й", "а"])
const TOKENS = /\p{N}+|(?:(?!\p{N})[\p{L}\p{M}])+/gu
/** Academic titles before a name, which one source has and another leaves out. */
const TITLES = new Set(["dr", "prof", "professor", "doktor", "doctor", "dra", "dott", "mag", "dipl", "ing"])
/** What may stand behind one: `Dr. med.`, `Dr. rer. nat.` */
const OF_TITLES = new Set([
  "med",
  "dent",
  "vet",
  "phil",
  "jur",
  "iur",
  "rer",
  "nat",
  "pol",
  "habil",
  "h",
  "c",
])
/** Longer names are told apart by letters alone. */
const WORDS_MAX = 32

const tokensOf = (name: string): string[] =>
  (foldLetters(name).match(TOKENS) ?? [])
    .slice(0, WORDS_MAX)
    .map((one) => (/^\p{N}/u.test(one) ? one.replace(/^0+(?=.)/, "") : one))

function withoutTitles(tokens: readonly string[]): readonly string[] {
  const begin = tokens.findIndex((word, i) => !TITLES.has(word) && (i === 0 || !OF_TITLES.has(word)))
  return begin > 0 ? tokens.slice(begin) : tokens
}

/**
 * Whether two names are of two things, however few letters they differ by: other numbers, letters and roman numerals of
 * units (`Terminal A`, `Terminal B`), two given names (`Anna`, `Hanna`), father and son, north and south. `2`, `02` and `II` are one number.
 */
export function areTwoNames(one: string, other: string): boolean {
  if (one === other) return false
  const [a, b] = [withoutTitles(tokensOf(one)), withoutTitles(tokensOf(other))]
  if (haveOtherNumbers(a, b)) return true
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [restA, restB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  if (restA.length !== restB.length) return false
  return restA.some((word, i) => {
    const isInside = start + i > 0 && end + restA.length - 1 - i > 0
    return areTwoWords(word, restB[i]!, isInside)
  })
}

function haveOtherNumbers(a: readonly string[], b: readonly string[]): boolean {
  const [numbersA, numbersB] = [numbersIn(a), numbersIn(b)]
  return (
    numbersA.length > 0 && numbersA.length === numbersB.length && numbersA.join(" ") !== numbersB.join(" ")
  )
}

/** In the order of their values, since words change places. Letters that may be roman are numbers only at the end. */
function numbersIn(tokens: readonly string[]): string[] {
  return tokens
    .flatMap((token, i) =>
      /^\p{N}/u.test(token) ? [token] : i > 0 && isRoman(token) ? [romanValue(token)] : [],
    )
    .sort()
}

const isRoman = (token: string) => token.length > 1 && ROMAN_NUMBER.test(token)

function areTwoWords(a: string, b: string, isInside: boolean): boolean {
  if (areToldApart(a, b)) return true
  // A script without spaces has its words in one: the characters tell (`第一小学`, `第二小学`).
  if (a.length === b.length && isUnspacedWord(a) && isUnspacedWord(b)) {
    for (let i = 0; i < a.length; i++) if (areToldApart(a[i]!, b[i]!)) return true
    return false
  }
  const [unitA, unitB] = [unitOf(a), unitOf(b)]
  if (unitA !== undefined && unitB !== undefined)
    return unitA !== unitB && !(isInside && JOINING.has(a) && JOINING.has(b))
  if (a.length < 2 || b.length < 2) return false
  const [nameA, nameB] = [spelling(a), spelling(b)]
  if (nameA === nameB || isShortFor(a, b) || isShortFor(b, a)) return false
  const isOneForm = nameA === `${nameB}a` || nameB === `${nameA}a`
  return isOneForm ? GIVEN.has(nameA) || GIVEN.has(nameB) : GIVEN.has(nameA) && GIVEN.has(nameB)
}

/** Whether one is how people are called who have the other name: `Alex` and `Alexander`, not `Andrea` and `Andreas`. */
function isShortFor(short: string, long: string): boolean {
  if (short.length > SHORT_MAX || short.length > long.length - 2 || !long.startsWith(short)) return false
  return nicknames.some((group) => group.includes(short) && group.includes(long))
}

const SHORT_MAX = 4

function areToldApart(a: string, b: string): boolean {
  const kind = TOLD.find((words) => words.has(a) && words.has(b))
  return kind !== undefined && kind.get(a) !== kind.get(b)
}

/** The number or letter of a unit. */
function unitOf(token: string): string | undefined {
  if (/^\p{N}/u.test(token)) return token
  if (ROMAN_NUMBER.test(token)) return romanValue(token)
  return [...token].length === 1 && /^\p{Script=Latin}|^\p{Script=Cyrillic}|^\p{Script=Greek}/u.test(token)
    ? token
    : undefined
}

/** A roman number up to 39 in lower case, as units of buildings have them. */
const ROMAN_NUMBER = /^(?=[ivx])x{0,3}(?:ix|iv|v?i{0,3})$/

const VALUES: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10 }

/** `iv` is `4`. */
function romanValue(text: string): string {
  let sum = 0
  for (let i = 0; i < text.length; i++) {
    const value = VALUES[text[i]!] ?? 0
    sum += value < (VALUES[text[i + 1] ?? ""] ?? 0) ? -value : value
  }
  return String(sum)
}
