import { INTERACTIONS, OF_EMPLOYER, PERSON_INTERACTIONS } from "../interactions.ts"
import { AT, indexes } from "../levels.ts"
import type { Name } from "../name.ts"
import type { Prepared } from "../prepare.ts"
import type { TermRarity } from "../rarity.ts"
import { edits } from "../similarity.ts"
import type { Word } from "../words.ts"
import { compareAddress } from "./address.ts"
import { compareAttributes } from "./attributes.ts"
import { compareContacts } from "./contacts.ts"
import { compareNames } from "./names.ts"
import { beOnePlace, comparePlaces } from "./places.ts"

const ALL = AT["all.pairs"]
const PERSONS = AT["person.pairs"]
const CONTACTS = AT["mix.contacts"]
const NAME_WEB = AT["mix.name_web"]
const NAME_ALONE = AT["mix.nothing_but_name"]
const OTHER_PAGE = AT["mix.other_page_and_contact"]
const MOVED = AT["mix.moved"]
const CROWDED = AT["mix.crowded"]
const SHARED_ADDRESS = AT["address.shared"]
const SAME_DATE = AT["date.same"]
const ALSO_KNOWN = indexes(
  "attribute.same",
  "city.same",
  "city.similar",
  "postal.same",
  "email.local",
  "email.domain",
)
const CLOSE_DATE = AT["date.close"]
const HALF_A_DATE = indexes("date.partly", "date.close")
const NAME_OTHER = indexes("name.little", "name.differs")
const OTHER_DATE = indexes("date.differs")
const NOT_THE_DATE = indexes("date.near", "date.partly", "date.close", "date.differs")
const PERSON_DATE = AT["person.date_differs"]
const TWO_NAMES = AT["name.two"]
const EMAIL_NEAR = AT["email.near"]
const EMAIL_DIFFERS = AT["email.differs"]
const BRANCH = AT["name.branch"]
const SAME_ADDRESS = AT["address.same"]
const ONE_ADDRESS = indexes("address.same", "address.words")
const MISSING = AT["name.missing"]
const WEB = indexes("web.page", "web.site")
const NAME_CLOSE = indexes("name.same", "name.nearly", "name.close", "name.contained", "name.crossed")
const EMPLOYER = AT["person.employer"]
const WORKPLACE = indexes("company.same", "company.similar", "web.site", "web.page", "web.paths")
const WEB_APART = indexes("web.paths", "web.differs")

const NAME_SAME = indexes("name.same", "name.nearly", "name.crossed")
const NUMBERED = indexes("name.number", "name.numbers")
const NAME_PART = indexes("name.close", "name.partly", "name.half", "name.contained")

const CONTACT_SAME = indexes("phone.same", "email.same", "email.near")
const CONTACT_OTHER = indexes("phone.differs", "phone.line", "email.differs")

/** `address.shared` of nine leads: more are tenants of one house. */
const FEW = 1
const ONE_TOWN = indexes("city.same", "city.similar", "city.suburb", "distance.1000", "distance.5000")

const ADDRESS_SAME = indexes("address.same", "address.similar", "address.words", "distance.30")
const ADDRESS_NEAR = indexes("address.neighbours", "address.one_number", "address.number", "distance.100")
const ADDRESS_ELSE = indexes(
  "address.elsewhere",
  "address.street",
  "address.half_street",
  "address.words_differ",
  "address.one_number_differs",
  "distance.5000",
  "distance.50000",
  "distance.far",
)

