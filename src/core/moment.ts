// Numbers and times as people write them into a filter or a parameter.
import * as v from "valibot"

/** A decimal number; undefined for other text. */
export function parseNumber(text: string): number | undefined {
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text.trim())) return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}

/** Unix seconds from a number or an ISO 8601 date (UTC unless it says otherwise); undefined for what is neither. */
export function parseTime(text: string): number | undefined {
  const number = parseNumber(text)
  if (number !== undefined) return number
  const [, day = "", time = "", zone = "Z"] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(
      text.trim(),
    ) ?? []
  const midnight = Date.parse(`${day}T00:00Z`)
  // A day that its month does not have becomes one of the next month.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return undefined
  const milliseconds = Date.parse(`${day}T${time || "00:00"}${zone}`)
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000)
}

const message = "must be a time: give Unix seconds or an ISO date such as 2026-03-31 or 2026-03-31T09:30:00Z"

/** A time as an input: Unix seconds, as a number or written out, or an ISO 8601 date. */
export const Moment = v.pipe(
  v.union([v.number(message), v.string(message)], message),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const time = parseTime(String(dataset.value))
    if (time !== undefined && Number.isInteger(time) && time >= 0) return time
    addIssue({ message })
    return NEVER
  }),
)
