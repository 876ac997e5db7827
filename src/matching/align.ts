import { type ComparedWords, type Word, wordAlike } from "./words.ts"

/** The overlap of two lists of words, in bits; the object is reused. */
export interface Alignment {
  shared: number
  /** Bits of words that only the first or only the second has. */
  restA: number
  restB: number
  /** shared / (shared + rests), 0 to 1. */
  overlap: number
  /** shared / all of the side that has less, 0 to 1. */
  contained: number
}

const MOST = 32
const partnerA = new Int8Array(MOST)
const partnerB = new Int8Array(MOST)
const alikeA = new Float64Array(MOST)

/** The best partner for each word, the equal ones first. `out` is filled and given back. */
export function align(
  a: ComparedWords,
  bitsA: readonly number[],
  b: ComparedWords,
  bitsB: readonly number[],
  out: Alignment,
): Alignment {
  const wordsA = a.words
  const wordsB = b.words
  const n = Math.min(wordsA.length, MOST)
  const m = Math.min(wordsB.length, MOST)
  partnerA.fill(-1, 0, n)
  partnerB.fill(-1, 0, m)
  let openA = n
  let openB = m
  for (let i = 0; i < n; i++) {
    const { hash } = wordsA[i]!
    for (let j = 0; j < m; j++)
      if (wordsB[j]!.hash === hash && partnerB[j]! < 0) {
        partnerA[i] = j
        partnerB[j] = i
        alikeA[i] = 1
        openA--
        openB--
        break
      }
  }
  for (let i = 0; i < n && openA > 0 && openB > 0; i++) {
    if (partnerA[i]! >= 0) continue
    let best = -1
    let most = 0
    for (let j = 0; j < m; j++) {
      if (partnerB[j]! >= 0) continue
      const near = wordAlike(wordsA[i]!, wordsB[j]!)
      if (near > most) {
        most = near
        best = j
      }
    }
    if (best < 0) continue
    partnerA[i] = best
    partnerB[best] = i
    alikeA[i] = most
    openA--
    openB--
  }
  let shared = 0
  let restA = 0
  let restB = 0
  for (let i = 0; i < n; i++) {
    const j = partnerA[i]!
    if (j < 0) restA += bitsA[i]!
    else {
      const near = alikeA[i]!
      const worth = Math.min(bitsA[i]!, bitsB[j]!)
      shared += near * worth
      restA += (1 - near) * worth
      restB += (1 - near) * worth
    }
  }
  for (let j = 0; j < m; j++) if (partnerB[j]! < 0) restB += bitsB[j]!
  if (openA > 0 && openB > 0) {
    const joined = joinedBits(wordsA, bitsA, partnerA, wordsB, bitsB, partnerB)
    const back = joinedBits(wordsB, bitsB, partnerB, wordsA, bitsA, partnerA)
    shared += joined + back
    restA = Math.max(0, restA - joined - back)
    restB = Math.max(0, restB - joined - back)
  }
  out.shared = shared
  out.restA = restA
  out.restB = restB
  out.overlap = shared / Math.max(1e-9, shared + restA + restB)
  out.contained = shared / Math.max(1e-9, shared + Math.min(restA, restB))
  return out
}

/** Bits of words of `b` that neighbours of `a` make up when joined (`de paul`) or by their initials. */
function joinedBits(
  a: readonly Word[],
  bitsA: readonly number[],
  takenA: Int8Array,
  b: readonly Word[],
  bitsB: readonly number[],
  takenB: Int8Array,
): number {
  let bits = 0
  for (let j = 0; j < b.length && j < MOST; j++) {
    const word = b[j]!.text
    if (takenB[j]! >= 0 || word.length < 3) continue
    for (let i = 0; i < a.length - 1 && i < MOST - 1; i++) {
      if (takenA[i]! >= 0 || takenA[i + 1]! >= 0 || a[i]!.text.charCodeAt(0) !== word.charCodeAt(0)) continue
      const end = joinEnd(a, takenA, i, word)
      if (end < 0) continue
      let sum = 0
      for (let at = i; at <= end; at++) {
        sum += bitsA[at]!
        takenA[at] = j
      }
      takenB[j] = i
      bits += Math.min(sum, bitsB[j]!)
      break
    }
  }
  return bits
}

/** Where the words from `from` on that make up `word` end, -1 when they do not. */
function joinEnd(a: readonly Word[], taken: Int8Array, from: number, word: string): number {
  const both = a[from]!.text + a[from + 1]!.text
  if (both === word) return from + 1
  if (word.length > 5 || from + word.length > a.length) return -1
  for (let k = 0; k < word.length; k++) {
    if (taken[from + k]! >= 0 || a[from + k]!.text.charCodeAt(0) !== word.charCodeAt(k)) return -1
  }
  return from + word.length - 1
}