/** Fills `out` (as long as FEATURES) with what is to be said of two leads. */
export function features(a: Prepared, b: Prepared, rarity: TermRarity, out: Float64Array): Float64Array {
  out.fill(0)
  out[ALL] = 1
  if (a.person * b.person > 1) out[PERSONS] = 1
  compareContacts(a, b, rarity, out)
  comparePlaces(a, b, out)
  compareAttributes(a, b, rarity, out)
  compareNames(a, b, rarity, out)
  compareAddress(a, b, rarity, out)
  if (out[SAME_ADDRESS] !== 0) beOnePlace(out)
  if (out[PERSONS] !== 0 && out[TWO_NAMES] !== 0 && out[EMAIL_NEAR] !== 0) {
    // Two given names make two addresses of one form.
    out[EMAIL_NEAR] = 0
    out[EMAIL_DIFFERS] = 1
  }
  if (areColleagues(a, b, out)) beOneEmployer(out)
  const name = nameLevel(out)
  const contact = contactLevel(out)
  const address = any(out, ADDRESS_SAME) ? 0 : any(out, ADDRESS_NEAR) ? 1 : any(out, ADDRESS_ELSE) ? 2 : 3
  const isNamed = out[MISSING] === 0
  const hasWeb = any(out, WEB)
  if (contact === 0 && hasWeb) out[CONTACTS] = 1
  if (isNamed && name === 0 && hasWeb) out[NAME_WEB] = 1
  if (contact !== 0 && !hasWeb && address !== 0 && out[SAME_DATE] === 0) out[NAME_ALONE] = 1
  if (!isNamed) return out
  if (out[PERSONS] !== 0 && contact !== 0 && address > 1 && !any(out, ALSO_KNOWN))
    out[PERSON_DATE] = dateAgainst(a, b, rarity, out)
  if (name === 0 && hasWeb && contact !== 1 && address === 2 && areOne(a, b, rarity, out)) out[MOVED] = 1
  // A firm beside its branch is no neighbour of itself, however many there are.
  if (name !== 0 && contact !== 0 && any(out, ONE_ADDRESS) && out[BRANCH] === 0)
    out[CROWDED] = Math.max(0, out[SHARED_ADDRESS]! - FEW)
  if (name !== 0 && contact === 1 && any(out, WEB_APART)) out[OTHER_PAGE] = 1
  out[out[PERSONS] === 0 ? INTERACTIONS[name]![address]![contact]! : PERSON_INTERACTIONS[name]![address]!] = 1
  return out
}

/**
 * How much a date of birth speaks against two persons of whom nothing but names and dates is known, from 0 to 1: one name is
 * borne by many, and a day by all who were born on it.
 */
function dateAgainst(a: Prepared, b: Prepared, rarity: TermRarity, out: Float64Array): number {
  const isClose = any(out, NAME_CLOSE)
  if (out[SAME_DATE] !== 0) return isClose ? 0 : any(out, NAME_OTHER) && areWhole(a, b) ? 0.5 : 0.2
  if (isClose && !any(out, NAME_SAME) && any(out, HALF_A_DATE) && haveOtherNames(a.name!, b.name!)) return 1
  if (out[CLOSE_DATE] !== 0 && isClose)
    return [a, b].some(({ name }) => rarity.count(name!.term) > NAMESAKES) ? 1 : 0
  return any(out, isClose ? OTHER_DATE : NOT_THE_DATE) ? 1 : 0
}

/** Whether two names share a word, and what is left of each is more than two slips of the fingers apart. */
function haveOtherNames({ words: a }: Name, { words: b }: Name): boolean {
  const without = (all: readonly Word[], others: readonly Word[]) =>
    all.filter(({ hash }) => !others.some((word) => word.hash === hash))
  const [restA, restB] = [without(a, b), without(b, a)]
  if (restA.length !== 1 || restB.length !== 1) return false
  return edits(restA[0]!.text, restB[0]!.text, 2) > 2
}

/** Leads of one name at most of which two born on days that are close may be one. */
const NAMESAKES = 5

/** Whether both have a given name and a surname: half of a name tells little against another half. */
const areWhole = (a: Prepared, b: Prepared) => Math.min(a.name!.words.length, b.name!.words.length) > 1

/** Whether name and site are of these two alone, in one town: a chain has more branches, and another phone in each. */
function areOne(a: Prepared, b: Prepared, rarity: TermRarity, out: Float64Array): boolean {
  if (any(out, NUMBERED) || !any(out, ONE_TOWN)) return false
  return [a.name!.term, b.name!.term, a.webTerm].every((term) => rarity.count(term) <= 2)
}

/** Persons of other names whom an employer brings together. */
function areColleagues(a: Prepared, b: Prepared, out: Float64Array): boolean {
  if (out[PERSONS] === 0 || out[MISSING] !== 0) return false
  if (any(out, NAME_CLOSE) && out[TWO_NAMES] === 0) return false
  const isOneDomain = a.mail !== undefined && a.mail.domain === b.mail?.domain && !a.mail.isPublic
  return isOneDomain || any(out, WORKPLACE)
}

/** Company, domain, site, phone and address of an employer are one fact, and tell nothing of who works there. */
function beOneEmployer(out: Float64Array): void {
  for (const at of OF_EMPLOYER) out[at] = 0
  out[EMPLOYER] = 1
}

function nameLevel(out: Float64Array): number {
  return any(out, NAME_SAME) ? 0 : any(out, NAME_PART) ? 1 : 2
}

function contactLevel(out: Float64Array): number {
  return any(out, CONTACT_SAME) ? 0 : any(out, CONTACT_OTHER) ? 1 : 2
}

function any(out: Float64Array, at: readonly number[]): boolean {
  for (const i of at) if (out[i] !== 0) return true
  return false
}
