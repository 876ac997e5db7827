// Times as inputs of operations.
import * as v from "valibot"
import { type Calendar, RELATIVE_DATES, type Span, spanOf } from "./dates.ts"
import { parseTime, unitProblem } from "./moment.ts"

/** What inputs are checked with: the calendar reads days and relative dates, which are refused without one. */
export type DatedConfig = v.Config<v.BaseIssue<unknown>> & Dated
interface Dated {
  calendar?: Calendar | undefined
}

const message = `must be a time: give Unix seconds or an ISO date such as 2026-03-31 or 2026-03-31T09:30:00Z, ${RELATIVE_DATES}`

const momentAt = (end: keyof Span) =>
  v.pipe(
    v.union([v.number(message), v.string(message)], message),
    v.rawTransform(({ dataset, config, addIssue, NEVER }) => {
      const problem = unitProblem(dataset.value)
      const time = problem === undefined ? secondOf(dataset.value, config as Dated, end) : undefined
      if (time !== undefined && Number.isInteger(time) && time >= 0) return time
      addIssue({ message: problem ?? message })
      return NEVER
    }),
  )

function secondOf(value: number | string, { calendar }: Dated, end: keyof Span): number | undefined {
  return calendar ? spanOf(String(value), calendar)?.[end] : parseTime(String(value))
}

/**
 * A time as an input: Unix seconds, as a number or written out, an ISO 8601 date, or one relative to now. A day is its
 * first second.
 */
export const Moment = momentAt("first")

/** The time up to which something is asked for: a day is its last second. */
export const Until = momentAt("last")
