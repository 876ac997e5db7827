// The most bits that names and companies of two rows can have: compare/names.ts is what they are.
import { levelsOf } from "../levels.ts"
import type { TermRarity } from "../rarity.ts"
import type { Weights } from "../weights.ts"
import { COLUMN, FLAG, HEAD, WORD } from "./layout.ts"
import type { Most } from "./most.ts"
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

/** The row of the lead that others are compared with, and its words, read once. */
export interface OwnNames {
  row: Int32Array
  /** Counts the terms of its row and of those that it meets. */
  rarity: TermRarity
  name: RowWords
  company: RowWords
  /** Bits of all words of the name. */
  total: number
}

export function ownNames(): OwnNames {
  const rarity = { leads: 0, count: () => 0 }
  return { row: new Int32Array(HEAD), rarity, name: rowWords(), company: rowWords(), total: 0 }
}

export function readOwnNames(row: Int32Array, rarity: TermRarity, into: OwnNames): void {
  Object.assign(into, { row, rarity, total: 0 })
  read(row, "name", rarity, into.name)
  read(row, "company", rarity, into.company)
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
  own: OwnNames,
  b: Int32Array,
  { name: whole, besideName: beside }: Most,
  weights: Weights,
): void {
  const a = own.row
  const flags = a[COLUMN.flags]! | b[COLUMN.flags]!
  if ((flags & FLAG.manyNameWords) !== 0) {
    nameBits.fill(whole)
    return
  }
  const isOneSite = a[COLUMN.site] !== 0 && a[COLUMN.site] === b[COLUMN.site]
  read(b, "name", own.rarity, other.name)
  reduce(own.name, isOneSite ? -1 : b[COLUMN.places]!)
  reduce(other.name, isOneSite ? -1 : a[COLUMN.places]!)
  mostOfWords(own.name, other.name, wordBound)
  const mayBeOne = mayBeOneName(a, b)
  const shared = mayBeOne ? own.total : wordBound.shared
  const contained = mayBeOne ? 1 : wordBound.contained
  const isBranch = contained > 0.93 && mayBeOneHouse(a, b)
  const overlap = mayBeOne ? 1 : isBranch ? Math.max(wordBound.overlap, 0.8) : wordBound.overlap
  byLevel(shared, overlap, contained, weights)
  const more = numberBits(a, b, weights) + beside
  for (let level = 0; level < 3; level++) nameBits[level] = Math.min(nameBits[level]! + more, whole)
}

/** Whether an address, a postal code or the map may have both in one house. */
function mayBeOneHouse(a: Int32Array, b: Int32Array): boolean {
  if (a[COLUMN.house] === b[COLUMN.house]) return true
  if (a[COLUMN.postal] !== 0 && a[COLUMN.postal] === b[COLUMN.postal]) return true
  return Math.abs(a[COLUMN.latitude]! - b[COLUMN.latitude]!) * 1.1 < 110
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

/** Of the numbers in names. */
function numberBits(a: Int32Array, b: Int32Array, weights: Weights): number {
  const numbersA = a[COLUMN.identifiers]! >>> 16
  const numbersB = b[COLUMN.identifiers]! >>> 16
  if (numbersA === 0 || numbersB === 0) return numbersA === numbersB ? 0 : weights[F["name.number"]]!
  const differ = weights[F["name.numbers"]]!
  return numbersA === numbersB ? Math.max(0, differ) : differ
}

/** Words that may name the other's place weigh less; `places` has a bit for each word of it. */
function reduce({ row, at, count, bits, least }: RowWords, places: number): void {
  for (let i = 0; i < count; i++)
    least[i] = bits[i]! * ((places & (1 << (row[at + i * WORD]! & 31))) === 0 ? 1 : REDUCED)
}

const companyFound: WordBound = { shared: 0, overlap: 0, contained: 0 }

/** Of two companies, or of a company and a name that it may be. */
export function mostOfCompanies(own: OwnNames, b: Int32Array, weights: Weights): number {
  const a = own.row
  const hasA = (a[COLUMN.flags]! & FLAG.company) !== 0
  const hasB = (b[COLUMN.flags]! & FLAG.company) !== 0
  if (!hasA && !hasB) return 0
  const same = weights[F["company.same"]]!
  const similar = weights[F["company.similar"]]!
  const differs = weights[F["company.differs"]]!
  const isUnknown = ((a[COLUMN.flags]! | b[COLUMN.flags]!) & MANY) !== 0
  if (hasA && hasB) {
    if (isUnknown) return Math.max(same, similar, differs)
    const likeness = likenessOf(own, "company", b, "company")
    let most = differs
    if (likeness > 0.87) most = Math.max(most, same)
    if (likeness > 0.49 || companyFound.contained > 0.89) most = Math.max(most, similar)
    return most
  }
  const crossed = Math.max(0, weights[F["company.crossed"]]!)
  if (isUnknown) return crossed
  const likeness = hasA ? likenessOf(own, "company", b, "name") : likenessOf(own, "name", b, "company")
  return likeness > 0.84 ? crossed : 0
}

const MANY = FLAG.manyCompanyWords | FLAG.manyNameWords

/** Whether the name of one may be the company of the other, of two rows that have both. */
export function mayBeSwapped(own: OwnNames, b: Int32Array): boolean {
  const [flagsA, flagsB] = [own.row[COLUMN.flags]!, b[COLUMN.flags]!]
  if ((flagsA & flagsB & FLAG.company) === 0) return false
  return ((flagsA | flagsB) & MANY) !== 0 || likenessOf(own, "name", b, "company") > 0.84
}

type NameField = "name" | "company"
const LETTERS_OF = { name: COLUMN.nameLetters, company: COLUMN.companyLetters } as const

function likenessOf(own: OwnNames, ofA: NameField, b: Int32Array, ofB: NameField): number {
  read(b, ofB, own.rarity, other[ofB])
  reduce(own[ofA], 0)
  mostOfWords(own[ofA], other[ofB], companyFound)
  return mayBeGlued(own.row, LETTERS_OF[ofA], b, LETTERS_OF[ofB], 0.2, 6) ? 1 : companyFound.overlap
}

function read(row: Int32Array, field: NameField, rarity: TermRarity, into: RowWords): void {
  const counts = row[COLUMN.counts]!
  const names = counts & 15
  if (field === "name") readWords(row, HEAD, names, rarity, into)
  else readWords(row, HEAD + names * WORD, (counts >>> 4) & 15, rarity, into)
}
