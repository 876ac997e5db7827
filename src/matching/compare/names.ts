import { type Alignment, align } from "../align.ts"
import { AT, levelsOf } from "../levels.ts"
import type { Name } from "../name.ts"
import type { Prepared } from "../prepare.ts"
import { bitsOfName, type TermRarity, wordBits } from "../rarity.ts"
import { alike, bitCount } from "../similarity.ts"
import { areTwoNames } from "../two-names.ts"

const F = levelsOf("name", "company", "person")
const EMAIL_NEAR = AT["email.near"]

const found: Alignment = { shared: 0, restA: 0, restB: 0, overlap: 0, contained: 0 }
const crossed: Alignment = { ...found }

const NOWHERE: readonly number[] = []

/** Words that name the place where the other is say little, as its own do. */
function lessPlaces({ words, factor }: Name, bits: number[], place: readonly number[]): number[] {
  if (place.length === 0) return bits
  let less = bits
  for (let i = 0; i < words.length; i++) {
    if (!place.includes(words[i]!.hash) || factor[i]! <= 0.25) continue
    if (less === bits) less = bits.slice()
    less[i]! /= 4
  }
  return less
}

/** Of two that share a website, the words that it is called by: what tells a branch or an agent is in the others. */
function lessBrand({ words }: Name, bits: number[], site: string): number[] {
  let less = bits
  for (let i = 0; i < words.length; i++) {
    const { text } = words[i]!
    if (text.length < 3 || !site.includes(text)) continue
    if (less === bits) less = bits.slice()
    less[i]! /= 4
  }
  return less
}

/** 0 to 1; `into` is filled. */
function similarity(
  a: Name,
  b: Name,
  rarity: TermRarity,
  into: Alignment,
  placeB: readonly number[] = NOWHERE,
  placeA: readonly number[] = NOWHERE,
): number {
  align(a, lessPlaces(a, wordBits(a, rarity), placeB), b, lessPlaces(b, wordBits(b, rarity), placeA), into)
  if (into.overlap > 0.9) return into.overlap
  if (a.glued === b.glued && a.glued.length > 3) {
    into.shared += Math.min(into.restA, into.restB)
    into.restA = 0
    into.restB = 0
    into.contained = 1
    into.overlap = 1
    return 1
  }
  // Shared parts of long names say little here, so only what is close as a whole counts.
  if (a.glued.length < 5 || b.glued.length < 5) return into.overlap
  if (bitCount(a.gluedLetters ^ b.gluedLetters) > 6) return into.overlap
  return Math.max(into.overlap, alike(a.glued, b.glued, 0.8) - 0.05)
}

/** How alike two names are, 0 to 1. */
export function nameLikeness(a: Name, b: Name, rarity: TermRarity): number {
  return similarity(a, b, rarity, crossed)
}

/** Bits that a name of two usual words shares. */
const USUAL = 12

const LEVELS: readonly [number, number][] = [
  [0.995, F["name.same"]],
  [0.88, F["name.nearly"]],
  [0.72, F["name.close"]],
  [0.55, F["name.partly"]],
  [0.35, F["name.half"]],
  [0.12, F["name.little"]],
  [-1, F["name.differs"]],
]

export function compareNames(a: Prepared, b: Prepared, rarity: TermRarity, out: Float64Array): void {
  if (!a.name || !b.name) out[F["name.missing"]] = 1
  else if (a.company && b.company && areSwapped(a.name, a.company, b.name, b.company, rarity))
    out[F["name.crossed"]] = 1
  else compareNamed(a, b, a.name, b.name, rarity, out)
  if (a.company && b.company) {
    const same = similarity(a.company, b.company, rarity, crossed)
    const level = same > 0.88 ? "same" : same > 0.5 || crossed.contained > 0.9 ? "similar" : "differs"
    out[F[`company.${level}`]] = 1
  } else {
    const company = a.company ?? b.company
    const name = a.company ? b.name : a.name
    if (company && name && similarity(company, name, rarity, crossed) > CROSSED) out[F["company.crossed"]] = 1
  }
}

/** From here on one is the other, written a little differently. */
const CROSSED = 0.85

/** Whether the name of each is the company of the other. */
function areSwapped(nameA: Name, companyA: Name, nameB: Name, companyB: Name, rarity: TermRarity): boolean {
  if (nameA.words.some(({ hash }) => hasWord(nameB, hash))) return false
  return (
    similarity(nameA, companyB, rarity, crossed) > CROSSED &&
    similarity(companyA, nameB, rarity, crossed) > CROSSED
  )
}

/** Whether one names a place that the other is in, or both name what is in one place, and not the same. */
function isWithin(a: Name, b: Name): boolean {
  if (a.host === "" && b.host === "") return false
  if (a.host === b.host)
    return a.guest !== b.guest && !a.guest.includes(b.guest) && !b.guest.includes(a.guest)
  return a.host === b.glued || b.host === a.glued
}

