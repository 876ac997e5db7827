import { compareAddress } from "./compare/address.ts"
import { compareAttributes } from "./compare/attributes.ts"
import { compareContacts } from "./compare/contacts.ts"
import { compareNames } from "./compare/names.ts"
import { comparePlaces } from "./compare/places.ts"
import { AT, type Feature } from "./levels.ts"
import type { Prepared } from "./prepare.ts"
import type { Rarity } from "./rarity.ts"

const ALL = AT["all.pairs"]
const PERSONS = AT["person.pairs"]
const CONTACTS = AT["mix.contacts"]
const NAME_WEB = AT["mix.name_web"]
const NAME_ALONE = AT["mix.nothing_but_name"]
const SAME_DATE = AT["date.same"]
const MISSING = AT["name.missing"]
const WEB = indexes("web.page", "web.site")

const NAMES = ["same", "part", "other"] as const
const NAME_SAME = indexes("name.same", "name.nearly")
const NAME_PART = indexes("name.close", "name.partly", "name.half", "name.contained")

const CONTACT = ["same", "other", "unknown"] as const
const CONTACT_SAME = indexes("phone.same", "email.same", "email.near")
const CONTACT_OTHER = indexes("phone.differs", "phone.line", "email.differs")

const ADDRESSES = ["same", "near", "else", "unknown"] as const
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

const PERSON_MIX = NAMES.map((name) =>
  ADDRESSES.map((address) => AT[`person.name_${name}_address_${address}`]),
)
const MIX = NAMES.map((name) =>
  ADDRESSES.map((address) =>
    CONTACT.map((contact) => AT[`mix.name_${name}_address_${address}_contact_${contact}`]),
  ),
)

/** Fills `out` (as long as FEATURES) with what is to be said of two leads. */
export function features(a: Prepared, b: Prepared, rarity: Rarity, out: Float64Array): Float64Array {
  out.fill(0)
  out[ALL] = 1
  compareNames(a, b, rarity, out)
  compareContacts(a, b, rarity, out)
  compareAddress(a, b, rarity, out)
  comparePlaces(a, b, out)
  compareAttributes(a, b, rarity, out)
  const name = any(out, NAME_SAME) ? 0 : any(out, NAME_PART) ? 1 : 2
  const contact = any(out, CONTACT_SAME) ? 0 : any(out, CONTACT_OTHER) ? 1 : 2
  const address = any(out, ADDRESS_SAME) ? 0 : any(out, ADDRESS_NEAR) ? 1 : any(out, ADDRESS_ELSE) ? 2 : 3
  const isNamed = out[MISSING] === 0
  const hasWeb = any(out, WEB)
  if (contact === 0 && hasWeb) out[CONTACTS] = 1
  if (isNamed && name === 0 && hasWeb) out[NAME_WEB] = 1
  if (contact !== 0 && !hasWeb && address !== 0 && out[SAME_DATE] === 0) out[NAME_ALONE] = 1
  const isOfPersons = a.person * b.person > 1
  if (isOfPersons) out[PERSONS] = 1
  if (isNamed) out[isOfPersons ? PERSON_MIX[name]![address]! : MIX[name]![address]![contact]!] = 1
  return out
}

function indexes(...names: Feature[]): number[] {
  return names.map((name) => AT[name])
}

function any(out: Float64Array, at: readonly number[]): boolean {
  for (const i of at) if (out[i] !== 0) return true
  return false
}
