import { memoizeShortText } from "../text/text.ts"
import common from "./data/common-words.json"
import legal from "./data/legal-forms.json"
import synonyms from "./data/name-words.json"
import parts from "./data/part-words.json"
import trades from "./data/trade-words.json"
import { comparableWords, foldLetters, hashOf, isUnspacedWord } from "./fold.ts"
import { lettersOf } from "./similarity.ts"
import { type ComparedWords, KIND, PRIOR, type Prior, wordsFrom } from "./words.ts"

export interface Name extends ComparedWords {
  /** As it was said. */
  said: string
  /** All words that are no legal form, in one. */
  glued: string
  /** By which names are counted as a whole: those of chains are common though their words are rare. */
  term: number
  /** The letters of all words, as bits. */
  gluedLetters: number
  /** The legal form in its own words, "" without one. */
  form: string
  /** The legal form as it is written. */
  formText: string
  /** Numbers and points of the compass among the words, as they stand there: they tell branches apart. */
  numbers: string[]
  /** Could be a person's: few words, none that businesses use. */
  isPersonal: boolean
  /** Hashes of words that name a part of something (`ATM`, `parts department`). */
  parts: number[]
  /** Hashes of words that may name a part of something that the other name is of (`Cafe`, `Shop`). */
  facilities: number[]
  /** What stands on each side of brackets, a dash and the like, in one: a firm and its branch. */
  branched: readonly string[]
  /** Of something in a place, as in `Toast Box @ Suntec City`: what it is and the place, each in one; "" elsewhere. */
  guest: string
  host: string
}

const SYNONYMS = new Map(Object.entries(synonyms))
const ARTICLES = new Set(common.articles)
/** A trade's words in other languages by their first word: the words, and the one that stands for all of them. */
const TRADES = new Map<string, { words: string[]; trade: string }[]>()
const TRADE_WORDS = new Set<string>()
for (const group of trades) {
  const trade = comparableWords(group[0]!).map(plainWord).join("")
  TRADE_WORDS.add(trade)
  for (const name of group) {
    const words = comparableWords(name).map(plainWord)
    const all = TRADES.getOrInsertComputed(words[0]!, () => [])
    all.push({ words, trade })
    // The longest first.
    all.sort((a, b) => b.words.length - a.words.length)
  }
}
const COMMON = new Set(common["very common"])
/** Words of no person's name: common ones of firms, trades, and those that are no particle of a surname. */
const UNPERSONAL = new Set([
  ...COMMON,
  ...TRADE_WORDS,
  ...TRADES.keys(),
  ..."the les los and und for et im zum zur".split(" "),
])
const EMPTY = new Set(common.empty)
const FORMS = new Set(
  Object.values(legal)
    .flat()
    .map((form) => comparableWords(form).join(" ")),
)
/** Characters, since words of these scripts are cut in pairs. */
const UNSPACED_FORMS = Object.values(legal)
  .flat()
  .filter((form) => /[^\0-\x7f]/.test(form) && isUnspacedWord(foldLetters(form).replace(/[()]/g, "")))
  .map((form) => form.normalize("NFKC"))
  .toSorted((a, b) => b.length - a.length)
const PARTS = new Set(parts.anywhere)
/** Words for a part of a place where they name one: `Library of X`. */
const FACILITIES = new Set([...parts["of a place"], ...PARTS])
const MAY_BE_PART = new Set(
  parts.perhaps
    .flatMap(comparableWords)
    .flatMap((word) => [word, plainWord(word), ...withTrades([plainWord(word)])]),
)
const WITHIN = /@|\s(?:at|inside|within|part of|im|in der|in den|bei|chez|dans|presso|c\/o)(?=\s)/g
const OF_A_PLACE = /\sof(?=\s)/g
/** Numbers of one letter, at the end of a name. */
const ROMAN = new Map([
  ["i", "1"],
  ["v", "5"],
  ["x", "10"],
])
const DIRECTIONS =
  /^(north|south|east|west|nord|sud|est|ost|ouest|norte|sur|este|oeste|sul|leste|ovest|upper|lower|downtown|uptown)$/
