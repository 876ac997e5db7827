// Whether two leads are at one place, as far as they say.

import { type MatchableLead, type Prepared, prepareLead } from "../prepare.ts"
import { alike } from "../similarity.ts"
import { metresBetween } from "./places.ts"

/** Farther apart on the map are two places. */
const METRES_MAX = 2_000
const CITIES_ALIKE = 0.8
/** Streets as alike as this are one, written otherwise. */
const STREETS_ALIKE = 0.75

/** Undefined where they don't say: no street or place on the map that both have, and no other city. */
export function isAtSamePlace(one: MatchableLead, other: MatchableLead): boolean | undefined {
  const [a, b] = [prepareLead(one), prepareLead(other)]
  const metres = metresBetween(a, b)
  if (metres > METRES_MAX || haveOtherCities(a, b)) return false
  return isSameStreet(a, b) ?? (Number.isNaN(metres) ? undefined : true)
}

/** `Frankfurt` is `Frankfurt am Main`; `London` is not `Londonderry`. */
function haveOtherCities({ city: a }: Prepared, { city: b }: Prepared): boolean {
  if (!a || !b) return false
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a]
  return !` ${longer} `.includes(` ${shorter} `) && alike(a, b, CITIES_ALIKE) <= CITIES_ALIKE
}

function isSameStreet({ address: a }: Prepared, { address: b }: Prepared): boolean | undefined {
  if (!a?.glued || !b?.glued) return undefined
  const isOne =
    a.glued.includes(b.street) ||
    b.glued.includes(a.street) ||
    alike(a.glued, b.glued, STREETS_ALIKE) > STREETS_ALIKE
  if (!isOne) return false
  const isOneHouse =
    a.house.length === 0 || b.house.length === 0 || a.house.some((number) => b.house.includes(number))
  return isOneHouse || undefined
}
