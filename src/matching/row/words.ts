// How alike two lists of words may be at most: align.ts is how alike they are. Words are told apart by hashes and letters.
import { bitCount } from "../similarity.ts"
import { FACTORS } from "./encode.ts"
import { ANY_NICKNAME, LENGTH_MAX, lengthIn, lettersApart, lettersIn, WORD, WORDS_MAX } from "./layout.ts"

/** The most that two lists may share, in bits; the object is reused. */
export interface WordBound {
  shared: number
  overlap: number
  contained: number
}

const EDIT_SHARES = { short: 0.35, long: 0.3 } as const
const mayA = new Uint8Array(WORDS_MAX)
const mayB = new Uint8Array(WORDS_MAX)

/** The factor of the word at this place, its prior count and its length. */
export const factorAt = (row: Int32Array, at: number) => ((row[at + 2]! >>> 11) & 0xff) / FACTORS
export const priorAt = (row: Int32Array, at: number) => (row[at + 2]! >>> 19) & 0x1ff
const lengthAt = (row: Int32Array, at: number) => (row[at + 2]! >>> 5) & LENGTH_MAX

/**
 * `bitsA` are those of the first one's words, `leastA` and `leastB` the least that words may weigh where they are not
 * shared.
 */
export function mostOfWords(
  a: Int32Array,
  atA: number,
  n: number,
  bitsA: Float64Array,
  leastA: Float64Array,
  b: Int32Array,
  atB: number,
  m: number,
  leastB: Float64Array,
  out: WordBound,
): WordBound {
  findPartners(a, atA, n, b, atB, m)
  let shared = 0
  let restA = 0
  let restB = 0
  for (let i = 0; i < n; i++) {
    if (mayA[i] !== 0) shared += bitsA[i]!
    else restA += leastA[i]!
  }
  for (let j = 0; j < m; j++) if (mayB[j] === 0) restB += leastB[j]!
  out.shared = shared
  out.overlap = shared / Math.max(1e-9, shared + restA + restB)
  out.contained = shared / Math.max(1e-9, shared + Math.min(restA, restB))
  return out
}

/** Marks the words that may have a partner. */
function findPartners(a: Int32Array, atA: number, n: number, b: Int32Array, atB: number, m: number): void {
  mayA.fill(0, 0, n)
  mayB.fill(0, 0, m)
  for (let i = 0; i < n; i++)
    for (let j = 0; j < m; j++)
      if (mayBePartners(a, atA + i * WORD, b, atB + j * WORD)) {
        mayA[i] = 1
        mayB[j] = 1
      }
  markJoined(a, atA, n, mayA, b, atB, m, mayB)
  markJoined(b, atB, m, mayB, a, atA, n, mayA)
}

function mayBePartners(a: Int32Array, atA: number, b: Int32Array, atB: number): boolean {
  if (a[atA] === b[atB]) return true
  const [packedA, packedB] = [a[atA + 1]!, b[atB + 1]!]
  if (mayBeNicknames(a[atA + 2]! >>> 28, b[atB + 2]! >>> 28)) return true
  const [lengthA, lengthB] = [lengthAt(a, atA), lengthAt(b, atB)]
  const shorter = Math.min(lengthA, lengthB)
  const isSameStart = ((a[atA + 2]! ^ b[atB + 2]!) & 31) === 0
  if (shorter === 1) return isSameStart
  if (shorter < 3) return false
  if (shorter > 3 && (packedA ^ packedB) >>> 26 === 0) return true
  const longer = Math.max(lengthA, lengthB)
  if (longer >= LENGTH_MAX) return true
  const [lettersA, lettersB] = [lettersIn(packedA), lettersIn(packedB)]
  if (isSameStart) {
    const [few, more] = lengthA < lengthB ? [lettersA, lettersB] : [lettersB, lettersA]
    if ((few & ~more) === 0) return true
  }
  const edits = Math.floor(longer * (shorter < 5 ? EDIT_SHARES.short : EDIT_SHARES.long) + 1e-9)
  if (longer - shorter > edits) return false
  return bitCount(lettersA ^ lettersB) <= Math.min(longer < 6 ? 3 : 5, 2 * edits)
}

function mayBeNicknames(a: number, b: number): boolean {
  return a !== 0 && b !== 0 && (a === b || a === ANY_NICKNAME || b === ANY_NICKNAME)
}

/** Marks words of `b` that neighbours of `a` may make up, joined or by their initials, and those neighbours. */
function markJoined(
  a: Int32Array,
  atA: number,
  n: number,
  mayBeOfA: Uint8Array,
  b: Int32Array,
  atB: number,
  m: number,
  mayBeOfB: Uint8Array,
): void {
  for (let j = 0; j < m; j++) {
    const word = atB + j * WORD
    const length = lengthAt(b, word)
    if (length < 3) continue
    for (let i = 0; i + 1 < n; i++) {
      const end = joinedEnd(a, atA, n, i, b, word, length)
      if (end < 0) continue
      mayBeOfB[j] = 1
      mayBeOfA.fill(1, i, end + 1)
    }
  }
}

function joinedEnd(
  a: Int32Array,
  atA: number,
  n: number,
  from: number,
  b: Int32Array,
  word: number,
  length: number,
): number {
  const first = atA + from * WORD
  const second = first + WORD
  if (((a[first + 2]! ^ b[word + 2]!) & 31) !== 0) return -1
  const letters = lettersIn(b[word + 1]!)
  const both = lengthAt(a, first) + lengthAt(a, second)
  const isWhole = both === length || (both > length && length >= LENGTH_MAX)
  if (isWhole && (lettersIn(a[first + 1]!) | lettersIn(a[second + 1]!)) === letters) return from + 1
  if (length > 5 || from + length > n) return -1
  for (let k = 0; k < length; k++) {
    const start = a[first + k * WORD + 2]! & 31
    if (start > 0 && start < 27 && (letters & (1 << (start - 1))) === 0) return -1
  }
  return from + length - 1
}

/**
 * Whether all words run together may be equal, or alike with this share of edits: by their letters, of which `bitsMax`
 * may differ, and by how often these are there.
 */
export function mayBeGlued(
  a: Int32Array,
  letters: number,
  counts: number,
  b: Int32Array,
  lettersB: number,
  countsB: number,
  share: number,
  bitsMax: number,
): boolean {
  const [left, right] = [a[letters]!, b[lettersB]!]
  const [lengthA, lengthB] = [lengthIn(left), lengthIn(right)]
  const longer = Math.max(lengthA, lengthB)
  const apart = bitCount(lettersIn(left) ^ lettersIn(right))
  if (longer >= LENGTH_MAX) return apart <= bitsMax
  const edits = Math.floor(longer * share + 1e-9)
  if (Math.abs(lengthA - lengthB) > edits || apart > Math.min(bitsMax, 2 * edits)) return false
  return counts < 0 || lettersApart(a, counts, b, countsB) <= 2 * edits
}
