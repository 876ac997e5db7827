// Every time and wait in this file is in milliseconds, a time counted from the Unix epoch.

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
function parseHttpDate(text: string, now: number): number | undefined {
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

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Waits after the first, second, ... failed attempt; the first attempt is made at once. */
const WAITS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]
const JITTER = 0.2
const PATIENCE = 5 * 24 * HOUR

/** Attempts of one delivery in all. */
export const MAX_ATTEMPTS = WAITS.length + 1

/** The longest wait that the schedule can give after so many attempts, by their number from 0. */
export const LONGEST_WAITS: readonly number[] = [0, ...WAITS.map((wait) => 2 * wait * (1 + JITTER))]

interface FailedAttempt {
  /** Which attempt has just failed, from 1. */
  attempt: number
  now: number
  /** The wait that the receiver asked for, from `parseRetryAfter`. */
  retryAfter?: number | undefined
  /** Evenly spread over [0, 1), such as `Math.random`. */
  random: () => number
}

/**
 * When to try again, or undefined after the last attempt. The wait is spread by 20 % either way; `retryAfter` can
 * lengthen it up to twofold and never shortens it.
 */
export function nextAttempt({ attempt, now, retryAfter = 0, random }: FailedAttempt): number | undefined {
  const wait = WAITS[attempt - 1]
  if (wait === undefined) return undefined
  const spread = wait * (1 - JITTER + 2 * JITTER * random())
  return Math.round(now + Math.min(Math.max(spread, retryAfter), 2 * spread))
}

/**
 * The wait that a `Retry-After` header asks for, as seconds or as an HTTP date (RFC 9110, 10.2.3); 0 when the date
 * is past, undefined when there is no header or it makes no sense.
 */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? ""
  if (/^\d+$/.test(text)) return Number(text) * SECOND
  const date = parseHttpDate(text, now)
  return date === undefined ? undefined : Math.max(0, date - now)
}

/**
 * The `disabled_reason` when a failed attempt is to turn its webhook off, else undefined. `status` is the answer's,
 * null without one; `failingSince` the time of the first failure since the last success, null when there is none.
 */
export function shouldDisable(failure: {
  status: number | null
  failingSince: number | null
  now: number
}): string | undefined {
  if (failure.status === 410) return "the endpoint answered 410 Gone"
  if (failure.failingSince === null || failure.now - failure.failingSince < PATIENCE) return undefined
  return "every delivery failed for 5 days"
}