function compareNamed(
  leadA: Prepared,
  leadB: Prepared,
  a: Name,
  b: Name,
  rarity: TermRarity,
  out: Float64Array,
): void {
  let same = similarity(a, b, rarity, found, leadB.placeHashes, leadA.placeHashes)
  const site = sharedSite(leadA, leadB)
  if (site !== "" && same < LEVELS[0]![0]) {
    const bitsA = lessBrand(a, lessPlaces(a, wordBits(a, rarity), leadB.placeHashes), site)
    const bitsB = lessBrand(b, lessPlaces(b, wordBits(b, rarity), leadA.placeHashes), site)
    align(a, bitsA, b, bitsB, found)
    same = Math.min(same, found.overlap)
  }
  if (same < 1 && isWithin(a, b)) {
    // The place's name is in the other's, as its address is.
    out[F["name.differs"]] = 1
    out[F["name.within"]] = 1
  } else compareWords(a, b, same, rarity, out)
  if (isBranch(a, b)) out[F["name.branch"]] = 1
  const both = Math.min(found.restA, found.restB)
  // Persons' names are short and misspelled as a whole; what businesses have apart names them.
  out[F[out[F["person.pairs"]] === 0 ? "name.conflict" : "person.conflict"]] = Math.min(both, 20) / 10
  out[F["name.extra"]] = Math.min(Math.max(found.restA, found.restB) - both, 30) / 10
  if (a.numbers.length > 0 || b.numbers.length > 0) {
    const isSame = a.numbers.length === b.numbers.length && a.numbers.every((one) => b.numbers.includes(one))
    if (!isSame) out[F[a.numbers.length > 0 && b.numbers.length > 0 ? "name.numbers" : "name.number"]] = 1
  }
  const parts = Number(hasPart(a, b)) + Number(hasPart(b, a))
  if (parts > 0) out[F[parts === 2 ? "name.parts" : "name.part"]] = 1
  if (hasFacility(a, b) !== hasFacility(b, a)) out[F["name.part_of"]] = 1
  if (a.form && b.form && a.form !== b.form) out[F["name.form"]] = 1
  const least = out[F["person.pairs"]] !== 0 && out[EMAIL_NEAR] !== 0 ? ONE_FAMILY : ALIKE
  const mayBeTwo = same > least && same < LEVELS[0]![0] && out[F["name.numbers"]] === 0
  if (mayBeTwo && areTwoNames(a.said, b.said)) out[F["name.two"]] = 1
}

/** Names that are less alike are told apart by that. */
const ALIKE = 0.55
/** Of persons who share one word, and whose emails are of one form. */
const ONE_FAMILY = 0.12

/** Whether one name is the other and words that are more common than those: those of a place with many tenants. */
function isBranch({ words: a }: Name, { words: b }: Name): boolean {
  const more = Math.abs(a.length - b.length)
  if (found.contained <= 0.94 || more === 0) return false
  return found.shared / Math.min(a.length, b.length) > Math.max(found.restA, found.restB) / more
}

/** The levels of two names of which so much is the same, by what `found` says of their words. */
function compareWords(a: Name, b: Name, same: number, rarity: TermRarity, out: Float64Array): void {
  let level = 0
  while (same < LEVELS[level]![0]) level++
  out[LEVELS[level]![1]] = 1
  if (same < 0.88) {
    if (found.contained > 0.94) out[F["name.contained"]] = 1
    else if (found.contained > 0.7) out[F["name.mostly_contained"]] = 1
  }
  const isWhole = same >= 0.72 || found.contained > 0.94
  // The words of a chain's name are rare one by one, not together.
  if (same >= 0.88)
    found.shared = Math.min(found.shared, Math.max(bitsOfName(a.term, rarity), bitsOfName(b.term, rarity)))
  if (!isWhole) out[F["name.word_rarity"]] = Math.min(found.shared, 30) / 10
  else if (found.shared < USUAL) out[F["name.common"]] = (USUAL - found.shared) / 10
  else out[F["name.rarity"]] = Math.min(found.shared - USUAL, 15) / 10
}

/** "" when they have none in common. */
function sharedSite({ web: a }: Prepared, { web: b }: Prepared): string {
  return a !== undefined && b !== undefined && a.site === b.site && !a.isPlatform ? a.site : ""
}

/** A word for a part of something that the other name lacks. */
function hasPart(a: Name, b: Name): boolean {
  for (const hash of a.parts) if (!hasWord(b, hash)) return true
  return false
}

function hasFacility(a: Name, b: Name): boolean {
  for (const hash of a.facilities) if (!hasWord(b, hash)) return true
  return false
}

function hasWord({ words }: Name, hash: number): boolean {
  for (const word of words) if (word.hash === hash) return true
  return false
}
