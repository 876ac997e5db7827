// The most bits that names and companies of two rows can have: compare/names.ts is what they are.
import { levelsOf } from "../levels.ts"
import type { TermRarity } from "../rarity.ts"
import type { Weights } from "../weights.ts"
import { COLUMN, FLAG, HEAD, WORD } from "./layout.ts"
import {
  mayBeGlued,
  mayBeOneName,
  mostOfWords,
  type RowWords,
  readWords,
  rowWords,
  type WordBound,
} from "./words.ts"

const F = levelsOf("name", "company")

/** The part that is left of the bits of a word that names a place or a brand. */
const REDUCED = 0.25
/** Bits that a name of two usual words shares. */
const USUAL = 12
const SHARED_CAP = 30

/** The words of the lead that others are compared with, read once. */
export interface OwnNames {
  name: RowWords
  company: RowWords
  /** Bits of all words of the name. */
  total: number
}

export function ownNames(): OwnNames {
  return { name: rowWords(), company: rowWords(), total: 0 }
}

export function readOwnNames(row: Int32Array, rarity: TermRarity, into: OwnNames): void {
  read(row, 0, "name", rarity, into.name)
  read(row, 0, "company", rarity, into.company)
  into.total = 0
  for (let i = 0; i < into.name.count; i++) into.total += into.name.bits[i]!
}

const other = { name: rowWords(), company: rowWords() }
const wordBound: WordBound = { shared: 0, overlap: 0, contained: 0 }

/** The most bits of two names by the level of their name: the same, in part, another; -Infinity for none of it. */
export const nameBits = new Float64Array(3)

const LEVELS = [
  { least: 0.72, at: F["name.close"] },
  { least: 0.55, at: F["name.partly"] },
  { least: 0.35, at: F["name.half"] },
  { least: 0.12, at: F["name.little"] },
  { least: -1, at: F["name.differs"] },
] as const
/** Levels of LEVELS from here on are another name, unless one contains the other. */
const OTHER_FROM = 3

/** Fills `nameBits`, for two rows that have names. */
export function mostOfNames(
  nameWords: OwnNames,
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
  const isOneSite = a[atA + COLUMN.site] !== 0 && a[atA + COLUMN.site] === b[atB + COLUMN.site]
  read(b, atB, "name", rarity, other.name)
  reduce(nameWords.name, isOneSite ? -1 : b[atB + COLUMN.places]!)
  reduce(other.name, isOneSite ? -1 : a[atA + COLUMN.places]!)
  mostOfWords(nameWords.name, other.name, wordBound)
  const mayBeOne = mayBeOneName(a, atA, b, atB)
  const shared = mayBeOne ? nameWords.total : wordBound.shared
  const contained = mayBeOne ? 1 : wordBound.contained
  const isBranch = contained > 0.93 && mayBeOneHouse(a, atA, b, atB)
  const overlap = mayBeOne ? 1 : isBranch ? Math.max(wordBound.overlap, 0.8) : wordBound.overlap
  byLevel(shared, overlap, contained, weights)
  const beside = besideBits(a, atA, b, atB, weights)
  for (let level = 0; level < 3; level++) nameBits[level] = Math.min(nameBits[level]! + beside, whole)
}

/** Whether an address, a postal code or the map may have both in one house. */
function mayBeOneHouse(a: Int32Array, atA: number, b: Int32Array, atB: number): boolean {
  if (a[atA + COLUMN.house] === b[atB + COLUMN.house]) return true
  if (a[atA + COLUMN.postal] !== 0 && a[atA + COLUMN.postal] === b[atB + COLUMN.postal]) return true
  return Math.abs(a[atA + COLUMN.latitude]! - b[atB + COLUMN.latitude]!) * 1.1 < 110
}

