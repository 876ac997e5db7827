import { ADDRESS_LEVELS } from "../compare/address.ts"
import { INTERACTIONS, OF_EMPLOYER, PERSON_INTERACTIONS } from "../interactions.ts"
import { AT, FEATURES, type Feature } from "../levels.ts"
import type { Weights } from "../weights.ts"

/** The most bits that parts of a comparison can bring, never less than they do bring. */
export interface Most {
  name: number
  /** What a name brings beside its words and numbers, which `name` has in it. */
  besideName: number
  address: number
  /** By levels of the name. */
  interactions: number[]
  personInteractions: number[]
  /** For persons whose employer's features are dropped, but those of how many share them. */
  employer: number
  /** For what is found together otherwise. */
  together: number
  /** For the same name and site elsewhere. */
  moved: number
}

export function mostOf(weights: Weights): Most {
  const of = (name: Feature, times = 1) => times * weights[AT[name]]!
  const most = (...bits: number[]) => Math.max(0, ...bits)
  const at = (places: readonly number[]) => most(...places.map((place) => weights[place]!))
  const dropped = OF_EMPLOYER.filter((place) => !FEATURES[place]!.endsWith(".shared"))
  const beside = most(of("address.unit"), of("address.unit_differs"))
  const shared = most(of("address.shared", 8 / 3))
  const levels = Object.entries(ADDRESS_LEVELS).map(
    ([level, places]) => at(places) + beside + (level === "same" || level === "none" ? shared : 0),
  )
  return {
    name: nameBound(of, most),
    besideName: besideName(of, most),
    address: Math.max(...levels),
    interactions: INTERACTIONS.map((addresses) => at(addresses.flat())),
    personInteractions: PERSON_INTERACTIONS.map(at),
    employer: most(of("person.employer")) + dropped.reduce((sum, place) => sum + most(-weights[place]!), 0),
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

type Of = (name: Feature, times?: number) => number
type Greatest = (...bits: number[]) => number

function nameBound(of: Of, most: Greatest): number {
  const parted = [of("name.close"), of("name.partly"), of("name.half"), of("name.little"), of("name.differs")]
  const contained = most(of("name.contained"), of("name.mostly_contained"))
  return (
    Math.max(of("name.same"), of("name.nearly"), of("name.crossed"), Math.max(...parted) + contained) +
    most(of("name.rarity", 1.5), of("name.common", 1.2), of("name.word_rarity", 3)) +
    most(of("name.numbers"), of("name.number")) +
    besideName(of, most)
  )
}

function besideName(of: Of, most: Greatest): number {
  const single = ["name.within", "name.two", "name.part_of", "name.branch", "name.form"] as const
  return (
    most(of("name.conflict", 2), of("person.conflict", 2)) +
    most(of("name.extra", 3)) +
    most(of("name.part"), of("name.parts")) +
    single.reduce((sum, name) => sum + most(of(name)), 0)
  )
}
