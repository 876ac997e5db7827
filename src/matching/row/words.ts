// How alike two lists of words may be at most: align.ts is how alike they are. Words are told apart by their hashes and
// their first twelve letters, of which five bits each are known.

import { bitsOf, type TermRarity } from "../rarity.ts"
import { bitCount, editsByPlaces, places } from "../similarity.ts"
import {
  ANY_NICKNAME,
  CODES,
  COLUMN,
  FACTOR_AT,
  FACTORS,
  LENGTH_MAX,
  LETTERS,
  lengthIn,
  lettersApart,
  lettersIn,
  NICKNAME_AT,
  NUMBER,
  PRIOR_AT,
  PRIORS,
  SOUND_AT,
  UNSPACED,
  WHOLE_CODES,
  WORD,
  WORD_CODES,
  WORDS_MAX,
} from "./layout.ts"

/** The most that two lists may share, in bits; the object is reused. */
export interface WordBound {
  shared: number
  overlap: number
  contained: number
}

/** Letters, each counted once, by which words may be apart that are alike by their edits. */
const LETTERS_APART = 5
const NICKNAMES = 15 << NICKNAME_AT
/** The share of edits in names that are alike as a whole. */
const GLUED = 0.2
/** Codes that five bits tell apart. */
const ALPHABET = 32

/** Words of a row, unpacked; the object is reused. Arrays, since each word of one lead meets each of many others. */
export interface RowWords {
  /** Where they are. */
  row: Int32Array
  at: number
  count: number
  hashes: Int32Array
  /** The integers of its first letters, and of its measures. */
  heads: Int32Array
  measures: Int32Array
  lengths: Uint8Array
  /** Which codes its known letters have, as bits. */
  letters: Int32Array
  /** What sharing each word tells, and the least that it weighs where it is not shared. */
  bits: Float64Array
  least: Float64Array
}

export function rowWords(): RowWords {
  return {
    row: new Int32Array(0),
    at: 0,
    count: 0,
    hashes: new Int32Array(WORDS_MAX),
    heads: new Int32Array(WORDS_MAX),
    measures: new Int32Array(WORDS_MAX),
    lengths: new Uint8Array(WORDS_MAX),
    letters: new Int32Array(WORDS_MAX),
    bits: new Float64Array(WORDS_MAX),
    least: new Float64Array(WORDS_MAX),
  }
}

/** Reads `count` words; their bits are by `rarity`, or their factors alone without one. */
export function readWords(
  row: Int32Array,
  at: number,
  count: number,
  rarity: TermRarity | undefined,
  into: RowWords,
): void {
  into.row = row
  into.at = at
  into.count = count
  for (let i = 0, word = at; i < count; i++, word += WORD) {
    const hash = row[word]!
    const measures = row[word + 3]!
    into.hashes[i] = hash
    into.heads[i] = row[word + 1]!
    into.measures[i] = measures
    into.lengths[i] = measures & LENGTH_MAX
    into.letters[i] = codesAt(row, word)
    const factor = ((measures >>> FACTOR_AT) & 0xff) / FACTORS
    const bits = rarity ? factor * bitsOf(hash, PRIORS[(measures >>> PRIOR_AT) & 3]!, rarity) : factor
    into.bits[i] = bits
    into.least[i] = bits
  }
}

/** Which codes a word's known letters have, as bits. */
function codesAt(row: Int32Array, word: number): number {
  const length = Math.min(row[word + 3]! & LENGTH_MAX, WORD_CODES)
  let letters = 0
  let codes = row[word + 1]!
  for (let i = 0; i < length; i++) {
    if (i === CODES) codes = row[word + 2]!
    letters |= 1 << (codes & 31)
    codes >>>= 5
  }
  return letters
}

/** The length and the known letters of the word at this place, as `lettersAndLength` has those of a text. */
export const lengthAt = (row: Int32Array, word: number) => row[word + 3]! & LENGTH_MAX
export const lettersAt = (row: Int32Array, word: number) => (codesAt(row, word) & LETTERS) >>> 1

/** How alike a word is to its best partner at most; more than 1 for one that may be joined with its neighbours. */
const alikeA = new Float64Array(WORDS_MAX)
const alikeB = new Float64Array(WORDS_MAX)
/** What it shares with a partner at most, and the least that one of the two weighs. */
const sharedA = new Float64Array(WORDS_MAX)
const worthA = new Float64Array(WORDS_MAX)
const worthB = new Float64Array(WORDS_MAX)
const JOINED = 2

/** The most that the words of two rows may share. */
export function mostOfWords(a: RowWords, b: RowWords, out: WordBound): WordBound {
  findPartners(a, b)
  let shared = 0
  let restA = 0
  let restB = 0
  for (let i = 0; i < a.count; i++) {
    shared += alikeA[i] === JOINED ? a.bits[i]! : sharedA[i]!
    restA += Math.max(0, 1 - alikeA[i]!) * worthA[i]!
  }
  for (let j = 0; j < b.count; j++) restB += Math.max(0, 1 - alikeB[j]!) * worthB[j]!
  out.shared = shared
  out.overlap = shared / Math.max(1e-9, shared + restA + restB)
  out.contained = shared / Math.max(1e-9, shared + Math.min(restA, restB))
  return out
}

