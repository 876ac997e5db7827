// What each operator asks of a value: as a test in memory, and as SQL. Texts on both sides are folded; nothing but
// `is_empty` holds for a value that is not there.
import type { NumberOperator, TextOperator } from "../lead/lead-query.ts"
import { type FilterDialect, joined, type Sql, sql, type TextColumn, wrapped } from "./dialect.ts"

interface Operator<Value, Column> {
  test(values: readonly Value[]): (stored: Value | null) => boolean
  sql(dialect: FilterDialect, column: Column, values: Value[]): Sql
}

/** The value of an operator that takes one, or the first of two. */
const first = (values: readonly string[]) => values[0] ?? ""

export const TEXT: Readonly<Record<TextOperator, Operator<string, TextColumn>>> = {
  eq: {
    test: (values) => (text) => text === first(values),
    sql: equals,
  },
  in: {
    test: (values) => (text) => text !== null && values.includes(text),
    sql: equals,
  },
  contains: {
    test: (values) => (text) => text?.includes(first(values)) ?? false,
    sql: ({ position }, { whole }, values) => sql(`${position(whole, "?")} > 0`, first(values)),
  },
  starts_with: {
    test: (values) => (text) => text?.startsWith(first(values)) ?? false,
    sql(dialect, column, values) {
      const { whole, beginning } = column
      const value = first(values)
      if (!isKept(column, value)) return dialect.startsWith(whole, value)
      const end = textAfter(value)
      return end === undefined
        ? sql(`${beginning} >= ?`, value)
        : sql(`${beginning} >= ? AND ${beginning} < ?`, value, end)
    },
  },
  ends_with: {
    test: (values) => (text) => text?.endsWith(first(values)) ?? false,
    sql: (dialect, { whole }, values) => dialect.endsWith(whole, first(values)),
  },
  is_empty: {
    test: () => (text) => text === null,
    sql: (_, { whole, beginning, kept }) => sql(`${kept > 0 ? beginning : whole} IS NULL`),
  },
}

/** An operator between a number and a bound one. */
const compare = (
  sign: string,
  holds: (stored: number, value: number) => boolean,
): Operator<number, string> => ({
  test:
    ([value = 0]) =>
    (stored) =>
      stored !== null && holds(stored, value),
  sql: (_, column, [value = 0]) => sql(`${column} ${sign} ?`, value),
})

export const NUMBER: Readonly<Record<NumberOperator, Operator<number, string>>> = {
  eq: compare("=", (stored, value) => stored === value),
  gt: compare(">", (stored, value) => stored > value),
  gte: compare(">=", (stored, value) => stored >= value),
  lt: compare("<", (stored, value) => stored < value),
  lte: compare("<=", (stored, value) => stored <= value),
  between: {
    test:
      ([low = 0, high = 0]) =>
      (stored) =>
        stored !== null && stored >= low && stored <= high,
    sql: (_, column, [low = 0, high = 0]) => sql(`${column} BETWEEN ? AND ?`, low, high),
  },
  in: {
    test: (values) => (stored) => stored !== null && values.includes(stored),
    sql: ({ among }, column, values) => among(column, values),
  },
  is_empty: {
    test: () => (stored) => stored === null,
    sql: (_, column) => sql(`${column} IS NULL`),
  },
}

export type ItemsOperator = "any" | "all" | "is_empty"

/** A lead's tags or a list's items have one of the values, all of them, or there are none. */
export const ITEMS: Readonly<
  Record<ItemsOperator, (items: ReadonlySet<string>, values: readonly string[]) => boolean>
> = {
  any: (items, values) => values.some((value) => items.has(value)),
  all: (items, values) => values.every((value) => items.has(value)),
  is_empty: (items) => items.size === 0,
}

/** Whether a text is shorter than what the index has of each: then the beginning tells all. */
const isKept = ({ kept }: TextColumn, value: string) => value.length < kept

/** A column of texts holds one of the values. */
export function equals(dialect: FilterDialect, column: TextColumn, values: readonly string[]): Sql {
  const long = values.filter((value) => !isKept(column, value))
  const short = long.length === 0 ? values : values.filter((value) => isKept(column, value))
  if (long.length === 0) return dialect.among(column.beginning, short)
  const parts = [dialect.among(column.whole, long)]
  if (short.length > 0) parts.unshift(dialect.among(column.beginning, short))
  return wrapped("(", joined(parts, " OR "), ")")
}

/** The least text that is greater than every text with this beginning; undefined when there is none. */
export function textAfter(prefix: string): string | undefined {
  const points = [...prefix]
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const next = last.codePointAt(0)! + 1
    if (next <= 0x10ffff) return points.join("") + String.fromCodePoint(next === 0xd800 ? 0xe000 : next)
  }
  return undefined
}
