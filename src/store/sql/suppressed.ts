// Whether a lead is on the do-not-contact list, as a condition on `leads l`.
import { DOMAIN_LEVELS, keyOf } from "../../core/suppression-keys.ts"
import type { Dialect } from "./dialect.ts"

/** The text behind the first `mark` of another; all of it where there is none. */
const behind = ({ position }: Dialect, text: string, mark: string) =>
  `substr(${text}, ${position(text, `'${mark}'`)} + 1)`

/** The domain of a lead's email, and as many levels above it as the gate tests. */
function domains(dialect: Dialect): string[] {
  let domain = behind(dialect, "l.email", "@")
  return Array.from({ length: DOMAIN_LEVELS }, (_, level) => {
    if (level > 0) domain = behind(dialect, domain, ".")
    return domain
  })
}

/**
 * The condition; `?` is bound twice, to the account. Hashes of erased people are not looked at: no lead with one is
 * stored. An account without entries looks nothing up.
 */
export function suppressedSql(dialect: Dialect): string {
  const key = (kind: "email" | "domain" | "phone", column: string) => `'${keyOf(kind, "")}' || ${column}`
  const keys = [
    key("email", "l.email"),
    ...domains(dialect).map((domain) => key("domain", domain)),
    key("phone", "l.phone_number"),
    key("phone", "l.phone_key"),
  ]
  return `(SELECT suppressed_kinds FROM accounts WHERE key = ?) <> 0 AND EXISTS (
    SELECT 1 FROM suppressions s WHERE s.account_id = ? AND s.key IN (${keys.join(", ")}))`
}
