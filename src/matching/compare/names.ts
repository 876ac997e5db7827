import { type Alignment, align } from "../align.ts"
import { AT, levelsOf } from "../levels.ts"
import type { Name } from "../name.ts"
import type { Prepared } from "../prepare.ts"
import { bitsOfName, type TermRarity, wordBits } from "../rarity.ts"
import { alike, bitCount, edits } from "../similarity.ts"
import { areTwoNames } from "../two-names.ts"
import type { ComparedWords, Word } from "../words.ts"
import { metresBetween } from "./places.ts"

const F = levelsOf("name", "company", "person")
const EMAIL_NEAR = AT["email.near"]

const alignment: Alignment = { shared: 0, restA: 0, restB: 0, overlap: 0, contained: 0 }
const crossed: Alignment = { ...alignment }

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
  let same = similarity(a, b, rarity, alignment, leadB.placeHashes, leadA.placeHashes)
  const site = sharedSite(leadA, leadB)
  if (site !== "" && same < LEVELS[0]![0]) {
    const bitsA = lessBrand(a, lessPlaces(a, wordBits(a, rarity), leadB.placeHashes), site)
    const bitsB = lessBrand(b, lessPlaces(b, wordBits(b, rarity), leadA.placeHashes), site)
    align(a, bitsA, b, bitsB, alignment)
    same = Math.min(same, alignment.overlap)
  }
  if (same < 1 && isWithin(a, b)) {
    // The place's name is in the other's, as its address is.
    out[F["name.differs"]] = 1
    out[F["name.within"]] = 1
  } else {
    if (same < LEVELS[0]![0] && areOfOneHouse(leadA, leadB))
      same = likenessInHouse(leadA, leadB, a, b, same, rarity, out)
    compareWords(a, b, same, rarity, out)
  }
  const both = Math.min(alignment.restA, alignment.restB)
  // Persons' names are short and misspelled as a whole; what businesses have apart names them.
  out[F[out[F["person.pairs"]] === 0 ? "name.conflict" : "person.conflict"]] = Math.min(both, 20) / 10
  out[F["name.extra"]] = Math.min(Math.max(alignment.restA, alignment.restB) - both, 30) / 10
  if (a.numbers.length > 0 || b.numbers.length > 0) {
    const isSame = a.numbers.length === b.numbers.length && a.numbers.every((one) => b.numbers.includes(one))
    if (!isSame) out[F[a.numbers.length > 0 && b.numbers.length > 0 ? "name.numbers" : "name.number"]] = 1
  }
  const parts = Number(hasPart(a, b)) + Number(hasPart(b, a))
  if (parts > 0) out[F[parts === 2 ? "name.parts" : "name.part"]] = 1
  if (hasFacility(a, b) !== hasFacility(b, a)) out[F["name.part_of"]] = 1
  if (a.form && b.form && a.form !== b.form) out[F["name.form"]] = 1
  const least = out[F["person.pairs"]] !== 0 && out[EMAIL_NEAR] !== 0 ? ONE_FAMILY : ALIKE
  const mayBeTwo = same < LEVELS[0]![0] && out[F["name.numbers"]] === 0
  if (mayBeTwo && ((same > least && areTwoNames(a.said, b.said)) || haveOtherInitials(leadA, leadB, out)))
    out[F["name.two"]] = 1
}

/** Whether the addresses of two persons at one firm begin as their own given names do, each with another letter. */
function haveOtherInitials(
  { mail: a, name: nameA }: Prepared,
  { mail: b, name: nameB }: Prepared,
  out: Float64Array,
): boolean {
  if (out[F["person.pairs"]] === 0 || !a || a.isPublic || a.domain !== b?.domain) return false
  const [givenA, givenB] = [nameA!.words[0]!, nameB!.words[0]!]
  if (givenA.text[0] !== a.local[0] || givenB.text[0] !== b.local[0] || a.local[0] === b.local[0])
    return false
  return (
    edits(givenA.text, givenB.text, 2) > 2 && !givenA.given?.some((group) => givenB.given?.includes(group))
  )
}

/** Names that are less alike are told apart by that. */
const ALIKE = 0.55
/** Of persons who share one word, and whose emails are of one form. */
const ONE_FAMILY = 0.12

