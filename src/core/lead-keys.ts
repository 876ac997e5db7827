// The keys that a lead is recognised by. A push folds them once; lookups and the lead's columns take the same value.
import type { LeadData } from "./lead.ts"
import { phoneNumber } from "./phone.ts"
import { fold, phoneKey } from "./text.ts"

export interface LeadKeys {
  /** Folded. */
  email: string | null
  source_id: string | null
  /** The phone's letters and digits; null without any. */
  phone: string | null
  /** The phone in its international form; null when it is unknown. */
  number: string | null
  /** Folded. */
  name: string
  /** Folded. */
  city: string | null
  /** The account's default country that the number was read with, an ISO code. */
  defaultCountry: string | null
  /** Only leads of an equal name are candidates by phone: where a batch has compared as many names as it may. */
  isNameExact?: boolean
  /** Keys of the do-not-contact list that stop the lead, where a remote engine is to look them up beforehand. */
  listKeys?: readonly string[] | undefined
}

export type KeyedFields = Pick<LeadData, "name" | "email" | "source_id" | "phone" | "city" | "country">

/** The keys of a lead. `defaultCountry` is the account's, an ISO code. */
export function dedupKeys(
  { email, source_id, phone, name, city, country }: KeyedFields,
  defaultCountry: string | null,
): LeadKeys {
  return {
    email: email === null ? null : fold(email),
    source_id,
    phone: phone === null ? null : (phoneKey(phone) ?? null),
    number: phone === null ? null : phoneNumber(phone, country, defaultCountry),
    name: fold(name),
    city: city === null ? null : fold(city),
    defaultCountry,
  }
}

/** Whether a phone is read the same whatever the default country is. */
export function saysCountry(phone: string | null): boolean {
  return phone === null || phone.startsWith("+")
}

/** The keys of a lead: those that were given unless its number was read with another default country than the account's. */
export function keysFor(lead: KeyedFields, defaultCountry: string | null, given?: LeadKeys): LeadKeys {
  const fits = given && (given.defaultCountry === defaultCountry || saysCountry(lead.phone))
  return fits ? given : dedupKeys(lead, defaultCountry)
}

const KEYED = ["name", "email", "source_id", "phone", "city", "country"] as const

/** The keys before and after a change of a lead; none when the change leaves them all as they are. */
export function changedKeys(
  before: KeyedFields,
  after: KeyedFields,
  defaultCountry: string | null,
): LeadKeys[] {
  if (KEYED.every((field) => before[field] === after[field])) return []
  return [dedupKeys(before, defaultCountry), dedupKeys(after, defaultCountry)]
}
