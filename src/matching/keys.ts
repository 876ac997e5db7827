import { hashOf, skeletonOf } from "./fold.ts"
import type { Name } from "./name.ts"
import type { Prepared } from "./prepare.ts"
import { KIND, type Word } from "./words.ts"

// Which leads are worth comparing: those that share a key. Keys are signed 32-bit integers and depend on the lead
// alone, never on what else the account holds; keys that too many leads share are passed over when looking.

/** A key with more leads than this says nothing. */
export const KEY_MAX = 60
/** Leads that are compared with one. */
export const CANDIDATES_MAX = 30
/**
 * What the keys must come to that one shares: a word alone that many have is in two thirds of all candidates, and in none
 * of the labelled pairs of firms.
 */
export const STANDING_LEAST = 0.7
/** Persons have fewer keys, and most of the labelled pairs with typing errors in several fields share a common one alone. */
const PERSON_TIMES = 2

export interface Probe {
  key: number
  /** How telling a shared key is, before its size is looked at. */
  weight: number
  /** False for a key that only others are kept under: a neighbour's on the map. */
  isOwn: boolean
}

const CELL = 0.004

/** The blocking keys that are stored for a lead, each once. */
export function keysOf(lead: Prepared): number[] {
  return [...new Set(collect(lead, false).map(({ key }) => key))]
}

/** The keys to look up among those of other leads: the lead's own and its neighbours' on the map. */
export function probesOf(lead: Prepared): Probe[] {
  const best = new Map<number, Probe>()
  for (const probe of collect(lead, true)) {
    const before = best.get(probe.key)
    if (before === undefined) best.set(probe.key, probe)
    else if (before.weight < probe.weight) before.weight = probe.weight
  }
  return [...best.values()]
}

/** The share of a key of this size in a candidate's standing; 0 for keys that are passed over. */
export function keyWeight({ weight }: Probe, size: number): number {
  return size > KEY_MAX ? 0 : weight / (1 + Math.log2(Math.max(1, size)))
}

function collect(lead: Prepared, probing: boolean): Probe[] {
  const out: Probe[] = []
  const times = lead.person > 0 ? PERSON_TIMES : 1
  const put = (key: number, weight: number, isOwn = true) => out.push({ key, weight: times * weight, isOwn })
  const add = (text: string, kind: number, weight: number) => put(hashOf(text, kind), weight)
  const { phone, mail, web, address, city, postal, name } = lead
  if (phone && phone.national.length >= 6) add(phone.national.slice(-7), KIND.phone, 6)
  if (mail) {
    add(`${mail.local}@${mail.domain}`, KIND.email, 8)
    if (!mail.isRole && (mail.local.length > 4 || /\w{2}\d/.test(mail.local))) add(mail.local, KIND.local, 4)
    // The part that typing errors leave intact in most addresses of persons; businesses have other keys.
    if (!mail.isRole && lead.person > 0)
      add(`${mail.local.slice(0, 4)} ${mail.domain.slice(0, 2)}`, KIND.mailStart, 3)
    if (!mail.isPublic && mail.domain !== web?.site) add(mail.domain, KIND.domain, 3)
  }
  if (web) add(web.site, KIND.domain, 4)
  if (lead.profile) add(lead.profile, KIND.page, 8)
  const place = city ? skeletonOf(city) : postal
  const telling = name ? rarest(name, 3) : []
  if (name) {
    const texts = name.words.map(({ text }) => text)
    add(texts.sort().join(" "), KIND.name, 4)
    // Words that another writes as one.
    add(name.glued, KIND.name, 4)
    for (const part of name.branched) add(part, KIND.name, 4)
    for (const { soundHash } of telling) put(soundHash, 3)
    for (const { skeleton } of telling.slice(0, 2)) add(`${skeleton} ${place}`, KIND.place, 3)
    if (postal) add(`${name.glued.slice(0, 4)} ${postal.slice(0, 5)}`, KIND.start, 2)
  }
  if (lead.company) for (const { soundHash } of rarest(lead.company, 1)) put(soundHash, 2)
  const house = address?.house[0]
  if (house) {
    if (address.street) add(`${house} ${skeletonOf(address.street)}`, KIND.address, 4)
    if (postal) add(`${house} ${postal.slice(0, 5)}`, KIND.address, 3)
  }
  // Of a house with many tenants those whose names begin alike; nothing tells where a word of a script without spaces does.
  if (address?.street && name && lead.person < 2)
    for (const { skeleton } of name.words.slice(0, name.words[0]!.isUnspaced ? 8 : 1))
      add(`${house ?? postal} ${address.street} ${skeleton}`, KIND.tenant, 3)
  if (address?.street) add(`${skeletonOf(address.street)} ${postal.slice(0, 5) || place}`, KIND.address, 2)
  const date = lead.attributes.find(({ isDate }) => isDate)?.value ?? ""
  const birth = date.slice(0, 4)
  if (birth)
    for (const { skeleton } of telling.slice(0, 2))
      for (const part of [birth, date.slice(4)]) add(`${skeleton} ${part}`, KIND.date, 3)
  // Whatever is said of the name: half of it may be with the other.
  if (birth && place) add(`${place} ${birth}`, KIND.date, 2)
  for (const { term, value } of lead.attributes.slice(0, 3)) if (value.length > 4) put(term, 3)
  const onMap = telling[0]?.isUnspaced ? [telling[0], name!.words.at(-1)!] : telling.slice(0, 2)
  for (const [i, cell] of cellsOf(lead, probing).entries())
    for (const { sound } of onMap) put(hashOf(`${cell} ${sound}`, KIND.cell), 3, i === 0)
  return out
}

