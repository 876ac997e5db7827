// Dates as people write them into a filter or a parameter: a moment, or a day, which is all of its day in a time zone.
import { isoSeconds, parseNumber } from "./moment.ts"
import { dayAt, momentOf, UTC } from "./time-zone.ts"

/** What days and relative dates are read by. */
export interface Calendar {
  /** IANA name. */
  zone: string
  /** Unix seconds. */
  now: number
}

/** Seconds from the first to the last one; both the same where a moment was said. */
export interface Span {
  first: number
  last: number
}

/** A day as the milliseconds of its midnight in UTC, or a moment in Unix seconds. */
type SaidDate = { day: number } | { moment: number }

/** Dates that are taken beside Unix seconds and ISO dates, for messages. */
export const RELATIVE_DATES = "today, yesterday, tomorrow, 30d (30 days ago) or -P1M"

const DAY_MS = 86_400_000
const WORDS = new Map([
  ["yesterday", -1],
  ["today", 0],
  ["tomorrow", 1],
])
const TIME = /^(\d{1,2}):([0-5]\d)(?::([0-5]\d))?$/

/** The seconds that a date means, as filters compare with them; undefined for other text. */
export function spanOf(text: string, calendar: Calendar): Span | undefined {
  const said = readDate(text, calendar)
  return said && spanIn(calendar.zone, said)
}

/** The same for attributes, whose days are those of the calendar, in no zone: kept as if they were in UTC. */
export function attributeSpanOf(text: string, calendar: Calendar): Span | undefined {
  const moment = isoSeconds(text)
  if (moment !== undefined && text.includes(":")) return { first: moment, last: moment }
  if (parseNumber(text) !== undefined) return undefined
  const said = readDate(text, calendar)
  return said && spanIn(UTC, said)
}

/** A relative date as the ISO text that is kept of it; any other value as it is. */
export function keptDate<T>(value: T, calendar: Calendar | undefined): T | string {
  if (typeof value !== "string" || !calendar || isoSeconds(value) !== undefined) return value
  const said = parseNumber(value) === undefined ? readDate(value, calendar) : undefined
  if (!said) return value
  const iso = new Date("day" in said ? said.day : said.moment * 1000).toISOString()
  return "day" in said ? iso.slice(0, 10) : iso.replace(".000Z", "Z")
}

function spanIn(zone: string, said: SaidDate): Span {
  if ("moment" in said) return { first: said.moment, last: said.moment }
  const [first, next] = [said.day, said.day + DAY_MS].map((clock) => Math.floor(momentOf(zone, clock) / 1000))
  return { first: first!, last: next! - 1 }
}

function readDate(sent: string, { zone, now }: Calendar): SaidDate | undefined {
  const text = sent.trim()
  const number = parseNumber(text)
  if (number !== undefined) return { moment: number }
  const iso = isoSeconds(text)
  if (iso !== undefined) {
    if (text.length === "2026-01-31".length) return { day: iso * 1000 }
    const isZoned = /(?:z|[+-]\d{2}:?\d{2})$/i.test(text.slice("2026-01-31".length))
    return { moment: isZoned ? iso : Math.floor(momentOf(zone, iso * 1000) / 1000) }
  }
  return relativeDate(text.toLowerCase(), zone, now)
}

function relativeDate(text: string, zone: string, now: number): SaidDate | undefined {
  if (text === "now") return { moment: now }
  const [word = "", time, ...more] = text.split(/\s+/)
  if (more.length > 0) return undefined
  const today = dayAt(zone, now * 1000)
  const away = WORDS.get(word)
  const said = away === undefined ? durationFrom(word, today, now) : { day: today + away * DAY_MS }
  if (said === undefined || time === undefined) return said
  const [, hour, minute, second = 0] = TIME.exec(time) ?? []
  if (!("day" in said) || hour === undefined || Number(hour) > 23) return undefined
  const clock = said.day + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000
  return { moment: Math.floor(momentOf(zone, clock) / 1000) }
}

const parts = (names: string) => [...names].map((name) => `(?:(\\d{1,5})${name})?`).join("")
const DURATION = new RegExp(`^([+-]?)p(?=\\d|t)${parts("ymwd")}(t(?=\\d)${parts("hms")})?$`)

/** `30d` and `12h` ago, in days, weeks, months, years or hours, and an ISO 8601 duration from now with its sign. */
function durationFrom(text: string, today: number, now: number): SaidDate | undefined {
  const [, many, unit = ""] = /^-?(\d{1,5})([hdwmy])$/.exec(text) ?? []
  if (many !== undefined) {
    const n = -Number(many)
    if (unit === "h") return { moment: now + n * 3600 }
    return dayFrom(today, { [unit]: n })
  }
  const match = DURATION.exec(text)
  if (!match) return undefined
  const sign = match[1] === "-" ? -1 : 1
  const [y, m, w, d] = match.slice(2, 6).map((n) => sign * Number(n ?? 0))
  const day = dayFrom(today, { y, m, w, d })
  if (match[6] === undefined) return day
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(7).map((n) => sign * Number(n ?? 0))
  return day && { moment: now + (day.day - today) / 1000 + (hours * 60 + minutes) * 60 + seconds }
}

/** The day so far from another; in a shorter month its last one. Undefined beyond the years that dates have. */
function dayFrom(
  from: number,
  { y = 0, m = 0, w = 0, d = 0 }: Record<string, number | undefined>,
): { day: number } | undefined {
  const date = new Date(from)
  const first = Date.UTC(date.getUTCFullYear() + y, date.getUTCMonth() + m, 1)
  const lastDay = new Date(new Date(first).setUTCMonth(new Date(first).getUTCMonth() + 1, 0)).getUTCDate()
  const day = first + (Math.min(date.getUTCDate(), lastDay) - 1 + w * 7 + d) * DAY_MS
  const year = new Date(day).getUTCFullYear()
  return year >= 1 && year <= 9999 ? { day } : undefined
}

/** Whether filters may name a date that is another one tomorrow; true for some that do not. */
export function namesRelativeDate(filters: readonly string[]): boolean {
  return filters.some((one) =>
    /[.,\s](?:now|today|yesterday|tomorrow|-?\d{1,5}[hdwmy]|[+-]?p[\dt])/i.test(one),
  )
}