function findPartners(a: RowWords, b: RowWords): void {
  for (let j = 0; j < b.count; j++) {
    alikeB[j] = 0
    worthB[j] = b.least[j]!
  }
  for (let i = 0; i < a.count; i++) {
    alikeA[i] = 0
    sharedA[i] = 0
    worthA[i] = a.least[i]!
    for (let j = 0; j < b.count; j++) {
      const near = a.hashes[i] === b.hashes[j] ? 1 : areFarApart(a, i, b, j) ? 0 : mostAlike(a, i, b, j)
      if (near === 0) continue
      alikeA[i] = Math.max(alikeA[i]!, near)
      alikeB[j] = Math.max(alikeB[j]!, near)
      sharedA[i] = Math.max(sharedA[i]!, near * Math.min(a.bits[i]!, b.bits[j]!))
      const least = Math.min(a.least[i]!, b.least[j]!)
      worthA[i] = Math.min(worthA[i]!, least)
      worthB[j] = Math.min(worthB[j]!, least)
    }
  }
  joinWords(a, b, alikeA, alikeB)
  joinWords(b, a, alikeB, alikeA)
}

/** Whether two words of different hashes have nothing in common, which most are told by in one go. */
function areFarApart(a: RowWords, i: number, b: RowWords, j: number): boolean {
  const head = a.heads[i]!
  if ((head & (NUMBER | UNSPACED)) !== 0) return true
  if (bitCount(a.letters[i]! ^ b.letters[j]!) <= LETTERS_APART) return false
  const measures = a.measures[i]!
  const other = b.measures[j]!
  return (
    ((head ^ b.heads[j]!) & 31) !== 0 &&
    (measures ^ other) >>> SOUND_AT !== 0 &&
    ((measures & NICKNAMES) === 0 || (other & NICKNAMES) === 0) &&
    a.lengths[i]! <= WORD_CODES &&
    b.lengths[j]! <= WORD_CODES
  )
}

/** How alike two words of different hashes, the first in letters, are at most, as `wordAlike` has it. */
function mostAlike(a: RowWords, i: number, b: RowWords, j: number): number {
  const shorter = Math.min(a.lengths[i]!, b.lengths[j]!)
  const longer = Math.max(a.lengths[i]!, b.lengths[j]!)
  const isSameStart = ((a.heads[i]! ^ b.heads[j]!) & 31) === 0
  if (shorter === 1) return isSameStart ? 0.5 : 0
  const measures = a.measures[i]!
  const other = b.measures[j]!
  let most = 0
  if (mayBeNicknames((measures & NICKNAMES) >>> NICKNAME_AT, (other & NICKNAMES) >>> NICKNAME_AT)) most = 0.85
  if (shorter > 3 && (measures ^ other) >>> SOUND_AT === 0) most = 0.95
  if (shorter < 3) return most
  if (longer >= LENGTH_MAX) return 1
  if (isSameStart && startsAlike(a, i, b, j, shorter))
    most = Math.max(most, longer - shorter <= 1 ? 0.95 : 0.7)
  return Math.max(most, mostByEdits(a, i, b, j, shorter, longer))
}

function mostByEdits(
  a: RowWords,
  i: number,
  b: RowWords,
  j: number,
  shorter: number,
  longer: number,
): number {
  const isKnown = longer <= WORD_CODES
  const apart = bitCount(a.letters[i]! ^ b.letters[j]!)
  if (isKnown && apart > (longer < 6 ? 3 : LETTERS_APART)) return 0
  const jumbled = shorter > 3 && longer - shorter < 2 && (!isKnown || apart === 0) ? 0.75 : 0
  const limit = Math.floor(longer * (shorter < 5 ? 0.35 : 0.3) + 1e-9)
  if (longer - shorter > limit) return jumbled
  const wordA = a.at + i * WORD + 1
  const wordB = b.at + j * WORD + 1
  const edits = leastEdits(a.row, wordA, a.lengths[i]!, b.row, wordB, b.lengths[j]!, WORD_CODES)
  return edits > limit ? jumbled : Math.max(jumbled, 1 - edits / longer)
}

/** Whether two words may begin with the same letters, of which those that are known are looked at. */
function startsAlike(a: RowWords, i: number, b: RowWords, j: number, letters: number): boolean {
  const head = (1 << (5 * Math.min(letters, CODES))) - 1
  if (((a.heads[i]! ^ b.heads[j]!) & head) !== 0) return false
  const tail = (1 << (5 * Math.max(0, Math.min(letters, WORD_CODES) - CODES))) - 1
  return ((a.row[a.at + i * WORD + 2]! ^ b.row[b.at + j * WORD + 2]!) & tail) === 0
}

/** Where each code stands in the word that is compared, as bits. */
const standing = new Int32Array(ALPHABET)