/** Its cell on the map; when probing also those that its quarter of the cell lies at. */
function cellsOf({ latitude, longitude }: Prepared, probing: boolean): string[] {
  if (!Number.isFinite(latitude + longitude)) return []
  const breadth = CELL / Math.max(0.1, Math.cos((Math.round(latitude) * Math.PI) / 180))
  const [y, x] = [latitude / CELL, longitude / breadth]
  const [row, column] = [Math.floor(y), Math.floor(x)]
  if (!probing) return [`${row} ${column}`]
  const up = y - row < 0.5 ? row - 1 : row + 1
  const aside = x - column < 0.5 ? column - 1 : column + 1
  return [`${row} ${column}`, `${up} ${column}`, `${row} ${aside}`, `${up} ${aside}`]
}

/** The words that are most telling by themselves: no common ones, then the longer ones. */
function rarest({ words, factor, prior }: Name, most: number): Word[] {
  const worth = (i: number) => factor[i]! * (prior[i]! > 1 ? 0.3 : 1) * Math.min(words[i]!.text.length, 8)
  return words
    .map((_, i) => i)
    .sort((a, b) => worth(b) - worth(a))
    .slice(0, most)
    .map((i) => words[i]!)
}

/** Gathers who shares keys with a lead; T is how the caller names leads. */
export class CandidateWeights<T extends number | string> {
  readonly #standing = new Map<T, number>()
  readonly #self: T

  constructor(self: T) {
    this.#self = self
  }

  /** `members` of the probe's key, read up to KEY_MAX + 1 of them. */
  add(probe: Probe, members: readonly T[]): void {
    const weight = keyWeight(probe, members.length)
    if (weight === 0) return
    for (const one of members)
      if (one !== this.#self) this.#standing.set(one, (this.#standing.get(one) ?? 0) + weight)
  }

  /** At most CANDIDATES_MAX leads, the most promising first. */
  best(): T[] {
    const promising: [T, number][] = []
    for (const one of this.#standing) if (one[1] >= STANDING_LEAST) promising.push(one)
    return promising
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .slice(0, CANDIDATES_MAX)
      .map(([one]) => one)
  }
}
