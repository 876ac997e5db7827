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

export function mostOfAddresses(a: Int32Array, b: Int32Array, weights: Weights): number {
  addresses.maySame = false
  const flagsA = a[COLUMN.flags]!
  const flagsB = b[COLUMN.flags]!
  if ((flagsA & flagsB & FLAG.address) === 0) return 0
  const likeness = likenessOf(a, b)
  const levels = houseLevels(a, b)
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

function likenessOf(a: Int32Array, b: Int32Array): number {
  if (((a[COLUMN.flags]! | b[COLUMN.flags]!) & FLAG.manyAddressWords) !== 0) return 1
  readStreet(a, left)
  readStreet(b, right)
  mostOfWords(left, right, wordBound)
  const likeness = Math.max(wordBound.overlap, wordBound.contained * 0.9)
  if (likeness > 0.75) return 1
  const { addressLetters: letters, addressCounts: counts } = COLUMN
  return mayBeGlued(a, letters, b, letters, 0.4, 64, counts) ? 1 : likeness
}

function readStreet(row: Int32Array, into: RowWords): void {
  const counts = row[COLUMN.counts]!
  const begin = HEAD + WORD * ((counts & 15) + ((counts >>> 4) & 15))
  readWords(row, begin, (counts >>> 8) & 15, undefined, into)
}

function houseLevels(a: Int32Array, b: Int32Array): readonly HouseLevel[] {
  const houseA = a[COLUMN.house]!
  const houseB = b[COLUMN.house]!
  if (houseA === 0 && houseB === 0) return CERTAIN.none
  if (houseA === 0 || houseB === 0) return CERTAIN.one
  if (((a[COLUMN.flags]! | b[COLUMN.flags]!) & FLAG.severalHouses) !== 0) return ANY_NUMBERS
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
