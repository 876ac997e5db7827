import { boundsOf } from "../compare/bounds.ts"
import { AT } from "../levels.ts"
import type { TermRarity } from "../rarity.ts"
import type { Weights } from "../weights.ts"
import { addresses, mostOfAddresses } from "./address.ts"
import { mostOfAttributes } from "./attributes.ts"
import { mostOfContacts } from "./contacts.ts"
import { ATTRIBUTE, COLUMN, FLAG, HEAD, WORD } from "./layout.ts"
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
  /** Whether a pair with the lead whose row is at this place may come to `least` bits; never false for one that does. */
  mayReach(rows: Int32Array, at: number, least: number): boolean
}

export function boundOfPairs(weights: Weights): BoundOfPairs {
  const most = boundsOf(weights)
  const names = ownNames()
  let ownRow: Int32Array = new Int32Array(HEAD)
  let rarity: TermRarity = { leads: 0, count: () => 0 }
  const addressMax = Math.max(...Object.values(most.address))
  const { employer } = most
  const interactions = most.interactions.map((contacts) => Math.max(...contacts))

  /** The most bits of names and companies, with what their levels bring together with others. */
  function mostOfNamed(rows: Int32Array, at: number, isOfPersons: boolean): number {
    const company = mostOfCompanies(names, ownRow, 0, rows, at, rarity, weights)
    if ((ownRow[0]! & rows[at]! & FLAG.name) === 0) return company + weights[MISSING]!
    mostOfNames(names, ownRow, 0, rows, at, rarity, most.name, weights)
    if (mayBeSwapped(names, ownRow, 0, rows, at, rarity))
      nameBits[0] = Math.max(nameBits[0]!, weights[CROSSED]!)
    const isOneSite = ownRow[COLUMN.site] !== 0 && ownRow[COLUMN.site] === rows[at + COLUMN.site]
    const [same, part, other] = isOfPersons ? most.personInteractions : interactions
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
    from(row, counts) {
      ownRow = row
      rarity = counts
      readOwnNames(row, rarity, names)
    },
    mayReach(rows, at, least) {
      const needed = least - ROUNDING
      const isOfPersons = (ownRow[0]! & 3) * (rows[at]! & 3) > 1
      let bits = weights[ALL]! + (isOfPersons ? weights[PERSONS]! + employer : 0) + most.together
      bits += mostOfContacts(ownRow, 0, rows, at, weights)
      bits += mostOfAttributes(ownRow, 0, rows, at, rarity, weights)
      const hasAddresses = (ownRow[0]! & rows[at]! & FLAG.address) !== 0
      const placed = bits + mostOfPlaces(ownRow, 0, rows, at, true, weights)
      // Names before addresses: they tell most pairs apart.
      const named = mostOfNamed(rows, at, isOfPersons)
      if (placed + (hasAddresses ? addressMax : 0) + named < needed) return false
      bits += mostOfAddresses(ownRow, 0, rows, at, weights)
      bits += mostOfPlaces(ownRow, 0, rows, at, addresses.maySame, weights)
      return bits + named >= needed
    },
  }
}

/** The terms of the row at this place whose counts a bound asks for. */
export function termsOfRow(row: Int32Array, at = 0): number[] {
  const counts = row[at + COLUMN.counts]!
  const words = (counts & 15) + ((counts >>> 4) & 15)
  const terms: number[] = []
  for (let i = 0; i < words; i++) terms.push(row[at + HEAD + i * WORD]!)
  const attributes = at + HEAD + WORD * (words + ((counts >>> 8) & 15))
  for (let i = 0; i < ((counts >>> 12) & 15); i++)
    terms.push(row[attributes + ATTRIBUTE * i]!, row[attributes + ATTRIBUTE * i + 2]!)
  return terms
}
