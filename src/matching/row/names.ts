// The most bits that names and companies of two rows can have: compare/names.ts is what they are.
import { levelsOf } from "../levels.ts"
import { bitsOf, type TermRarity } from "../rarity.ts"
import type { Weights } from "../weights.ts"
import { COLUMN, FLAG, HEAD, WORD, WORDS_MAX } from "./layout.ts"
import { factorAt, mayBeGlued, mostOfWords, priorAt, type WordBound } from "./words.ts"

const F = levelsOf("name", "company")

/** Lower bound of `bitsOf`. */
const BITS_MIN = 0.5
/** The part that is left of the bits of a word that names a place or a brand. */
const REDUCED = 0.25
/** Bits that a name of two usual words shares. */
const USUAL = 12
const SHARED_CAP = 30

/** The words of the lead that others are compared with: looked up once. */
interface OwnWords {
  bits: Float64Array
  total: number
}

export function ownWords(): OwnWords {
  return { bits: new Float64Array(WORDS_MAX), total: 0 }
}

export function readOwnWords(
  row: Int32Array,
  at: number,
  count: number,
  rarity: TermRarity,
  into: OwnWords,
): void {
  into.total = 0
  for (let i = 0; i < count; i++) {
    const word = at + i * WORD
    into.bits[i] = factorAt(row, word) * bitsOf(row[word]!, priorAt(row, word), rarity)
    into.total += into.bits[i]!
  }
}

const leastA = new Float64Array(WORDS_MAX)
const leastB = new Float64Array(WORDS_MAX)
const found: WordBound = { shared: 0, overlap: 0, contained: 0 }

/** The most bits of two names by the level of their name: the same, in part, another; -Infinity for none of it. */
export const nameBits = new Float64Array(3)

const LEVELS = [
  [0.72, F["name.close"]],
  [0.55, F["name.partly"]],
  [0.35, F["name.half"]],
  [0.12, F["name.little"]],
  [-1, F["name.differs"]],
] as const
/** Levels of LEVELS from here on are another name, unless one contains the other. */
const OTHER_FROM = 3

/** Fills `nameBits`, for two rows that have names. */
export function mostOfNames(
  own: OwnWords,
  a: Int32Array,
  atA: number,
  b: Int32Array,
  atB: number,
  rarity: TermRarity,
  whole: number,
  weights: Weights,
): void {
  const flags = a[atA]! | b[atB]!
  if ((flags & FLAG.manyNameWords) !== 0) {
    nameBits.fill(whole)
    return
  }
  const [n, m] = [a[atA + COLUMN.counts]! & 15, b[atB + COLUMN.counts]! & 15]
  const isOneSite = a[atA + COLUMN.site] !== 0 && a[atA + COLUMN.site] === b[atB + COLUMN.site]
  leastOf(a, atA + HEAD, n, own.bits, isOneSite ? -1 : b[atB + COLUMN.places]!)
  leastOfOther(b, atB + HEAD, m, rarity, isOneSite ? -1 : a[atA + COLUMN.places]!)
  mostOfWords(a, atA + HEAD, n, own.bits, leastA, b, atB + HEAD, m, leastB, found)
  const mayBeGluedNames = mayBeGlued(
    a,
    atA + COLUMN.nameLetters,
    atA + COLUMN.nameCounts,
    b,
    atB + COLUMN.nameLetters,
    atB + COLUMN.nameCounts,
    0.2,
    6,
  )
  const shared = mayBeGluedNames ? own.total : found.shared
  const overlap = mayBeGluedNames ? 1 : found.overlap
  const contained = mayBeGluedNames ? 1 : found.contained
  byLevel(shared, overlap, contained, weights)
  const beside = besideBits(a, atA, b, atB, weights)
  for (let level = 0; level < 3; level++) nameBits[level] = Math.min(nameBits[level]! + beside, whole)
}

function byLevel(shared: number, overlap: number, contained: number, weights: Weights): void {
  nameBits.fill(Number.NEGATIVE_INFINITY)
  const whole = wholeBits(shared, weights)
  const parted = Math.max(0, (weights[F["name.word_rarity"]]! * Math.min(shared, SHARED_CAP)) / 10)
  if (overlap > 0.87) nameBits[0] = Math.max(weights[F["name.same"]]!, weights[F["name.nearly"]]!) + whole
  const isContained = contained > 0.93
  const mostly = contained > 0.69 ? Math.max(0, weights[F["name.mostly_contained"]]!) : 0
  for (const [i, [least, at]] of LEVELS.entries()) {
    if (overlap < least - 0.01) continue
    const bits = weights[at]!
    const group = i < OTHER_FROM ? 1 : 2
    const beside = i === 0 ? Math.max(whole, parted) : parted
    nameBits[group] = Math.max(nameBits[group]!, bits + mostly + beside)
    if (isContained)
      nameBits[1] = Math.max(nameBits[1]!, bits + weights[F["name.contained"]]! + Math.max(whole, parted))
  }
}

/** Of names that are the same as a whole, or one in the other. */
function wholeBits(shared: number, weights: Weights): number {
  const [common, rare] = [weights[F["name.common"]]!, weights[F["name.rarity"]]!]
  const lacking = Math.max(0, USUAL - shared) / 10
  const commonBits = common > 0 ? (common * USUAL) / 10 : common * lacking
  if (shared < USUAL) return commonBits
  return Math.max(0, commonBits, (rare * Math.min(shared - USUAL, 15)) / 10)
}

