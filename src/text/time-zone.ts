// Days and clock times of a time zone, by its IANA name.
import { memoize } from "../runtime/memoize.ts"
import { closest } from "./text.ts"

/** The zone of accounts that chose none. */
export const UTC = "UTC"

const formatOf = memoize(
  (zone: string) =>
    new Intl.DateTimeFormat("en-US", {
      ...{ timeZone: zone, calendar: "iso8601", numberingSystem: "latn", hourCycle: "h23" },
      ...{ year: "numeric", month: "2-digit", day: "2-digit" },
      ...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
    }),
)

/** The zone's name as it is written today, such as `Europe/Berlin`; undefined for what is none. */
export function zoneNamed(name: string): string | undefined {
  // An offset such as +02:00 is no zone: it would be wrong for half of the year.
  if (!/^[a-z]/i.test(name)) return undefined
  try {
    const { timeZone } = new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions()
    return /^(Etc\/)?(UTC|GMT)$/.test(timeZone) ? UTC : timeZone
  } catch {
    return undefined
  }
}

/** The name of a zone that is close to a mistyped one; undefined where none is. */
export function closestZone(name: string): string | undefined {
  const zones = Intl.supportedValuesOf("timeZone")
  const city = name.trim().replaceAll(" ", "_").toLowerCase()
  return zones.find((zone) => zone.toLowerCase().endsWith(`/${city}`)) ?? closest(name, zones)
}

/** What clocks of a zone show at a moment, as the milliseconds at which those of UTC show the same. */
function clockAt(zone: string, milliseconds: number): number {
  if (zone === UTC) return milliseconds
  const shown: Record<string, number> = {}
  for (const { type, value } of formatOf(zone).formatToParts(milliseconds)) shown[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown
  return new Date(0).setUTCFullYear(year, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1000
}

const DAY_MS = 86_400_000

/**
 * The first moment at which clocks of the zone show a time, in milliseconds; where they jump over it, the moment of the
 * jump. `clock` is when those of UTC show it.
 */
export function momentOf(zone: string, clock: number): number {
  if (zone === UTC) return clock
  const tried = [-DAY_MS, DAY_MS].map((away) => {
    const near = clock + away
    return clock - (clockAt(zone, near) - near)
  })
  const shown = tried.filter((at) => clockAt(zone, at) === clock)
  return shown.length > 0 ? Math.min(...shown) : Math.max(...tried)
}

/** The day of a moment in a zone, as the milliseconds of its midnight in UTC. */
export function dayAt(zone: string, milliseconds: number): number {
  return Math.floor(clockAt(zone, milliseconds) / DAY_MS) * DAY_MS
}

/** The day of a moment in Unix seconds in a zone, as `YYYY-MM-DD`. */
export const dayText = (zone: string, seconds: number): string =>
  new Date(dayAt(zone, seconds * 1000)).toISOString().slice(0, 10)

const DAY = DAY_MS / 1000

/**
 * Returns how many seconds a zone's clocks are ahead of UTC at a time in Unix seconds. Throws a RangeError for what is no
 * zone.
 */
export function offsetsOf(zone: string): (seconds: number) => number {
  if (zone === UTC) return () => 0
  formatOf(zone)
  const at = (seconds: number) => clockAt(zone, seconds * 1000) / 1000 - seconds
  // Undefined for a day, in UTC, on which it changes.
  const ofDay = memoize((day: number) => {
    const [first, last] = [at(day * DAY), at((day + 1) * DAY - 1)]
    return first === last ? first : undefined
  })
  return (seconds) => ofDay(Math.floor(seconds / DAY)) ?? at(seconds)
}
