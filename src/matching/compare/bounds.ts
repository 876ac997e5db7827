import { CONTACT_STATES, INTERACTIONS, OF_EMPLOYER, PERSON_INTERACTIONS } from "../interactions.ts"
import { AT, FEATURES, type Feature } from "../levels.ts"
import type { Weights } from "../weights.ts"
import { ADDRESS_LEVELS, type HouseLevel } from "./address.ts"

/** The most bits that what has yet to be compared can bring, never less than it does bring. */
export interface Bounds {
  name: number
  /** What a name brings beside its words and numbers, which `name` has in it. */
  besideName: number
  /** Where one has no name. */
  missing: number
  company: number
  address: Record<HouseLevel, number>
  /** For a city that turns out to be the other's suburb. */
  suburb: number
  interaction: number
  personInteraction: number
  /** By levels of name and contact. */
  interactions: number[][]
  personInteractions: number[]
  /** For persons whose employer's features are dropped; those of how many share them apart. */
  employer: number
  employerShared: number
  /** For what is found together otherwise. */
  together: number
  /** For the same name and site elsewhere. */
  moved: number
}

const byWeights = new WeakMap<Weights, Bounds>()

export function boundsOf(weights: Weights): Bounds {
  return byWeights.getOrInsertComputed(weights, bounds)
}

function bounds(weights: Weights): Bounds {
  const of = (name: Feature, times = 1) => times * weights[AT[name]]!
  const most = (...bits: number[]) => Math.max(0, ...bits)
  const at = (places: readonly number[]) => most(...places.map((place) => weights[place]!))
  const interactions = INTERACTIONS.map((addresses) =>
    CONTACT_STATES.map((_, contact) => at(addresses.map((contacts) => contacts[contact]!))),
  )
  const personInteractions = PERSON_INTERACTIONS.map(at)
  const beside = most(of("address.unit"), of("address.unit_differs"))
  const shared = most(of("address.shared", 8 / 3))
  const levels = Object.entries(ADDRESS_LEVELS).map(([level, places]) => {
    return [level, at(places) + beside + (level === "same" || level === "none" ? shared : 0)]
  })
  return {
    name: nameBound(of, most),
    besideName: besideName(of, most),
    missing: of("name.missing"),
    company: most(of("company.same"), of("company.similar"), of("company.differs"), of("company.crossed")),
    address: Object.fromEntries(levels) as Record<HouseLevel, number>,
    suburb: most(of("city.suburb") - of("city.differs")),
    interaction: Math.max(...interactions.flat()),
    personInteraction: Math.max(...personInteractions),
    interactions,
    personInteractions,
    employer: most(of("person.employer")) + dropped(weights, (name) => !name.endsWith(".shared")),
    employerShared: (8 / 3) * dropped(weights, (name) => name.endsWith(".shared")),
    moved: most(of("mix.moved")),
    together:
      most(of("mix.contacts")) +
      most(of("mix.name_web")) +
      most(of("mix.nothing_but_name")) +
      most(of("mix.other_page_and_contact")) +
      most(of("mix.crowded", 5 / 3)) +
      most(of("person.date_differs")) +
      most(of("email.differs") - of("email.near")),
  }
}

/** Upper bound of the gain where an employer's features are dropped. */
function dropped(weights: Weights, isMeant: (name: Feature) => boolean): number {
  const meant = OF_EMPLOYER.filter((at) => isMeant(FEATURES[at]!))
  return meant.reduce((sum, at) => sum + Math.max(0, -weights[at]!), 0)
}

type Of = (name: Feature, times?: number) => number
type Most = (...bits: number[]) => number

function nameBound(of: Of, most: Most): number {
  const parted = [of("name.close"), of("name.partly"), of("name.half"), of("name.little"), of("name.differs")]
  const contained = most(of("name.contained"), of("name.mostly_contained"))
  return (
    Math.max(of("name.same"), of("name.nearly"), of("name.crossed"), Math.max(...parted) + contained) +
    most(of("name.rarity", 1.5), of("name.common", 1.2), of("name.word_rarity", 3)) +
    most(of("name.numbers"), of("name.number")) +
    besideName(of, most)
  )
}

function besideName(of: Of, most: Most): number {
  const single = ["name.within", "name.two", "name.part_of", "name.branch", "name.form"] as const
  return (
    most(of("name.conflict", 2), of("person.conflict", 2)) +
    most(of("name.extra", 3)) +
    most(of("name.part"), of("name.parts")) +
    single.reduce((sum, name) => sum + most(of(name)), 0)
  )
}