/** Whether an address or the map has both in one house. */
function areOfOneHouse(a: Prepared, b: Prepared): boolean {
  if (a.address && b.address ? a.addressTerm === b.addressTerm : a.postal !== "" && a.postal === b.postal)
    return true
  return metresBetween(a, b) <= ONE_HOUSE
}

const ONE_HOUSE = 100
/** Of a name and the same with its branch, however long that is. */
const WITH_BRANCH = 0.8

/**
 * How alike the names of two in one house are: what a branch is called by is set aside once, and what the names of many
 * tenants have says little.
 */
function likenessInHouse(
  leadA: Prepared,
  leadB: Prepared,
  a: Name,
  b: Name,
  same: number,
  rarity: TermRarity,
  out: Float64Array,
): number {
  const tenants = Math.max(
    ...[leadA, leadB].map(({ addressTerm }) => addressTerm && rarity.count(addressTerm)),
  )
  const isOfHouse = ({ hash }: Word) => tenants >= FEW && rarity.count(hash) >= tenants / 4
  if (alignment.contained > 0.94 && a.words.length !== b.words.length) {
    const [shorter, longer] = a.words.length < b.words.length ? [a, b] : [b, a]
    if (hasPart(longer, shorter) || hasFacility(longer, shorter)) return same
    const more = longer.words.filter(({ hash }, i) => longer.factor[i]! > LITTLE && !hasWord(shorter, hash))
    if (more.length === 0 || !isBranch(leadA, shorter, longer, more, tenants < FEW, isOfHouse)) return same
    out[F["name.branch"]] = 1
    return WITH_BRANCH
  }
  if (!a.words.some((word) => isOfHouse(word) && hasWord(b, word.hash))) return same
  align(a, lessShared(a, b, isOfHouse, rarity), b, lessShared(b, a, isOfHouse, rarity), alignment)
  return Math.min(same, alignment.overlap)
}

/** The factor of words such as articles. */
const LITTLE = 0.2

/** Whether what one name has more is what the place of both is called, or more common than what both have. */
function isBranch(
  { address }: Prepared,
  shorter: Name,
  longer: Name,
  more: readonly Word[],
  isAlone: boolean,
  isOfHouse: (word: Word) => boolean,
): boolean {
  if (shorter.words.every(isOfHouse)) return false
  const isOfPlace = (word: Word) => isOfHouse(word) || (address !== undefined && hasWord(address, word.hash))
  // Where a script has no spaces a pair of characters may be of both.
  if (isAlone || 2 * more.filter(isOfPlace).length >= more.length) return true
  if (longer.branched.includes(shorter.glued)) return true
  return alignment.shared / shorter.words.length > Math.max(alignment.restA, alignment.restB) / more.length
}

/** Leads of an address from which on it is one of many tenants. */
const FEW = 12

function lessShared(a: Name, b: Name, isOfHouse: (word: Word) => boolean, rarity: TermRarity): number[] {
  return wordBits(a, rarity).map((bits, i) => {
    const word = a.words[i]!
    return isOfHouse(word) && hasWord(b, word.hash) ? bits / 4 : bits
  })
}

/** The levels of two names of which so much is the same, by what `found` says of their words. */
function compareWords(a: Name, b: Name, same: number, rarity: TermRarity, out: Float64Array): void {
  let level = 0
  while (same < LEVELS[level]![0]) level++
  out[LEVELS[level]![1]] = 1
  if (same < 0.88) {
    if (alignment.contained > 0.94) out[F["name.contained"]] = 1
    else if (alignment.contained > 0.7) out[F["name.mostly_contained"]] = 1
  }
  const isWhole = same >= 0.72 || alignment.contained > 0.94
  // The words of a chain's name are rare one by one, not together.
  if (same >= 0.88)
    alignment.shared = Math.min(
      alignment.shared,
      Math.max(bitsOfName(a.term, rarity), bitsOfName(b.term, rarity)),
    )
  if (!isWhole) out[F["name.word_rarity"]] = Math.min(alignment.shared, 30) / 10
  else if (alignment.shared < USUAL) out[F["name.common"]] = (USUAL - alignment.shared) / 10
  else out[F["name.rarity"]] = Math.min(alignment.shared - USUAL, 15) / 10
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

function hasWord({ words }: ComparedWords, hash: number): boolean {
  for (const word of words) if (word.hash === hash) return true
  return false
}
