// The most bits that attributes, category, job and source of two rows can have: compare/attributes.ts is what they are.
import { dateLevel } from "../compare/attributes.ts"
import { levelsOf } from "../levels.ts"
import { bitsOfValue, type TermRarity } from "../rarity.ts"
import { bitCount } from "../similarity.ts"
import type { Weights } from "../weights.ts"
import { ATTRIBUTE, COLUMN, FLAG, HEAD, LENGTH_MAX, WORD } from "./layout.ts"

const F = levelsOf("date", "attribute", "category", "job", "source")
const DATES = [F["date.same"], F["date.near"], F["date.partly"], F["date.close"], F["date.differs"]]
/** The most that `attribute.same` and `attribute.differs` come to, and attributes that a lead is compared by. */
const SUM_MAX = 3
const COMPARED_MAX = 12

export function mostOfAttributes(a: Int32Array, b: Int32Array, rarity: TermRarity, weights: Weights): number {
  const both = a[COLUMN.flags]! & b[COLUMN.flags]!
  let most = mostOfValues(a, b, rarity, weights)
  if ((both & FLAG.category) !== 0) {
    const may = (a[COLUMN.category]! & b[COLUMN.category]!) !== 0
    const differs = weights[F["category.differs"]]!
    most += may ? Math.max(differs, weights[F["category.same"]]!) : differs
  }
  if ((both & FLAG.job) !== 0) {
    const may = (a[COLUMN.job]! & b[COLUMN.job]!) !== 0
    const differs = weights[F["job.differs"]]!
    most += may ? Math.max(differs, weights[F["job.same"]]!) : differs
  }
  if (a[COLUMN.source] === 0 || a[COLUMN.source] !== b[COLUMN.source]) return most
  most += weights[F["source.same"]]!
  const idA = a[COLUMN.identifiers]! & 0xffff
  const idB = b[COLUMN.identifiers]! & 0xffff
  if (idA === 0 || idB === 0) return most
  return most + (idA === idB ? Math.max(0, weights[F["source.ids"]]!) : weights[F["source.ids"]]!)
}

function mostOfValues(a: Int32Array, b: Int32Array, rarity: TermRarity, weights: Weights): number {
  const countA = countOf(a)
  const countB = countOf(b)
  if (countA === 0 || countB === 0) return 0
  if (((a[COLUMN.flags]! | b[COLUMN.flags]!) & FLAG.manyAttributes) !== 0) return mostOfMany(weights)
  let same = 0
  let near = 0
  let differ = 0
  let date = 0
  let dates = 0
  const firstB = attributesAt(b)
  for (let i = 0, at = attributesAt(a); i < countA; i++, at += ATTRIBUTE) {
    for (let j = 0, to = firstB; j < countB; j++, to += ATTRIBUTE) {
      const left = a[at + 1]!
      const right = b[to + 1]!
      // Of the name eight bits are known: it may be another.
      if (((left ^ right) & 0xff) !== 0) continue
      if ((left & right & (1 << 8)) !== 0) {
        dates++
        date = Math.max(date, dateBits(a[at]!, b[to]!, weights))
      } else if (a[at] === b[to]) same += Math.min(bitsOfValue(a[at]!, a[at + 2]!, rarity), COMPARED_MAX) / 6
      else {
        differ++
        if (mayBeNear(left, right)) near++
      }
    }
  }
  // Of several dates the levels may stand beside each other.
  if (dates > 1) date = DATES.reduce((sum, at) => sum + Math.max(0, weights[at]!), 0)
  return (
    date +
    Math.max(0, weights[F["attribute.same"]]! * Math.min(same, SUM_MAX)) +
    Math.max(0, weights[F["attribute.near"]]! * near) +
    Math.max(0, weights[F["attribute.differs"]]! * Math.min(differ, SUM_MAX))
  )
}

function mostOfMany(weights: Weights): number {
  return (
    DATES.reduce((sum, at) => sum + Math.max(0, weights[at]!), 0) +
    Math.max(0, weights[F["attribute.same"]]! * SUM_MAX) +
    Math.max(0, weights[F["attribute.near"]]! * COMPARED_MAX) +
    Math.max(0, weights[F["attribute.differs"]]! * SUM_MAX)
  )
}

function countOf(row: Int32Array): number {
  return (row[COLUMN.counts]! >>> 12) & 15
}

function attributesAt(row: Int32Array): number {
  const counts = row[COLUMN.counts]!
  return HEAD + WORD * ((counts & 15) + ((counts >>> 4) & 15) + ((counts >>> 8) & 15))
}

function dateBits(a: number, b: number, weights: Weights): number {
  return Math.max(0, weights[F[`date.${dateLevel(String(a).padStart(8, "0"), String(b).padStart(8, "0"))}`]]!)
}

function mayBeNear(a: number, b: number): boolean {
  const lengthA = (a >>> 9) & LENGTH_MAX
  const lengthB = (b >>> 9) & LENGTH_MAX
  const longer = Math.max(lengthA, lengthB)
  if (longer >= LENGTH_MAX) return true
  const edits = Math.floor(longer * 0.2 + 1e-9)
  if (lengthA <= 4 || Math.abs(lengthA - lengthB) > edits) return false
  return bitCount((a >>> 15) ^ (b >>> 15)) <= 2 * edits
}
