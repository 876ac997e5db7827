// When two emails, or two domains, are the same, however they are written.
import { domainToASCII, domainToUnicode } from "node:url"
import { withoutInvisible } from "./invisible.ts"
import { fold } from "./text.ts"

/** An email in lower case that is written as most are. */
const PLAIN = /^[\w.+-]+@[a-z\d-]+(?:\.[a-z\d-]+)+$/
/** What stands around an address in other programs: `mailto:`, `<a@b.example>`, quotes, a full stop. */
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

/** What is said of such an email, behind its value. */
export const UNUSABLE_EMAIL =
  "has no dot in its domain, so it is no address: kept, but no lead is recognised by it"

/** Whether a text of `emailText` is an address on the internet. The unique index of leads by email says the same in SQL. */
export const isUsable = (text: string): boolean => text.includes(".", text.indexOf("@"))

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