/** Between what something is and where: nobody is called so. */
const BRANCHED = /[(（@:|·]|\s[-–—]\s/
const LONGEST_FORM = 5
const FORM_ENDS = new Set(Array.from(FORMS, (form) => form.slice(form.lastIndexOf(" ") + 1)))
const FORM_BEGINNINGS = new Set(Array.from(FORMS, (form) => form.split(" ")[0]!))
const ASCII = /^[\0-\x7f]*$/
const NONE: string[] = []

/** The words of a name without its legal form; undefined for texts that stand for none (`unknown`). */
export function comparableName(
  text: string | null | undefined,
  placeWords: readonly string[],
  isOfStreet?: (word: string) => boolean,
): Name | undefined {
  if (!text) return undefined
  const isAscii = ASCII.test(text)
  let folded = (isAscii ? text : text.normalize("NFKC")).toLowerCase().trim()
  if (EMPTY.has(folded)) return undefined
  let form = ""
  for (const one of isAscii ? [] : UNSPACED_FORMS) {
    if (!folded.includes(one) || folded === one) continue
    folded = folded.replace(one, " ").trim()
    form = one
  }
  const spaced = cutForm(comparableWords(folded))
  const inBrackets = folded.includes("(") ? bracketed(folded) : undefined
  const aside = inBrackets ? comparableWords(inBrackets) : NONE
  const last = ROMAN.get(spaced.words.at(-1) ?? "")
  const numbered = last && spaced.words.length > 1 ? [...spaced.words.slice(0, -1), last] : spaced.words
  const plain = numbered.map(plainWord)
  const words = [...new Set(withTrades(plain))].slice(0, 32)
  if (words.length === 0) return undefined
  const glued = gluedOf(spaced.words)
  const branched = BRANCHED.test(folded) ? sidesOf(folded) : NONE
  return {
    ...wordsFrom(words, (word) => ({
      factor: ARTICLES.has(word)
        ? 0.15
        : placeWords.includes(word) || isOfStreet?.(word)
          ? 0.25
          : aside.includes(word)
            ? 0.5
            : 1,
      prior: priorOf(word),
    })),
    said: text,
    glued,
    term: hashOf(glued, KIND.name),
    gluedLetters: lettersOf(glued),
    form: spaced.form || form,
    formText: writtenForm(text, spaced.form || form),
    branched,
    isPersonal: branched === NONE && !spaced.form && !form && isPersonal(spaced.words),
    parts: partsOf(plain),
    facilities: facilitiesOf(plain),
    ...withinPlace(folded),
    numbers: words.filter((word) => /^\d+$/.test(word) || DIRECTIONS.test(word)),
  }
}

function priorOf(word: string): Prior {
  if (COMMON.has(word) || TRADE_WORDS.has(word)) return PRIOR.common
  return FORMS.has(word) ? PRIOR.form : PRIOR.telling
}

function plainWord(word: string): string {
  return SYNONYMS.get(word) ?? word
}

/** The words with those of trades in one language. */
function withTrades(words: readonly string[]): readonly string[] {
  if (!words.some((word) => TRADES.has(word))) return words
  const out: string[] = []
  for (let i = 0; i < words.length; ) {
    const trade = TRADES.get(words[i]!)?.find((one) => one.words.every((word, k) => words[i + k] === word))
    out.push(trade?.trade ?? words[i]!)
    i += trade?.words.length ?? 1
  }
  return out
}

/** A trade in another language is no part where its own word is none. */
function partsOf(words: readonly string[]): number[] {
  const named = words.filter((word) => PARTS.has(word))
  return [...new Set(named.flatMap((word) => withTrades([word])))].map((word) => hashOf(word, KIND.word))
}

function facilitiesOf(words: readonly string[]): number[] {
  const isOne = (word: string, i: number) =>
    FACILITIES.has(word) || MAY_BE_PART.has(word) || FACILITIES.has((words[i - 1] ?? "") + word)
  return words.flatMap((word, i) => (isOne(word, i) ? hashOf(word, KIND.word) : []))
}

const NOWHERE = { guest: "", host: "" }

/** The guest and its place: of `Toast Box @ Suntec City`, `toastbox` and `sunteccity`. */
function withinPlace(folded: string): Pick<Name, "guest" | "host"> {
  const within = partedAt(folded, WITHIN)
  const [guest, host] = within ?? partedAt(folded, OF_A_PLACE) ?? []
  if (!guest || !host) return NOWHERE
  const words = comparableWords(guest)
  const isFacility = FACILITIES.has(words.at(-1) ?? "") || FACILITIES.has(words.slice(-2).join(""))
  if (!within && !isFacility) return NOWHERE
  return { guest: words.join(""), host: gluedOf(cutForm(comparableWords(host)).words) }
}

/** The texts before and behind the last separator that has text on both sides. */
function partedAt(text: string, separator: RegExp): [before: string, behind: string] | undefined {
  let parted: [string, string] | undefined
  for (const { 0: mark, index } of text.matchAll(separator)) {
    const before = text.slice(0, index).trimEnd()
    const behind = text.slice(index + mark.length).trimStart()
    if (before && behind) parted = [before, behind.replace(/^the\s+(?=\S)/, "")]
  }
  return parted
}

/** The words of a name without its legal form, in one; undefined for texts that stand for none. */
export function gluedName(text: string): string | undefined {
  return comparableName(text, NONE)?.glued
}

/** The legal form of a name, in lower case and its own words; "" without one. */
function legalFormOf(text: string): string {
  return comparableName(text, NONE)?.form ?? ""
}

/** True for a name with a legal form; one of two letters only in capitals, since "Sá" and "Co" are family names. */
export function isFirm(name: string): boolean {
  const form = legalFormOf(name)
  return form.length > 2 || (form !== "" && name.includes(form.toUpperCase()))
}

/** The numbers in a name, in their order. */
export function numbersOf(text: string): string {
  return comparableName(text, NONE)?.numbers.join(" ") ?? ""
}

function gluedOf(words: readonly string[]): string {
  return words.filter((word) => !ARTICLES.has(word)).join("") || words.join("")
}

function sidesOf(folded: string): string[] {
  const sides = folded.split(BRANCHED).slice(0, 2)
  return sides.map((side) => gluedOf(comparableWords(side))).filter((side) => side.length > 1)
}

/** The text in the first brackets. */
function bracketed(text: string): string | undefined {
  const [, inside, close] = /\(([^)]+)(\)?)/.exec(text) ?? []
  return close ? inside : undefined
}

