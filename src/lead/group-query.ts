// Queries for groups of leads, independent of any database.
import type { NumberField, TextField, TimeField } from "./lead.ts"

/**
 * A key that leads are grouped by. By attributes, tags and items of lists a lead may be in several groups, or in none.
 */
export type GroupKey =
  | { on: "text"; field: TextField }
  /** A number as it is, or the number of its band where bands are so wide: 0 from 0 to below `step`, -1 below 0. */
  | { on: "number"; field: NumberField | "score"; step?: number }
  /** A time in steps of so many seconds since 1970. */
  | { on: "time"; field: TimeField; step: number }
  | { on: "tags" }
  | { on: "attribute"; name: string }

/** A number that is summed up. */
export type Measure =
  | { on: "number"; field: NumberField | "score" | TimeField }
  | { on: "attribute"; name: string }

/** A figure of each group besides the number of its leads. */
export type GroupFigure =
  | { kind: "sum"; of: Measure }
  /** Every number, for a median. */
  | { kind: "numbers"; of: Measure }
  /** Leads with this folded text; null for leads without one. */
  | { kind: "equal"; field: TextField; value: string | null }
  | { kind: "distinct"; of: GroupKey }

export type GroupValue = string | number | boolean | null

/** A group's figure, in the order of the query; figures of groups can be combined. */
export type FigureFound =
  | { n: number; sum: number; min: number | null; max: number | null }
  | { numbers: number[] }
  | { equal: number }
  | { distinct: Set<GroupValue> }

export interface LeadGroup {
  /** One value for each key: folded texts, times and bands as the number of their step, null for none. */
  values: GroupValue[]
  count: number
  found: FigureFound[]
  /** The engine's handle of the oldest of its leads. */
  oldest: number
}

/** Two findings of the same figure as one. */
export function together(a: FigureFound, b: FigureFound): FigureFound {
  if ("sum" in a && "sum" in b) {
    const [min, max] = [least(a.min, b.min, Math.min), least(a.max, b.max, Math.max)]
    return { n: a.n + b.n, sum: a.sum + b.sum, min, max }
  }
  if ("numbers" in a && "numbers" in b) {
    for (const number of b.numbers) a.numbers.push(number)
    return a
  }
  if ("equal" in a && "equal" in b) return { equal: a.equal + b.equal }
  if ("distinct" in a && "distinct" in b) {
    for (const value of b.distinct) a.distinct.add(value)
  }
  return a
}

function least(a: number | null, b: number | null, of: (a: number, b: number) => number): number | null {
  return a === null ? b : b === null ? a : of(a, b)
}
