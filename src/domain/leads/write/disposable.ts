import { disposableEmailBlocklistSet } from "disposable-email-domains-js"

/** Some 9,000 domains, read at the first email. */
let domains: ReadonlySet<string> | undefined

/** Whether a domain in lower case, or one above it, is of throw-away addresses. */
export function isDisposable(domain: string): boolean {
  domains ??= disposableEmailBlocklistSet()
  for (let name = domain; ; ) {
    if (domains.has(name)) return true
    const dot = name.indexOf(".")
    if (dot < 0 || dot === name.lastIndexOf(".")) return false
    name = name.slice(dot + 1)
  }
}
