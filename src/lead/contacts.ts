// Emails and phones of a lead: when two emails are the same, and more than one of each. `email` and `phone` are the first
// of each list. Clients always read both lists; code holds a list only where it says more than they do.
import { domainToASCII, domainToUnicode } from "node:url"
import { isDeepStrictEqual } from "node:util"
import { withoutInvisible } from "../text/invisible.ts"
import { fold, phoneKey } from "../text/text.ts"

/** One of a lead's emails or phones. */
export interface Contact {
  value: string
  /** Use, such as `work`. */
  label: string | null
  /** Known state, such as `bounced`. */
  status?: string
}

/** Each list, and the field that is its first. */
export const CONTACTS = [
  ["emails", "email"],
  ["phones", "phone"],
] as const
export type ContactList = (typeof CONTACTS)[number][0]
export type ContactField = (typeof CONTACTS)[number][1]

/** Emails, or phones, of one lead. */
export const CONTACTS_MAX = 20

export interface WithContacts {
  email: string | null
  phone: string | null
  emails?: Contact[]
  phones?: Contact[]
}

/** Input form of further emails and phones. */
interface SentContacts {
  email?: string | null | undefined
  phone?: string | null | undefined
  emails?: readonly Contact[] | null | undefined
  phones?: readonly Contact[] | null | undefined
}

/** Whether nobody is called by it: firms of one house share their fax. */
export const isFax = ({ label }: Contact): boolean => label !== null && /fax/i.test(label)

/** Key that equal values share. */
export function contactKey(list: ContactList, value: string): string {
  return list === "emails" ? emailText(value) : (phoneKey(value) ?? fold(value))
}

/** All emails, or phones, of a lead, the first one first. */
export function contactsOf(lead: WithContacts, list: ContactList): readonly Contact[] {
  const saved = lead[list]
  if (saved !== undefined) return saved
  const first = lead[list === "emails" ? "email" : "phone"]
  return first === null ? [] : [{ value: first, label: null }]
}

/** Those besides the first. */
export function furtherContacts(lead: WithContacts, list: ContactList): readonly Contact[] {
  return lead[list]?.slice(1) ?? []
}

/** Each value once, as it comes first; what it lacks is taken from its repeats. Values with one key are the same. */
export function distinctContacts(
  list: ContactList,
  all: readonly Contact[],
  keyOf: (value: string) => string = (value) => contactKey(list, value),
): Contact[] {
  const byKey = new Map<string, Contact>()
  for (const one of all) {
    const key = keyOf(one.value)
    const before = byKey.get(key)
    if (!before) byKey.set(key, one)
    else if ((before.label === null && one.label !== null) || (!before.status && one.status))
      byKey.set(key, { ...one, ...before, label: before.label ?? one.label })
  }
  return [...byKey.values()].slice(0, CONTACTS_MAX)
}

/** Whether a list says more than its first value, which the field has. */
function saysMore(all: readonly Contact[]): boolean {
  const [first] = all
  return all.length > 1 || (first !== undefined && (first.label !== null || first.status !== undefined))
}

/** Keeps a list on a lead, and its first as the field; a list that says no more than the field is left out. */
export function putContacts(lead: WithContacts, list: ContactList, all: readonly Contact[]): void {
  const distinct = distinctContacts(list, all)
  lead[list === "emails" ? "email" : "phone"] = distinct[0]?.value ?? null
  if (saysMore(distinct)) lead[list] = distinct
  else delete lead[list]
}

/** A lead with both lists, as clients read it. */
export function withLists<L extends WithContacts>(lead: L): L & Required<Pick<WithContacts, ContactList>> {
  return { ...lead, emails: [...contactsOf(lead, "emails")], phones: [...contactsOf(lead, "phones")] }
}

/** Leaves out of a lead that was read the lists that say no more than the fields. Changes the lead. */
export function dropPlainLists<L extends WithContacts>(lead: L): L {
  for (const [list] of CONTACTS) if (lead[list] !== undefined && !saysMore(lead[list])) delete lead[list]
  return lead
}

