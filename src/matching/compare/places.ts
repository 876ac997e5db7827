import { EARTH_RADIUS_KM } from "../../lead/geo.ts"
import { levelsOf } from "../levels.ts"
import { type MatchableLead, type Prepared, prepareLead } from "../prepare.ts"
import { alike, edits } from "../similarity.ts"

const F = levelsOf("postal", "city", "state", "country", "distance", "phone")

/** Levels by the metres up to which they hold. */
export const DISTANCES: readonly [number, number][] = [
  [30, F["distance.30"]],
  [100, F["distance.100"]],
  [300, F["distance.300"]],
  [1_000, F["distance.1000"]],
  [5_000, F["distance.5000"]],
  [50_000, F["distance.50000"]],
  [Number.POSITIVE_INFINITY, F["distance.far"]],
]

/** Metres between two leads on the map, over the plane that is enough for near ones; NaN when not known. */
export function metresBetween(a: Prepared, b: Prepared): number {
  const radian = Math.PI / 180
  const up = (a.latitude - b.latitude) * radian
  let aside = Math.abs(a.longitude - b.longitude)
  if (aside > 180) aside = 360 - aside
  return (
    Math.hypot(up, aside * radian * Math.cos(((a.latitude + b.latitude) / 2) * radian)) *
    EARTH_RADIUS_KM *
    1_000
  )
}

export function comparePlaces(a: Prepared, b: Prepared, out: Float64Array): void {
  if (a.postal && b.postal) out[F[`postal.${postalLevel(a.postal, b.postal)}`]] = 1
  if (a.city && b.city) {
    const level = cityLevel(a.city, b.city)
    out[F[level]] = 1
    if (level === "city.differs" && (out[F["postal.same"]] || out[F["phone.same"]])) beOnePlace(out)
  }
  if (a.state && b.state) {
    if (a.state === b.state) out[F["state.same"]] = 1
    else if (a.state.length === b.state.length) out[F["state.differs"]] = 1
  }
  if (a.country && b.country && a.country !== b.country) out[F["country.differs"]] = 1
  const metres = metresBetween(a, b)
  if (metres >= 0) out[DISTANCES.find(([most]) => metres <= most)![1]] = 1
}

/** A suburb and its city: one place is written in both ways. */
export function beOnePlace(out: Float64Array): void {
  if (out[F["city.differs"]] === 0) return
  out[F["city.differs"]] = 0
  out[F["city.suburb"]] = 1
}

function postalLevel(a: string, b: string): "same" | "near" | "differs" {
  if (a === b) return "same"
  const shorter = Math.min(a.length, b.length)
  if (shorter > 3 && (a.startsWith(b) || b.startsWith(a))) return "same"
  if (shorter > 3 && (a.slice(0, shorter - 1) === b.slice(0, shorter - 1) || edits(a, b, 1) <= 1))
    return "near"
  return "differs"
}

function cityLevel(a: string, b: string): "city.same" | "city.similar" | "city.differs" {
  if (a === b) return "city.same"
  if (a.includes(b) || b.includes(a)) return "city.similar"
  return alike(a, b, 0.6) > 0 ? "city.similar" : "city.differs"
}

// Whether two leads are at one place, as far as they say.

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