/**
 * The least edits, as `edits` in similarity.ts counts them, between two texts whose first letters are kept as codes. Of a
 * longer text than is kept, the beginning takes no more edits to become some beginning of the other than the whole does.
 */
export function leastEdits(
  a: Int32Array,
  atA: number,
  lengthA: number,
  b: Int32Array,
  atB: number,
  lengthB: number,
  letters: number,
): number {
  const n = Math.min(lengthA, letters)
  const m = Math.min(lengthB, letters)
  if (lengthA <= letters && lengthB <= letters) return editsOfCodes(a, atA, n, b, atB, m, false)
  const ofA = lengthA > letters ? editsOfCodes(a, atA, n, b, atB, m, true) : Number.POSITIVE_INFINITY
  const ofB = lengthB > letters ? editsOfCodes(b, atB, m, a, atA, n, true) : Number.POSITIVE_INFINITY
  return Math.min(ofA, ofB)
}

/** Edits between codes of up to 32 letters; with `isAny`, the least between all of `a` and any beginning of `b`. */
function editsOfCodes(
  a: Int32Array,
  atA: number,
  n: number,
  b: Int32Array,
  atB: number,
  m: number,
  isAny: boolean,
): number {
  if (n === 0) return m
  standing.fill(0)
  for (let k = 0, codes = 0; k < n; k++, codes >>>= 5) {
    if (k % CODES === 0) codes = a[atA + Math.trunc(k / CODES)]!
    standing[codes & 31]! |= 1 << k
  }
  for (let k = 0, codes = 0; k < m; k++, codes >>>= 5) {
    if (k % CODES === 0) codes = b[atB + Math.trunc(k / CODES)]!
    places[k] = standing[codes & 31]!
  }
  return editsByPlaces(n, m, isAny)
}

function mayBeNicknames(a: number, b: number): boolean {
  return a !== 0 && b !== 0 && (a === b || a === ANY_NICKNAME || b === ANY_NICKNAME)
}

/** Marks words of `b` that neighbours of `a` may make up, joined or by their initials, and those neighbours. */
function joinWords(a: RowWords, b: RowWords, ofA: Float64Array, ofB: Float64Array): void {
  for (let i = 0; i + 1 < a.count; i++)
    for (let j = 0; j < b.count; j++) {
      if (((a.heads[i]! ^ b.heads[j]!) & 31) !== 0 || b.lengths[j]! < 3) continue
      const end = joinedEnd(a, i, b, j)
      if (end < 0) continue
      ofB[j] = JOINED
      ofA.fill(JOINED, i, end + 1)
    }
}

/** The last of the words of `a` from here on that may make up a word of `b`; -1 where none do. */
function joinedEnd(a: RowWords, from: number, b: RowWords, j: number): number {
  const length = b.lengths[j]!
  const both = a.lengths[from]! + a.lengths[from + 1]!
  const isWhole = both === length || (both > length && length >= LENGTH_MAX)
  if (isWhole && startsAlike(a, from, b, j, a.lengths[from]!)) {
    const letters = a.letters[from]! | a.letters[from + 1]!
    if (length > WORD_CODES || letters === b.letters[j]) return from + 1
  }
  if (length > 5 || from + length > a.count) return -1
  let codes = b.heads[j]!
  for (let k = 0; k < length; k++, codes >>>= 5) if (((a.heads[from + k]! ^ codes) & 31) !== 0) return -1
  return from + length - 1
}

/**
 * Whether all words run together may be equal, or alike with this share of edits: by their letters, of which `bitsMax`
 * may differ, and by how often these are there.
 */
export function mayBeGlued(
  a: Int32Array,
  lettersA: number,
  b: Int32Array,
  lettersB: number,
  share: number,
  bitsMax: number,
  counts?: number,
): boolean {
  const left = a[lettersA]!
  const right = b[lettersB]!
  const lengthA = lengthIn(left)
  const lengthB = lengthIn(right)
  const longer = Math.max(lengthA, lengthB)
  const apart = bitCount(lettersIn(left) ^ lettersIn(right))
  if (longer >= LENGTH_MAX) return apart <= bitsMax
  const edits = Math.floor(longer * share + 1e-9)
  if (Math.abs(lengthA - lengthB) > edits || apart > Math.min(bitsMax, 2 * edits)) return false
  return counts === undefined || lettersApart(a, b, counts) <= 2 * edits
}

/** Whether two names of which each is one word now may be alike with a fifth of edits: by `mayBeGlued` and their letters. */
export function mayBeOneName(a: Int32Array, b: Int32Array): boolean {
  const { nameLetters: letters, nameCodes: codes } = COLUMN
  if (!mayBeGlued(a, letters, b, letters, GLUED, 6)) return false
  const lengthA = lengthIn(a[letters]!)
  const lengthB = lengthIn(b[letters]!)
  const longer = Math.max(lengthA, lengthB)
  if (longer >= LENGTH_MAX) return true
  const edits = leastEdits(a, codes, lengthA, b, codes, lengthB, WHOLE_CODES)
  return edits <= Math.floor(longer * GLUED + 1e-9)
}