/**
 * Brings the lists of a changed lead in line with what was sent. A list that was sent replaces the one before, `email` and
 * `phone` come first in it; alone they replace the first, and where they are cleared the next becomes the first.
 */
export function settleContacts(before: WithContacts, after: WithContacts, sent: SentContacts): void {
  for (const [list, field] of CONTACTS) {
    const said = sent[list]
    const contactsBefore = contactsOf(before, list)
    const isReplaced =
      said !== undefined && !(sent[field] !== undefined && isDeepStrictEqual(said, contactsBefore))
    if (isReplaced) {
      const first = sent[field] ? [{ value: sent[field], label: null }] : []
      putContacts(after, list, [...first, ...(said ?? [])])
    } else if (after[list] !== undefined && after[list][0]?.value !== after[field]) {
      const first = after[field] === null ? [] : [{ value: after[field], label: null }]
      putContacts(after, list, [...first, ...contactsBefore.slice(1)])
    }
  }
}

/** The sent values with the first of each list as its field, where that was not sent. */
export function withFirstContacts<T extends SentContacts>(input: T): T {
  const email = input.email || input.emails?.[0]?.value
  const phone = input.phone || input.phones?.[0]?.value
  if (email === input.email && phone === input.phone) return input
  return { ...input, ...(email !== undefined && { email }), ...(phone !== undefined && { phone }) }
}

/** An email in lower case that is written as most are. */
const PLAIN = /^[\w.+-]+@[a-z\d-]+(?:\.[a-z\d-]+)+$/
/** Characters before and behind an email address as other programs copy it: `mailto:`, `<a@b.example>`, quotes, a full stop. */
const BEFORE = /^(?:[\s"'“”„‟‘’‚«»‹›<([{,;:]|mailto:|e-?mail:)+/i
const BEHIND = /[\s"'“”„‟‘’‚«»‹›>)\]},;:.]$/
const PUNYCODE = /xn--[a-z\d-]+/g

/** The text that an email is compared and found by: without what stands around it, its domain in its own script. */
export function emailText(email: string): string {
  const lower = email.toLowerCase()
  if (PLAIN.test(lower) && !lower.includes("xn--")) return lower
  const text = undressed(withoutInvisible(email))
  const at = text.lastIndexOf("@")
  return at < 0 ? fold(text) : `${fold(text.slice(0, at))}@${domainText(text.slice(at + 1))}`
}

/** The key of an email; null for one whose domain has no dot: nobody has such an address on the internet. */
export function emailKey(email: string): string | null {
  const text = emailText(email)
  return isUsable(text) ? text : null
}

/** The warning for an email without a dot in its domain; the value stands before it. */
export const UNUSABLE_EMAIL =
  "has no dot in its domain, so it is no address: kept, but no lead is recognised by it"

/** Whether a text of `emailText` is an address on the internet. The unique index of leads by email says the same in SQL. */
const isUsable = (text: string): boolean => text.includes(".", text.indexOf("@"))

/** A domain in lower case, and in its own script where it is written in punycode. */
export function domainText(domain: string): string {
  const lower = domain.toLowerCase()
  if (/^[\x21-\x7e]*$/.test(lower) && !lower.includes("xn--")) return lower
  return fold(domainToUnicode(domainToASCII(lower)) || lower)
}

/** A folded text with each name of a domain that it has in punycode in its own script. */
export function ownScript(folded: string): string {
  if (!folded.includes("xn--")) return folded
  return folded.replaceAll(PUNYCODE, (label) => fold(domainToUnicode(label) || label))
}

function undressed(text: string): string {
  let inner = /<([^<>@]+@[^<>@]+)>/.exec(text)?.[1] ?? text.replace(BEFORE, "")
  // One by one: a pattern of many at the end would be tried at each of them.
  while (BEHIND.test(inner)) inner = inner.slice(0, -1)
  return /^mailto:/i.test(text.trim()) ? inner.replace(/\?.*$/s, "") : inner.replace(BEFORE, "")
}

/** Known state of an email: see the field in the table of lead fields. */
export const EMAIL_STATUSES = ["ok", "role", "disposable", "no_mx", "bounced", "unknown"] as const
export type EmailStatus = (typeof EMAIL_STATUSES)[number]
