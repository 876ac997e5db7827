// Keys of the do-not-contact list: of its entries, and of what a lead can be reached by.

import { formerNumber, phoneNumber } from "../text/phone.ts"
import { EXTENSION_MARK, fold, phoneKey } from "../text/text.ts"
import { type Contact, emailText } from "./contacts.ts"

export const SUPPRESSION_KINDS = ["email", "domain", "phone", "hash"] as const
export type SuppressionKind = (typeof SUPPRESSION_KINDS)[number]

/** The bit of each kind in an account's `suppressed_kinds`. */
export const KIND_BITS: Readonly<Record<SuppressionKind, number>> = { email: 1, domain: 2, phone: 4, hash: 8 }

/** An entry for a domain holds for this many levels: itself, and those below it. Lists test the same ones. */
export const DOMAIN_LEVELS = 4

export const keyOf = (kind: SuppressionKind, value: string) => `${kind}:${value}`

/** Emails and phones of a lead. */
interface Contacts {
  emails: readonly string[]
  phones: readonly { phone: string; country: string | null }[]
}

/** The fields of a lead that say how to reach it. */
export interface ContactFields {
  email?: string | null | undefined
  phone?: string | null | undefined
  country?: string | null | undefined
  emails?: readonly Contact[] | null | undefined
  phones?: readonly Contact[] | null | undefined
}

export function contactFieldsOf({ email, phone, country, emails, phones }: ContactFields): ContactFields {
  return { email, phone, country, ...(emails && { emails }), ...(phones && { phones }) }
}

/** Everything that a lead can be reached by: its only reader, so that a further field is added here alone. */
export function everyContactOf({ email, phone, country = null, emails, phones }: ContactFields): Contacts {
  const valuesOf = (first: string | null | undefined, all: readonly Contact[] | null | undefined) => [
    ...new Set([...(first ? [first] : []), ...(all ?? []).map(({ value }) => value)]),
  ]
  return {
    emails: valuesOf(email, emails),
    phones: valuesOf(phone, phones).map((phone) => ({ phone, country })),
  }
}

/** Whether two leads can be reached by just the same. */
export function haveSameContacts(a: ContactFields, b: ContactFields): boolean {
  const isSame = a.email === b.email && a.phone === b.phone && a.country === b.country
  if (!isSame || (a.emails === b.emails && a.phones === b.phones)) return isSame
  return JSON.stringify([a.emails, a.phones]) === JSON.stringify([b.emails, b.phones])
}

/** An email as entries have it, and as older ones do that were kept as they were said. */
function emailForms(email: string): string[] {
  const [text, said] = [emailText(email), fold(email)]
  return text === said ? [text] : [text, said]
}

/** The domain of an email and those above it that have a dot. */
function domainsOf(email: string): string[] {
  let domain = email.slice(email.lastIndexOf("@") + 1)
  const domains = [domain]
  while (domains.length < DOMAIN_LEVELS) {
    const dot = domain.indexOf(".")
    if (dot < 0 || !domain.includes(".", dot + 1)) break
    domain = domain.slice(dot + 1)
    domains.push(domain)
  }
  return domains
}

/**
 * A phone's international number, where it is known, that before a plan change, and its letters and digits: each without
 * its extension first, as entries have it, then with it, as older ones do.
 */
export function phoneKeys(phone: string, country: string | null, defaultCountry: string | null): string[] {
  const number = phoneNumber(phone, country, defaultCountry)
  const keys = [number, formerNumber(phone, country, defaultCountry), phoneKey(phone)]
  return keys.flatMap((key) => {
    if (key === null || key === undefined) return []
    // An international number has no letter but that before its extension.
    const [plainNumber] = key.split(key.startsWith("+") ? "x" : EXTENSION_MARK, 1)
    return plainNumber === key ? [key] : [plainNumber!, key]
  })
}

/** Makes the hash of a key, by which erased people are known. */
type HashKey = (key: string) => string

/** A keyed hash in hex, another one for each account. */
export function hashKeyWith(secret: Uint8Array, accountId: string): HashKey {
  return (key) =>
    new Bun.CryptoHasher("sha256", secret).update(`suppression ${accountId} ${key}`).digest("hex")
}

/** The keys by which an erased person is known: of each email, and of each phone however it is written. */
export function erasedKeys({ emails, phones }: Contacts, defaultCountry: string | null): string[] {
  return [
    ...emails.flatMap(emailForms).map((email) => keyOf("email", email)),
    ...phones.flatMap(({ phone, country }) =>
      phoneKeys(phone, country, defaultCountry).map((key) => keyOf("phone", key)),
    ),
  ]
}

/** The keys of entries that would stop a lead, of the kinds whose bits are set. */
export function contactKeys(
  contacts: Contacts,
  kinds: number,
  defaultCountry: string | null,
  hash: HashKey,
): string[] {
  const keys: string[] = []
  const plain = erasedKeys(contacts, defaultCountry)
  for (const key of plain) {
    const kind = key.startsWith("email:") ? "email" : "phone"
    if (kinds & KIND_BITS[kind]) keys.push(key)
    if (kinds & KIND_BITS.hash) keys.push(keyOf("hash", hash(key)))
  }
  if (kinds & KIND_BITS.domain)
    for (const email of contacts.emails.flatMap(emailForms))
      for (const domain of domainsOf(email)) keys.push(keyOf("domain", domain))
  return keys
}
