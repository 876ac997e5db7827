// The keys that a lead is recognised by, and the texts that it is found by. A push folds the keys once; lookups and the
// lead's columns take the same value.

import { phoneNumber } from "../text/phone.ts"
import { fold, phoneKey } from "../text/text.ts"
import { CONTACTS, type Contact, emailKey, emailText, furtherContacts, ownScript } from "./contacts.ts"
import { type LeadData, TEXT_FIELDS, type TextField } from "./lead.ts"
import { fieldsThatAre } from "./lead-fields.ts"

/** The text of a field that filters and sorts compare: folded, and domains in their own script. */
export function comparedText(field: TextField, value: string): string {
  if (field === "email") return emailText(value)
  return field === "website" ? ownScript(fold(value)) : fold(value)
}

export interface LeadKeys {
  /** As of `emailKey`. */
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
  /** Of further emails and phones; undefined without any. */
  more?: FurtherKeys
  /** The phone is a fax, which finds no lead. */
  isFax?: boolean
  /** Only leads of an equal name are candidates by phone: where a batch has compared as many names as it may. */
  isNameExact?: boolean
  /** Keys of the do-not-contact list that stop the lead, where a remote engine is to look them up beforehand. */
  listKeys?: readonly string[] | undefined
}

/** As those of `LeadKeys`. */
export interface FurtherKeys {
  emails: string[]
  phones: Pick<LeadKeys, "phone" | "number">[]
}

type KeyedFields = Pick<LeadData, "name" | "email" | "source_id" | "phone" | "city" | "country">

/** The keys of a lead. `defaultCountry` is the account's, an ISO code. */
export function dedupKeys(
  { email, source_id, phone, name, city, country }: KeyedFields,
  defaultCountry: string | null,
): LeadKeys {
  return {
    email: email === null ? null : emailKey(email),
    source_id,
    phone: phone === null ? null : (phoneKey(phone) ?? null),
    number: phone === null ? null : phoneNumber(phone, country, defaultCountry),
    name: fold(name),
    city: city === null ? null : fold(city),
    defaultCountry,
  }
}

/** The keys of a lead's emails and phones besides the first; undefined without any. */
export function furtherKeys(
  lead: { country: string | null; emails?: readonly Contact[]; phones?: readonly Contact[] },
  defaultCountry: string | null,
): FurtherKeys | undefined {
  const emails = lead.emails?.slice(1) ?? []
  const phones = lead.phones?.slice(1) ?? []
  if (emails.length + phones.length === 0) return undefined
  return {
    emails: emails.flatMap(({ value }) => emailKey(value) ?? []),
    phones: phones.map(({ value }) => ({
      phone: phoneKey(value) ?? null,
      number: phoneNumber(value, lead.country, defaultCountry),
    })),
  }
}

/** Each of them as keys of its own, to tell leads that are found by it. */
export function eachKey(further: FurtherKeys | undefined): Partial<LeadKeys>[] {
  return further ? [...further.emails.map((email) => ({ email })), ...further.phones] : []
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
  before: LeadData,
  after: LeadData,
  defaultCountry: string | null,
): Partial<LeadKeys>[] {
  const further = [before, after].flatMap((lead) => eachKey(furtherKeys(lead, defaultCountry)))
  if (KEYED.every((field) => before[field] === after[field])) return further
  return [dedupKeys(before, defaultCountry), dedupKeys(after, defaultCountry), ...further]
}

/** Fields that are compared otherwise than by folding. */
const DRESSED: ReadonlySet<TextField> = new Set<TextField>(["email", "website"])

/** Fields whose texts an index of texts has: of the few that a status may be, none is worth looking up. */
export const TEXT_INDEXED = fieldsThatAre("searched")

/** All texts of a lead that are found by a part of them, as they are compared but for the case, a line each. */
export function searchedText(lead: LeadData): string {
  const texts: string[] = []
  for (const field of TEXT_FIELDS) {
    const text = lead[field]
    if (text !== null && TEXT_INDEXED.has(field))
      texts.push(DRESSED.has(field) ? comparedText(field, text) : text)
  }
  for (const [list, field] of CONTACTS)
    for (const { value } of furtherContacts(lead, list))
      texts.push(DRESSED.has(field) ? comparedText(field, value) : value)
  for (const { type, value } of lead.attributes) {
    if (type === "text") texts.push(String(value))
    else if (type === "list" && Array.isArray(value)) texts.push(...value)
  }
  return texts.join("\n")
}

/** Whether any of the texts that a lead is found by differs. */
export function textsDiffer(before: LeadData, after: LeadData): boolean {
  return searchedText(before) !== searchedText(after)
}
