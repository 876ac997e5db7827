// Days, weeks, months and years in a time zone.
import { memoize } from "../runtime/memoize.ts"
import { offsetsOf } from "./time-zone.ts"

export const PERIODS = ["day", "week", "month", "year"] as const
export type Period = (typeof PERIODS)[number]
export const isPeriod = (name: string): name is Period => PERIODS.some((period) => period === name)

const DAY = 86_400
/** Time zones differ from UTC by whole quarters of an hour. */
export const QUARTER = 900

/**
 * Returns the first day, as `YYYY-MM-DD`, of the period of a time in Unix seconds. Throws a RangeError for what is no zone.
 */
export function periodsIn(period: Period, zone: string): (seconds: number) => string {
  const offsetAt = offsetsOf(zone)
  const label = memoize((day: number) => firstDay(day, period))
  return (seconds) => label(Math.floor((seconds + offsetAt(seconds)) / DAY))
}

/** Characters of a period's first day that name it. */
const NAMING: Readonly<Record<Period, number>> = { day: 10, week: 10, month: 7, year: 4 }

/** Returns the name of a time's period in a zone: `2026-11-23` for a day or week, `2026-11`, `2026`; undefined for another word. */
export function periodNames(zone: string): (word: string, seconds: number) => string | undefined {
  const labels = memoize((period: Period) => periodsIn(period, zone))
  return (word, seconds) => (isPeriod(word) ? labels(word)(seconds).slice(0, NAMING[word]) : undefined)
}

/** `day` is counted since 1970. */
function firstDay(day: number, period: Period): string {
  // 1970-01-01 was a Thursday.
  const monday = day - ((((day + 3) % 7) + 7) % 7)
  const date = new Date((period === "week" ? monday : day) * DAY * 1000).toISOString().slice(0, 10)
  if (period === "month") return `${date.slice(0, 8)}01`
  return period === "year" ? `${date.slice(0, 5)}01-01` : date
}