/** Parts the legal form from the end, else from the beginning, where other words remain. */
function cutForm(words: readonly string[]): { words: readonly string[]; form: string } {
  const most = Math.min(LONGEST_FORM, words.length - 1)
  for (let length = FORM_ENDS.has(words.at(-1) ?? "") ? most : 0; length > 0; length--) {
    const end = words.slice(-length).join(" ")
    if (FORMS.has(end)) return { words: words.slice(0, -length), form: end }
  }
  for (let length = FORM_BEGINNINGS.has(words[0] ?? "") ? most : 0; length > 0; length--) {
    const start = words.slice(0, length).join(" ")
    if (FORMS.has(start)) return { words: words.slice(length), form: start }
  }
  return { words, form: "" }
}

function isPersonal(words: readonly string[]): boolean {
  return words.length < 5 && !words.some((word) => UNPERSONAL.has(word) || PARTS.has(word) || /\d/.test(word))
}

/** `GmbH` where the form is `gmbh`; the form itself where it is not written in the same letters. */
function writtenForm(text: string, form: string): string {
  if (form === "") return ""
  return writtenAs(form).exec(text)?.[0] ?? form
}

const writtenAs = memoizeShortText(1_000, (form) => {
  const letters = [...form.replace(/\s/g, "")].map((one) => (/\p{L}|\p{N}/u.test(one) ? one : `\\${one}`))
  return new RegExp(letters.join("[^\\p{L}\\p{N}]*"), "iu")
})
