// What filters on times mean: a day is all of its seconds.

import type { NumberOperator } from "../../../filters/operators.ts"
import { fail, type Parts, textsOf } from "../../../lead/filter-parts.ts"
import { RELATIVE_DATES, type Span, spanOf } from "../../../text/dates.ts"
import { unitProblem } from "../../../text/moment.ts"
import { excerpt } from "../../../text/text.ts"

/** Days in a list of dates, each of which is a condition of its own. */
const DAYS_MAX = 100

/** The seconds of each date of a filter on times. */
export function spans(parts: Parts, operator: string): Span[] {
  const spanList = textsOf(parts, operator).map((text) => {
    const problem = unitProblem(text)
    if (problem !== undefined) fail(parts.sent, `"${excerpt(text)}" ${problem}`)
    return (
      spanOf(text, parts.calendar) ??
      fail(
        parts.sent,
        `"${excerpt(text)}" is not a time: give Unix seconds or an ISO date, ${RELATIVE_DATES}`,
      )
    )
  })
  refuseOddSpans(parts, operator, spanList)
  return spanList
}

export function refuseOddSpans(parts: Parts, operator: string, spanList: readonly Span[]): void {
  if (operator === "between")
    refuseOddRange(parts, spanList.length, spanList[0]!.first, spanList[1]?.last ?? 0)
  const days = spanList.filter(({ first, last }) => first < last).length
  if (operator === "in" && days > DAYS_MAX)
    fail(parts.sent, `a list of dates has at most ${DAYS_MAX} days; use between for the days of a time`)
}

export function refuseOddRange({ sent }: Parts, count: number, low: number, high: number): void {
  if (count !== 2 || low > high) fail(sent, "between takes low,high with low not above high")
}

export type TimeTest = { operator: NumberOperator; values: number[] }

/** The tests, one of which holds for the seconds that an operator and its dates mean: a day is all of its seconds. */
export function timeTests(operator: NumberOperator, spanList: readonly Span[]): TimeTest[] {
  const [low, high] = spanList
  if (!low) return []
  switch (operator) {
    case "gte":
    case "lt":
      return [{ operator, values: [low.first] }]
    case "gt":
    case "lte":
      return [{ operator, values: [low.last] }]
    case "between":
      return [{ operator, values: [low.first, high!.last] }]
    default: {
      const moments = spanList.flatMap(({ first, last }) => (first === last ? first : []))
      const days = spanList.filter(({ first, last }) => first < last)
      return [
        ...(moments.length > 0 ? [{ operator, values: moments }] : []),
        ...days.map(({ first, last }): TimeTest => ({ operator: "between", values: [first, last] })),
      ]
    }
  }
}
