// Days, weeks, months and years in a time zone.
import { badRequest } from "../../../core/errors.ts"
import { memoize } from "../../../core/memoize.ts"
import { excerpt } from "../../../core/text.ts"

export const PERIODS = ["day", "week", "month", "year"] as const
export type Period = (typeof PERIODS)[number]

const DAY = 86_400
/** Time zones differ from UTC by whole quarters of an hour. */
export const QUARTER = 900

/**
 * Returns the first day, as `YYYY-MM-DD`, of the period of a quarter of an hour, which is counted since 1970 in UTC.
 * Throws `bad_request`.
 */
export function periodsIn(period: Period, zone: string): (quarter: number) => string {
  const offsetAt = offsets(zone)
  const perDay = DAY / QUARTER
  // The zone's offset on a day in UTC; undefined for a day on which it changes.
  const ofDay = memoize((day: number) => {
    const [first, last] = [offsetAt(day * DAY), offsetAt((day + 1) * DAY - 1)]
    return first === last ? first : undefined
  })
  const label = memoize((day: number) => firstDay(day, period))
  return (quarter) => {
    const offset = ofDay(Math.floor(quarter / perDay)) ?? offsetAt(quarter * QUARTER)
    return label(Math.floor((quarter * QUARTER + offset) / DAY))
  }
}

/** `day` is counted since 1970. */
function firstDay(day: number, period: Period): string {
  // 1970-01-01 was a Thursday.
  const monday = day - ((((day + 3) % 7) + 7) % 7)
  const date = new Date((period === "week" ? monday : day) * DAY * 1000).toISOString().slice(0, 10)
  if (period === "month") return `${date.slice(0, 8)}01`
  return period === "year" ? `${date.slice(0, 5)}01-01` : date
}

/** The zone's offset from UTC in seconds, at a time in Unix seconds. */
function offsets(zone: string): (time: number) => number {
  if (zone === "UTC") return () => 0
  const format = formatIn(zone)
  return (time) => {
    const parts: Record<string, number> = {}
    for (const { type, value } of format.formatToParts(time * 1000)) parts[type] = Number(value)
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - time
  }
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const numeric = "numeric"
  try {
    return new Intl.DateTimeFormat("en-GB", {
      timeZone,
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
      hourCycle: "h23",
    })
  } catch {
    throw badRequest(`tz "${excerpt(timeZone)}" is no time zone: name one such as Europe/Berlin, or UTC`)
  }
}
