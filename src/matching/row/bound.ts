import { boundsOf } from "../bounds.ts"
import { AT } from "../levels.ts"
import type { TermRarity } from "../rarity.ts"
import type { Weights } from "../weights.ts"
import { addresses, mostOfAddresses } from "./address.ts"
import { mostOfAttributes } from "./attributes.ts"
import { mostOfContacts } from "./contacts.ts"
import { ATTRIBUTE, COLUMN, FLAG, HEAD, WORD } from "./layout.ts"
import { mayBeSwapped, mostOfCompanies, mostOfNames, nameBits, ownWords, readOwnWords } from "./names.ts"
import { mostOfPlaces } from "./places.ts"

const ALL = AT["all.pairs"]
const PERSONS = AT["person.pairs"]
const MISSING = AT["name.missing"]
const CROSSED = AT["name.crossed"]
/** Tolerance for sums in another order. */
const ROUNDING = 1e-6

/** Bounds for pairs of one lead with others. */
export interface BoundOfPairs {
  /** From now on pairs are those of this lead; `rarity` counts the terms of its row and of those that it meets. */
  from(row: Int32Array, rarity: TermRarity): void
  /** Whether a pair with the lead whose row is at this place may come to `least` bits; never false for one that does. */
  mayReach(rows: Int32Array, at: number, least: number): boolean
}

export function boundOfPairs(weights: Weights): BoundOfPairs {
  const most = boundsOf(weights)
  const [name, company] = [ownWords(), ownWords()]
  let own: Int32Array = new Int32Array(HEAD)
  let rarity: TermRarity = { leads: 0, count: () => 0 }
  const best = (bits: number, interactions: readonly number[]) => {
    let sum = Number.NEGATIVE_INFINITY
    for (let level = 0; level < 3; level++)
      sum = Math.max(sum, bits + nameBits[level]! + interactions[level]!)
    return sum
  }
  const addressMax = Math.max(...Object.values(most.address))
  const { employer } = most
  const interactions = most.interactions.map((contacts) => Math.max(...contacts))
  return {
    from(row, counts) {
      own = row
      rarity = counts
      const words = row[COLUMN.counts]!
      readOwnWords(row, HEAD, words & 15, rarity, name)
      readOwnWords(row, HEAD + WORD * (words & 15), (words >>> 4) & 15, rarity, company)
    },
    mayReach(rows, at, least) {
      const needed = least - ROUNDING
      const [flags, flagsB] = [own[0]!, rows[at]!]
      const isOfPersons = (flags & 3) * (flagsB & 3) > 1
      let bits = weights[ALL]! + (isOfPersons ? weights[PERSONS]! : 0) + most.together
      bits += mostOfContacts(own, 0, rows, at, weights)
      const interactionMax = isOfPersons ? most.personInteraction : most.interaction
      const hasNames = (flags & flagsB & FLAG.name) !== 0
      const companyMax = ((flags | flagsB) & FLAG.company) !== 0 ? most.company : 0
      const namesMax = (hasNames ? most.name + interactionMax : weights[MISSING]!) + companyMax
      bits += mostOfAttributes(own, 0, rows, at, rarity, weights)
      const hasAddresses = (flags & flagsB & FLAG.address) !== 0
      // Words of addresses and names take longest: first whether they can matter at all.
      const placed = bits + mostOfPlaces(own, 0, rows, at, true, weights)
      if (placed + (hasAddresses ? addressMax : 0) + namesMax + employer < needed) return false
      bits += mostOfAddresses(own, 0, rows, at, weights)
      bits += mostOfPlaces(own, 0, rows, at, addresses.maySame, weights)
      if (isOfPersons) bits += employer
      if (bits + namesMax < needed) return false
      if (companyMax > 0) bits += mostOfCompanies(name, company, own, 0, rows, at, weights)
      if (!hasNames) return bits + weights[MISSING]! >= needed
      mostOfNames(name, own, 0, rows, at, rarity, most.name, weights)
      if (mayBeSwapped(name, own, 0, rows, at)) nameBits[0] = Math.max(nameBits[0]!, weights[CROSSED]!)
      return best(bits, isOfPersons ? most.personInteractions : interactions) >= needed
    },
  }
}

/** The terms of a row whose counts a bound asks for. */
export function termsOfRow(row: Int32Array): number[] {
  const counts = row[COLUMN.counts]!
  const words = (counts & 15) + ((counts >>> 4) & 15)
  const terms: number[] = []
  for (let i = 0; i < words; i++) terms.push(row[HEAD + i * WORD]!)
  const attributes = HEAD + WORD * (words + ((counts >>> 8) & 15))
  for (let i = 0; i < ((counts >>> 12) & 15); i++)
    terms.push(row[attributes + ATTRIBUTE * i]!, row[attributes + ATTRIBUTE * i + 2]!)
  return terms
}
