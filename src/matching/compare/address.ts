import type { PostalAddress } from "../address.ts"
import { type Alignment, align } from "../align.ts"
import { levelsOf } from "../levels.ts"
import type { Prepared } from "../prepare.ts"
import type { TermRarity } from "../rarity.ts"
import { alike, bitCount, edits } from "../similarity.ts"

const F = levelsOf("address")
/** How alike addresses must be as a whole for that to count. */
const SPELLED = 0.6

const alignment: Alignment = { shared: 0, restA: 0, restB: 0, overlap: 0, contained: 0 }

export type HouseLevel = "same" | "near" | "differ" | "one" | "none"
/** By what the numbers say, then how much of the street is shared. */
export const ADDRESS_LEVELS: Record<HouseLevel, readonly [number, number, number]> = {
  same: [F["address.same"], F["address.similar"], F["address.number"]],
  near: [F["address.neighbours"], F["address.near_similar"], F["address.near_differs"]],
  differ: [F["address.street"], F["address.half_street"], F["address.elsewhere"]],
  one: [F["address.one_number"], F["address.one_number_similar"], F["address.one_number_differs"]],
  none: [F["address.words"], F["address.words_similar"], F["address.words_differ"]],
}

export function compareAddress(a: Prepared, b: Prepared, rarity: TermRarity, out: Float64Array): void {
  const [left, right] = [a.address, b.address]
  if (!left || !right) return
  align(left, left.factor, right, right.factor, alignment)
  let same = Math.max(alignment.overlap, alignment.contained * 0.9)
  // Words run together or torn apart.
  if (same <= 0.75 && areNear(left, right)) same = Math.max(same, alike(left.glued, right.glued, SPELLED))
  const numbers = houseLevel(left, right)
  out[ADDRESS_LEVELS[numbers][same > 0.75 ? 0 : same > 0.45 ? 1 : 2]] = 1
  if ((numbers === "same" || numbers === "none") && same > 0.75)
    out[F["address.shared"]] = Math.min(Math.log2(Math.max(1, rarity.count(a.addressTerm) - 1)), 8) / 3
  if (left.units.length > 0 && right.units.length > 0) {
    const isShared = left.units.some((unit) => right.units.includes(unit))
    out[F[isShared ? "address.unit" : "address.unit_differs"]] = 1
  }
}

/** Whether as many letters could be shared as it takes. */
function areNear(a: PostalAddress, b: PostalAddress): boolean {
  if (Math.abs(a.glued.length - b.glued.length) > 8) return false
  // An edit takes one letter out and puts another one in at most.
  return (
    bitCount(a.gluedLetters ^ b.gluedLetters) <= 2 * (1 - SPELLED) * Math.max(a.glued.length, b.glued.length)
  )
}

function houseLevel({ house: a }: PostalAddress, { house: b }: PostalAddress): HouseLevel {
  if (a.length === 0 && b.length === 0) return "none"
  const [first, other] = [a[0], b[0]]
  if (first === undefined || other === undefined) return "one"
  // Numbers in rows are blocks and houses of blocks: all that both have must agree.
  const shorter = Math.min(a.length, b.length)
  if (first === other) {
    if (shorter < 2) return "same"
    return a.slice(0, shorter).every((one, i) => one === b[i]) ? "same" : "near"
  }
  if (shorter < 2 && (a.includes(other) || b.includes(first))) return "same"
  const numeric = Number.parseInt(first, 10) - Number.parseInt(other, 10)
  if (numeric === 0 || (first.length > 1 && other.length > 1 && edits(first, other, 1) <= 1)) return "near"
  return Math.abs(numeric) <= 4 ? "near" : "differ"
}