/** Features beside the words: numbers, parts, legal forms, words that only one has. */
function besideBits(a: Int32Array, atA: number, b: Int32Array, atB: number, weights: Weights): number {
  const numbers = (a[atA]! & FLAG.nameNumbers) + (b[atB]! & FLAG.nameNumbers)
  const numberBits =
    numbers === 0
      ? 0
      : numbers === FLAG.nameNumbers
        ? weights[F["name.number"]]!
        : Math.max(0, weights[F["name.numbers"]]!)
  return (
    numberBits +
    Math.max(0, 2 * weights[F["name.conflict"]]!, 2 * weights[PERSON_CONFLICT]!) +
    Math.max(0, 3 * weights[F["name.extra"]]!) +
    Math.max(0, weights[F["name.part"]]!, weights[F["name.parts"]]!) +
    Math.max(0, weights[F["name.within"]]!) +
    Math.max(0, weights[F["name.form"]]!)
  )
}

const PERSON_CONFLICT = levelsOf("person")["person.conflict"]

/** Words that may name the other's place weigh less; `places` has a bit for each word of it. */
function leastOf(row: Int32Array, at: number, count: number, bits: Float64Array, places: number): void {
  for (let i = 0; i < count; i++) {
    const hash = row[at + i * WORD]!
    leastA[i] = bits[i]! * ((places & (1 << (hash & 31))) === 0 ? 1 : REDUCED)
  }
}

function leastOfOther(row: Int32Array, at: number, count: number, rarity: TermRarity, places: number): void {
  for (let j = 0; j < count; j++) {
    const word = at + j * WORD
    const hash = row[word]!
    const bits = factorAt(row, word) * bitsOf(hash, priorAt(row, word), rarity)
    leastB[j] = bits * ((places & (1 << (hash & 31))) === 0 ? 1 : REDUCED)
  }
}

const companyFound: WordBound = { shared: 0, overlap: 0, contained: 0 }
const unreduced = new Float64Array(WORDS_MAX)

/** Of two companies, or of a company and a name that it may be. */
export function mostOfCompanies(
  ownName: OwnWords,
  ownCompany: OwnWords,
  a: Int32Array,
  atA: number,
  b: Int32Array,
  atB: number,
  weights: Weights,
): number {
  const hasA = (a[atA]! & FLAG.company) !== 0
  const hasB = (b[atB]! & FLAG.company) !== 0
  if (!hasA && !hasB) return 0
  const same = weights[F["company.same"]]!
  const similar = weights[F["company.similar"]]!
  const differs = weights[F["company.differs"]]!
  const many = FLAG.manyCompanyWords | FLAG.manyNameWords
  const isUnknown = ((a[atA]! | b[atB]!) & many) !== 0
  if (hasA && hasB) {
    if (isUnknown) return Math.max(same, similar, differs)
    const likeness = likenessOf(ownCompany, a, atA, "company", b, atB, "company")
    let most = differs
    if (likeness > 0.87) most = Math.max(most, same)
    if (likeness > 0.49 || companyFound.contained > 0.89) most = Math.max(most, similar)
    return most
  }
  const crossed = Math.max(0, weights[F["company.crossed"]]!)
  if (isUnknown) return crossed
  const likeness = hasA
    ? likenessOf(ownCompany, a, atA, "company", b, atB, "name")
    : likenessOf(ownName, a, atA, "name", b, atB, "company")
  return likeness > 0.84 ? crossed : 0
}

/** Whether the name of one may be the company of the other, of two rows that have both. */
export function mayBeSwapped(
  ownName: OwnWords,
  a: Int32Array,
  atA: number,
  b: Int32Array,
  atB: number,
): boolean {
  if ((a[atA]! & b[atB]! & FLAG.company) === 0) return false
  if (((a[atA]! | b[atB]!) & (FLAG.manyCompanyWords | FLAG.manyNameWords)) !== 0) return true
  return likenessOf(ownName, a, atA, "name", b, atB, "company") > 0.84
}

type NameField = "name" | "company"

function likenessOf(
  own: OwnWords,
  a: Int32Array,
  atA: number,
  ofA: NameField,
  b: Int32Array,
  atB: number,
  ofB: NameField,
): number {
  const [beginA, n] = wordsOf(a, atA, ofA)
  const [beginB, m] = wordsOf(b, atB, ofB)
  for (let j = 0; j < m; j++) unreduced[j] = BITS_MIN * factorAt(b, beginB + j * WORD)
  mostOfWords(a, beginA, n, own.bits, own.bits, b, beginB, m, unreduced, companyFound)
  const lettersA = atA + (ofA === "name" ? COLUMN.nameLetters : COLUMN.companyLetters)
  const lettersB = atB + (ofB === "name" ? COLUMN.nameLetters : COLUMN.companyLetters)
  if (mayBeGlued(a, lettersA, -1, b, lettersB, -1, 0.2, 6)) return 1
  return companyFound.overlap
}

function wordsOf(row: Int32Array, at: number, field: NameField): [at: number, count: number] {
  const counts = row[at + COLUMN.counts]!
  const names = counts & 15
  return field === "name" ? [at + HEAD, names] : [at + HEAD + names * WORD, (counts >>> 4) & 15]
}
