import { EXTENSION_MARK } from "../text/text.ts"
import type { LeadKeys } from "./lead-keys.ts"

/** Up to five digits that no area code begins, where they are no number of a country, and the beginning of hotlines. */
const SHORT = /^(?:[1-9]\p{Nd}{3,4}|0[89]00)$/u
/** Numbers of emergencies, information and services, which some plans hold to be valid: `112`, `116117`. */
const SERVICE = /^(?:\p{Nd}{1,3}|11[68]\d{2,3})$/u
/** `7777777`, also behind a country's number, `1111`, `123123123`. */
const REPEATED = /^(?:\p{Nd}{0,3}(\p{Nd})\1{5,}|(\p{Nd})\2{3,}|(?:123){3,}\d?)$/u
/** `+1 123 456 7890`. */
const COUNTED_ABROAD = /^[1-9]\d{0,2}1234567890?$/
/** A spreadsheet's `1.23E+11`. */
const SCIENTIFIC = /^\d+e\d{1,3}$/
const COUNTING = "01234567890123456789"
const COUNTING_DOWN = "98765432109876543210"
const COUNTED_MIN = 6

/**
 * Whether what stands in place of a phone tells nobody: no digits (`n/a`), an error of a spreadsheet, one digit repeated,
 * digits in a row, a short code.
 */
export function isPlaceholderPhone({ phone: key, number }: Pick<LeadKeys, "phone" | "number">): boolean {
  if (key === null) return true
  const [phone = key] = key.split(EXTENSION_MARK, 1)
  const digits = phone.match(/\p{Nd}/gu)?.length ?? 0
  if (digits < 2 || [SERVICE, REPEATED, SCIENTIFIC, COUNTED_ABROAD].some((one) => one.test(phone)))
    return true
  if (phone.length >= COUNTED_MIN && (COUNTING.includes(phone) || COUNTING_DOWN.includes(phone))) return true
  return number === null && SHORT.test(phone)
}
