// Whether a lead is on the do-not-contact list, as a condition on `leads l`.
import { DOMAIN_LEVELS, keyOf } from "../../lead/suppression-keys.ts"
import { EXTENSION_MARK } from "../../text/text.ts"
import type { Dialect } from "./dialect.ts"

/** The text behind the first `mark` of another; all of it where there is none. */
const behind = ({ position }: Dialect, text: string, mark: string) =>
  `substr(${text}, ${position(text, `'${mark}'`)} + 1)`

/** The text before the first `mark` of another; null where there is none. */
const before = ({ position }: Dialect, text: string, mark: string) => {
  const at = position(text, `'${mark}'`)
  return `CASE WHEN ${at} > 0 THEN substr(${text}, 1, ${at} - 1) END`
}

/** The domain of an email, and as many levels above it as the gate tests. */
function domains(dialect: Dialect, email: string): string[] {
  let domain = behind(dialect, email, "@")
  return Array.from({ length: DOMAIN_LEVELS }, (_, level) => {
    if (level > 0) domain = behind(dialect, domain, ".")
    return domain
  })
}

/** The keys of an email and a phone in these columns. */
function keysOf(dialect: Dialect, email: string, number: string, letters: string): string {
  const key = (kind: "email" | "domain" | "phone", column: string) => `'${keyOf(kind, "")}' || ${column}`
  const phones = [number, letters, before(dialect, number, "x"), before(dialect, letters, EXTENSION_MARK)]
  const keys = [
    key("email", email),
    ...domains(dialect, email).map((domain) => key("domain", domain)),
    ...phones.map((phone) => key("phone", phone)),
  ]
  return keys.join(", ")
}

/**
 * The condition, by the first email and phone and by the others; `?` is bound three times, to the account. Hashes of
 * erased people are not looked at: no lead with one is stored. An account without entries looks nothing up.
 */
export function suppressedSql(dialect: Dialect): string {
  const first = keysOf(dialect, "l.email", "l.phone_number", "l.phone_key")
  const others = keysOf(dialect, "c.text", "c.number", "c.key")
  return `(SELECT suppressed_kinds FROM accounts WHERE key = ?) <> 0 AND (EXISTS (
    SELECT 1 FROM suppressions s WHERE s.account_id = ? AND s.key IN (${first})) OR EXISTS (
    SELECT 1 FROM lead_contacts c JOIN suppressions s ON s.account_id = c.account_id AND s.key IN (${others})
    WHERE c.account_id = ? AND c.rid = l.rid))`
}