function byLevel(shared: number, overlap: number, contained: number, weights: Weights): void {
  nameBits.fill(Number.NEGATIVE_INFINITY)
  const whole = wholeBits(shared, weights)
  const parted = Math.max(0, (weights[F["name.word_rarity"]]! * Math.min(shared, SHARED_CAP)) / 10)
  if (overlap > 0.87) nameBits[0] = Math.max(weights[F["name.same"]]!, weights[F["name.nearly"]]!) + whole
  const isContained = contained > 0.93
  const mostly = contained > 0.69 ? Math.max(0, weights[F["name.mostly_contained"]]!) : 0
  for (let i = 0; i < LEVELS.length; i++) {
    const { least, at } = LEVELS[i]!
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
  const common = weights[F["name.common"]]!
  const rare = weights[F["name.rarity"]]!
  const lacking = Math.max(0, USUAL - shared) / 10
  const commonBits = common > 0 ? (common * USUAL) / 10 : common * lacking
  if (shared < USUAL) return commonBits
  return Math.max(0, commonBits, (rare * Math.min(shared - USUAL, 15)) / 10)
}

/** Features beside the words: numbers, parts, legal forms, words that only one has. */
function besideBits(a: Int32Array, atA: number, b: Int32Array, atB: number, weights: Weights): number {
  const numbersA = a[atA + COLUMN.identifiers]! >>> 16
  const numbersB = b[atB + COLUMN.identifiers]! >>> 16
  let numberBits = 0
  if (numbersA !== 0 && numbersB !== 0)
    numberBits =
      numbersA === numbersB ? Math.max(0, weights[F["name.numbers"]]!) : weights[F["name.numbers"]]!
  else if (numbersA !== numbersB) numberBits = weights[F["name.number"]]!
  return (
    numberBits +
    Math.max(0, 2 * weights[F["name.conflict"]]!, 2 * weights[PERSON_CONFLICT]!) +
    Math.max(0, 3 * weights[F["name.extra"]]!) +
    Math.max(0, weights[F["name.part"]]!, weights[F["name.parts"]]!) +
    Math.max(0, weights[F["name.within"]]!) +
    Math.max(0, weights[F["name.two"]]!) +
    Math.max(0, weights[F["name.part_of"]]!) +
    Math.max(0, weights[F["name.branch"]]!) +
    Math.max(0, weights[F["name.form"]]!)
  )
}

const PERSON_CONFLICT = levelsOf("person")["person.conflict"]

/** Words that may name the other's place weigh less; `places` has a bit for each word of it. */
function reduce({ row, at, count, bits, least }: RowWords, places: number): void {
  for (let i = 0; i < count; i++)
    least[i] = bits[i]! * ((places & (1 << (row[at + i * WORD]! & 31))) === 0 ? 1 : REDUCED)
}

const companyFound: WordBound = { shared: 0, overlap: 0, contained: 0 }

/** Of two companies, or of a company and a name that it may be. */
export function mostOfCompanies(
  nameWords: OwnNames,
  a: Int32Array,
  atA: number,
  b: Int32Array,
  atB: number,
  rarity: TermRarity,
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
    const likeness = likenessOf(nameWords, a, atA, "company", b, atB, "company", rarity)
    let most = differs
    if (likeness > 0.87) most = Math.max(most, same)
    if (likeness > 0.49 || companyFound.contained > 0.89) most = Math.max(most, similar)
    return most
  }
  const crossed = Math.max(0, weights[F["company.crossed"]]!)
  if (isUnknown) return crossed
  const [ofA, ofB] = hasA ? (["company", "name"] as const) : (["name", "company"] as const)
  return likenessOf(nameWords, a, atA, ofA, b, atB, ofB, rarity) > 0.84 ? crossed : 0
}

/** Whether the name of one may be the company of the other, of two rows that have both. */
export function mayBeSwapped(
  nameWords: OwnNames,
  a: Int32Array,
  atA: number,
  b: Int32Array,
  atB: number,
  rarity: TermRarity,
): boolean {
  if ((a[atA]! & b[atB]! & FLAG.company) === 0) return false
  if (((a[atA]! | b[atB]!) & (FLAG.manyCompanyWords | FLAG.manyNameWords)) !== 0) return true
  return likenessOf(nameWords, a, atA, "name", b, atB, "company", rarity) > 0.84
}

type NameField = "name" | "company"

function likenessOf(
  nameWords: OwnNames,
  a: Int32Array,
  atA: number,
  ofA: NameField,
  b: Int32Array,
  atB: number,
  ofB: NameField,
  rarity: TermRarity,
): number {
  read(b, atB, ofB, rarity, other[ofB])
  reduce(nameWords[ofA], 0)
  mostOfWords(nameWords[ofA], other[ofB], companyFound)
  const lettersA = atA + (ofA === "name" ? COLUMN.nameLetters : COLUMN.companyLetters)
  const lettersB = atB + (ofB === "name" ? COLUMN.nameLetters : COLUMN.companyLetters)
  if (mayBeGlued(a, lettersA, -1, b, lettersB, -1, 0.2, 6)) return 1
  return companyFound.overlap
}

function read(row: Int32Array, at: number, field: NameField, rarity: TermRarity, into: RowWords): void {
  const counts = row[at + COLUMN.counts]!
  const names = counts & 15
  if (field === "name") readWords(row, at + HEAD, names, rarity, into)
  else readWords(row, at + HEAD + names * WORD, (counts >>> 4) & 15, rarity, into)
}
