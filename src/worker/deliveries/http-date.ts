const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec"

// The three forms of RFC 9110, 5.6.7: Sun, 06 Nov 1994 08:49:37 GMT, Sunday, 06-Nov-94 08:49:37 GMT, and
// Sun Nov  6 08:49:37 1994.
const FIXED =
  /^[A-Z][a-z]{2,8}, (?<day>\d\d)[ -](?<month>[A-Z][a-z]{2})[ -](?<year>\d{2,4}) (?<time>\d\d:\d\d:\d\d) GMT$/
const ASCTIME =
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/

/**
 * Unix milliseconds of an HTTP date in any form of RFC 9110, 5.6.7; undefined when it is none. `now` decides the
 * century of a two-digit year: never more than 50 years ahead.
 */
export function parseHttpDate(text: string, now: number): number | undefined {
  const parts = (FIXED.exec(text) ?? ASCTIME.exec(text))?.groups
  if (!parts) return undefined
  const month = MONTHS.indexOf(parts.month!) / 3
  const [hour, minute, second] = parts.time!.split(":").map(Number)
  const year = fullYear(parts.year!, new Date(now).getUTCFullYear())
  const time = Date.UTC(year, month, Number(parts.day), hour, minute, second)
  return Number.isInteger(month) ? time : undefined
}

function fullYear(digits: string, thisYear: number): number {
  if (digits.length !== 2) return Number(digits)
  const year = thisYear - (thisYear % 100) + Number(digits)
  return year > thisYear + 50 ? year - 100 : year
}
