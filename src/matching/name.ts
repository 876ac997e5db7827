import common from "./data/common-words.json"
import legal from "./data/legal-forms.json"
import synonyms from "./data/name-words.json"
import parts from "./data/part-words.json"
import { comparableWords, foldLetters, hashOf, isUnspacedWord } from "./fold.ts"
import { memoizeShortText } from "./memoize-short-text.ts"
import { lettersOf } from "./similarity.ts"
import { type ComparedWords, KIND, wordsFrom } from "./words.ts"

export interface Name extends ComparedWords {
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
}

const SYNONYMS = new Map(Object.entries(synonyms))
const ARTICLES = new Set(common.articles)
const COMMON = new Set(common["very common"])
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
const PARTS = new Set(parts)
/** Numbers of one letter, at the end of a name. */
const ROMAN = new Map([
  ["i", "1"],
  ["v", "5"],
  ["x", "10"],
])
const DIRECTIONS =
  /^(north|south|east|west|nord|sud|est|ost|ouest|norte|sur|este|oeste|sul|leste|ovest|upper|lower|downtown|uptown)$/
const LONGEST_FORM = 5
const FORM_ENDS = new Set(Array.from(FORMS, (form) => form.slice(form.lastIndexOf(" ") + 1)))
const FORM_BEGINNINGS = new Set(Array.from(FORMS, (form) => form.split(" ")[0]!))
const ASCII = /^[\0-\x7f]*$/
const NONE: string[] = []

/** The words of a name without its legal form; undefined for texts that stand for none (`unknown`). */
export function comparableName(
  text: string | null | undefined,
  placeWords: readonly string[],
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
  const words = [...new Set(numbered.map((word) => SYNONYMS.get(word) ?? word))].slice(0, 32)
  if (words.length === 0) return undefined
  const glued = spaced.words.filter((word) => !ARTICLES.has(word)).join("") || spaced.words.join("")
  return {
    ...wordsFrom(words, (word) => ({
      factor: ARTICLES.has(word) ? 0.15 : placeWords.includes(word) ? 0.25 : aside.includes(word) ? 0.5 : 1,
      prior: COMMON.has(word) ? 60 : FORMS.has(word) ? 400 : 1,
    })),
    glued,
    term: hashOf(glued, KIND.name),
    gluedLetters: lettersOf(glued),
    form: spaced.form || form,
    formText: writtenForm(text, spaced.form || form),
    isPersonal: isPersonal(spaced.words) && !spaced.form && !form,
    parts: words.filter((word) => PARTS.has(word)).map((word) => hashOf(word, KIND.word)),
    numbers: words.filter((word) => /^\d+$/.test(word) || DIRECTIONS.test(word)),
  }
}

/** The words of a name without its legal form, in one; undefined for texts that stand for none. */
export function gluedName(text: string): string | undefined {
  return comparableName(text, NONE)?.glued
}

/** The numbers in a name, in their order. */
export function numbersOf(text: string): string {
  return comparableName(text, NONE)?.numbers.join(" ") ?? ""
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
  return words.length < 5 && !words.some((word) => COMMON.has(word) || PARTS.has(word) || /\d/.test(word))
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
