// Numbers and times as people write them into a filter or a parameter.

/** A decimal number; undefined for other text. */
export function parseNumber(text: string): number | undefined {
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text.trim())) return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}

/** The Unix second from which on a number is taken for milliseconds: the year 5138, or March 1973 in milliseconds. */
const MILLISECONDS_FROM = 1e11

/**
 * Why a number or its text is no time in Unix seconds though it looks like one: it is in milliseconds, or a date without
 * hyphens such as `20260131`. Undefined for any other.
 */
export function unitProblem(time: number | string): string | undefined {
  const text = String(time).trim()
  const number = typeof time === "number" ? time : parseNumber(text)
  if (number !== undefined && Math.abs(number) >= MILLISECONDS_FROM)
    return `is in milliseconds or finer: give Unix seconds, such as ${Math.trunc(number / 1000)}`
  const [, year = "", month = "", day = ""] = /^((?:19|20)\d\d)(\d\d)(\d\d)$/.exec(text) ?? []
  const date = `${year}-${month}-${day}`
  return year !== "" && midnightOf(date) !== undefined
    ? `is a date without hyphens: write ${date}, or Unix seconds`
    : undefined
}

/** Milliseconds; undefined for a day that its month does not have, which would become one of the next month. */
function midnightOf(day: string): number | undefined {
  const midnight = Date.parse(`${day}T00:00Z`)
  return Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day) ? undefined : midnight
}

/**
 * Unix seconds from a number or an ISO 8601 date (UTC unless it says otherwise); undefined for what is neither. For numbers
 * in another unit see `unitProblem`.
 */
export function parseTime(text: string): number | undefined {
  return parseNumber(text) ?? isoSeconds(text)
}

/** Unix seconds of an ISO 8601 date, with or without a time, UTC unless it says otherwise; undefined for other text. */
export function isoSeconds(text: string): number | undefined {
  const [, day = "", time = "", zone = "Z"] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(
      text.trim(),
    ) ?? []
  if (midnightOf(day) === undefined) return undefined
  const milliseconds = Date.parse(`${day}T${time || "00:00"}${zone}`)
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000)
}
