// The most bits that addresses of two rows can have: compare/address.ts is what they are.
import { ADDRESS_LEVELS, type HouseLevel } from "../compare/address.ts"
import { levelsOf } from "../levels.ts"
import { edits } from "../similarity.ts"
import type { Weights } from "../weights.ts"
import { COLUMN, FLAG, HEAD, WORD } from "./layout.ts"
import { mayBeGlued, mostOfWords, type RowWords, readWords, rowWords, type WordBound } from "./words.ts"

const F = levelsOf("address")
const SHARED_MAX = 8 / 3
const CERTAIN: Record<HouseLevel, readonly HouseLevel[]> = {
  same: ["same"],
  near: ["near"],
  differ: ["differ"],
  one: ["one"],
  none: ["none"],
}
const ANY_NUMBERS: readonly HouseLevel[] = ["same", "near", "differ"]

const [left, right] = [rowWords(), rowWords()]
const wordBound: WordBound = { shared: 0, overlap: 0, contained: 0 }

/** Features that the last call found possible. */
export const addresses = { maySame: false }

export function mostOfAddresses(
  a: Int32Array,
  atA: number,
  b: Int32Array,
  atB: number,
  weights: Weights,
): number {
  addresses.maySame = false
  const flagsA = a[atA]!
  const flagsB = b[atB]!
  if ((flagsA & flagsB & FLAG.address) === 0) return 0
  const likeness = likenessOf(a, atA, b, atB)
  const levels = houseLevels(a, atA, b, atB)
  let most = Number.NEGATIVE_INFINITY
  for (const level of levels) {
    const [whole, part, apart] = ADDRESS_LEVELS[level]
    most = Math.max(most, weights[apart]!)
    if (likeness > 0.44) most = Math.max(most, weights[part]!)
    if (likeness <= 0.74) continue
    const shared =
      level === "same" || level === "none" ? Math.max(0, weights[F["address.shared"]]! * SHARED_MAX) : 0
    most = Math.max(most, weights[whole]! + shared)
    if (level === "same") addresses.maySame = true
  }
  if ((flagsA & flagsB & FLAG.units) === 0) return most
  return most + Math.max(weights[F["address.unit"]]!, weights[F["address.unit_differs"]]!)
}

function likenessOf(a: Int32Array, atA: number, b: Int32Array, atB: number): number {
  if (((a[atA]! | b[atB]!) & FLAG.manyAddressWords) !== 0) return 1
  readStreet(a, atA, left)
  readStreet(b, atB, right)
  mostOfWords(left, right, wordBound)
  const likeness = Math.max(wordBound.overlap, wordBound.contained * 0.9)
  if (likeness > 0.75) return 1
  const lettersA = atA + COLUMN.addressLetters
  const lettersB = atB + COLUMN.addressLetters
  const countsA = atA + COLUMN.addressCounts
  const countsB = atB + COLUMN.addressCounts
  return mayBeGlued(a, lettersA, countsA, b, lettersB, countsB, 0.4, 64) ? 1 : likeness
}

function readStreet(row: Int32Array, at: number, into: RowWords): void {
  const counts = row[at + COLUMN.counts]!
  const begin = at + HEAD + WORD * ((counts & 15) + ((counts >>> 4) & 15))
  readWords(row, begin, (counts >>> 8) & 15, undefined, into)
}

function houseLevels(a: Int32Array, atA: number, b: Int32Array, atB: number): readonly HouseLevel[] {
  const houseA = a[atA + COLUMN.house]!
  const houseB = b[atB + COLUMN.house]!
  if (houseA === 0 && houseB === 0) return CERTAIN.none
  if (houseA === 0 || houseB === 0) return CERTAIN.one
  if (((a[atA]! | b[atB]!) & FLAG.severalHouses) !== 0) return ANY_NUMBERS
  if (houseA === houseB) return CERTAIN.same
  const numberA = houseA & 0x1ffff
  const numberB = houseB & 0x1ffff
  if (Math.abs(numberA - numberB) <= 4) return CERTAIN.near
  const textA = textOf(houseA)
  const textB = textOf(houseB)
  return textA.length > 1 && textB.length > 1 && edits(textA, textB, 1) <= 1 ? CERTAIN.near : CERTAIN.differ
}

/** The number as it is written; what follows it is a letter. */
function textOf(house: number): string {
  const letter = (house >>> 17) & 63
  return String(house & 0x1ffff) + (letter === 0 ? "" : String.fromCharCode(letter + 64))
}
