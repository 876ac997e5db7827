import { AT } from "../levels.ts"
import type { TermRarity } from "../rarity.ts"
import type { Weights } from "../weights.ts"
import { addresses, mostOfAddresses } from "./address.ts"
import { mostOfAttributes } from "./attributes.ts"
import { mostOfContacts } from "./contacts.ts"
import { ATTRIBUTE, COLUMN, FLAG, HEAD, WORD } from "./layout.ts"
import { mostOf } from "./most.ts"
import { mayBeSwapped, mostOfCompanies, mostOfNames, nameBits, ownNames, readOwnNames } from "./names.ts"
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
  /** Whether a pair with the lead of this row may come to `least` bits; never false for one that does. */
  mayReach(row: Int32Array, least: number): boolean
}

export function boundOfPairs(weights: Weights): BoundOfPairs {
  const most = mostOf(weights)
  const own = ownNames()

  /** The most bits of names and companies, with what their levels bring together with others. */
  function mostOfNamed(row: Int32Array, isOfPersons: boolean): number {
    const company = mostOfCompanies(own, row, weights)
    if ((own.row[COLUMN.flags]! & row[COLUMN.flags]! & FLAG.name) === 0) return company + weights[MISSING]!
    mostOfNames(own, row, most, weights)
    if (mayBeSwapped(own, row)) nameBits[0] = Math.max(nameBits[0]!, weights[CROSSED]!)
    const isOneSite = own.row[COLUMN.site] !== 0 && own.row[COLUMN.site] === row[COLUMN.site]
    const [same, part, other] = isOfPersons ? most.personInteractions : most.interactions
    return (
      company +
      Math.max(
        nameBits[0]! + same! + (isOneSite ? most.moved : 0),
        nameBits[1]! + part!,
        nameBits[2]! + other!,
      )
    )
  }

  return {
    from: (row, rarity) => readOwnNames(row, rarity, own),
    mayReach(row, least) {
      const needed = least - ROUNDING
      const flags = [own.row[COLUMN.flags]!, row[COLUMN.flags]!] as const
      const isOfPersons = (flags[0] & 3) * (flags[1] & 3) > 1
      let bits = weights[ALL]! + (isOfPersons ? weights[PERSONS]! + most.employer : 0) + most.together
      bits += mostOfContacts(own.row, row, weights)
      bits += mostOfAttributes(own.row, row, own.rarity, weights)
      const hasAddresses = (flags[0] & flags[1] & FLAG.address) !== 0
      const placed = bits + mostOfPlaces(own.row, row, true, weights)
      // Names before addresses: they tell most pairs apart.
      const named = mostOfNamed(row, isOfPersons)
      if (placed + (hasAddresses ? most.address : 0) + named < needed) return false
      bits += mostOfAddresses(own.row, row, weights)
      bits += mostOfPlaces(own.row, row, addresses.maySame, weights)
      return bits + named >= needed
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
