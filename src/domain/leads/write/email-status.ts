// What is known of a lead's email by looking at it: its form, who reads it, and where it is.

import { disposableEmailBlocklistSet } from "disposable-email-domains-js"
import type { EmailStatus } from "../../../lead/email-status.ts"
import { isMailHost, isSharedMailbox } from "../../../matching/web.ts"

/** Some 9,000 domains, read at the first email. */
let domains: ReadonlySet<string> | undefined

/** Whether a domain in lower case, or one above it, is of throw-away addresses. */
function isDisposable(domain: string): boolean {
  domains ??= disposableEmailBlocklistSet()
  for (let name = domain; ; ) {
    if (domains.has(name)) return true
    const dot = name.indexOf(".")
    if (dot < 0 || dot === name.lastIndexOf(".")) return false
    name = name.slice(dot + 1)
  }
}

const LENGTH_MAX = 254
const LOCAL_MAX = 64
const LABELS_MAX = 20

/** The domain of a well-formed address (RFC 5321, without quoted mailboxes), in lower case. */
export function mailDomain(email: string): string | undefined {
  const at = email.indexOf("@")
  if (email.length > LENGTH_MAX || at < 1 || at > LOCAL_MAX) return undefined
  const local = email.slice(0, at)
  if (local.startsWith(".") || local.endsWith(".") || local.includes("..")) return undefined
  const domain = email.slice(at + 1).toLowerCase()
  const labels = domain.split(".")
  const isDomain =
    labels.length > 1 && labels.length <= LABELS_MAX && labels.every(isLabel) && !/^\d/.test(labels.at(-1)!)
  return isDomain ? domain : undefined
}

function isLabel(label: string): boolean {
  const isPlain = /^[a-z0-9-]{1,63}$/.test(label) || /^[\p{L}\p{M}\p{N}-]{1,63}$/u.test(label)
  return isPlain && !label.startsWith("-") && !label.endsWith("-")
}

/** The status of an email that nothing else is known of. */
export function emailStatusOf(email: string | null): EmailStatus | null {
  if (email === null) return null
  const domain = mailDomain(email)
  if (domain === undefined) return "unknown"
  if (isDisposable(domain)) return "disposable"
  const local = email.slice(0, email.indexOf("@")).toLowerCase()
  const plus = local.indexOf("+")
  if (isSharedMailbox(plus < 0 ? local : local.slice(0, plus))) return "role"
  return isMailHost(domain) ? "ok" : "unknown"
}
