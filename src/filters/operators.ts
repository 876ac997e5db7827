// What each operator asks of a value: as a test in memory, and as SQL. Texts on both sides are folded; nothing but
// `is_empty` holds for a value that is not there.
import { joined, type Sql, sql, wrapped } from "./fragment.ts"

/** A column of texts, folded, and the beginning of each that an index has in order. */
export interface TextColumn {
  whole: string
  beginning: string
  /** Characters of the beginning; 0 where no index has one. */
  kept: number
}

/** How an engine writes tests of values. */
export interface ValueTests {
  /** A column holds one of the values. */
  among(column: string, values: readonly string[] | readonly number[]): Sql
  /** Where a text is in another, counted from 1; 0 where it is not. */
  position(text: string, part: string): string
  /** A text begins with one that is longer than what the index keeps. */
  startsWith(column: string, value: string): Sql
  endsWith(column: string, value: string): Sql
}

interface Operator<Value, Column> {
  /** The operator that holds where this one does not. */
  negated?: string
  /** What stands behind the field: one value unless told. */
  takes?: "nothing" | "list"
  test(values: readonly Value[]): (stored: Value | null) => boolean
  sql(dialect: ValueTests, column: Column, values: Value[]): Sql
}

/** Operators by the names that clients send. */
const operators =
  <Value, Column>() =>
  <Name extends string>(table: Record<Name, Operator<Value, Column>>): Readonly<typeof table> =>
    table

/** The value of an operator that takes one, or the first of two. */
const first = (values: readonly string[]) => values[0] ?? ""

export const TEXT = operators<string, TextColumn>()({
  eq: {
    negated: "neq",
    test: (values) => (text) => text === first(values),
    sql: equals,
  },
  contains: {
    negated: "not_contains",
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
  in: {
    negated: "not_in",
    takes: "list",
    test: (values) => (text) => text !== null && values.includes(text),
    sql: equals,
  },
  is_empty: {
    negated: "is_not_empty",
    takes: "nothing",
    test: () => (text) => text === null,
    sql: (_, { whole, beginning, kept }) => sql(`${kept > 0 ? beginning : whole} IS NULL`),
  },
})
export type TextOperator = keyof typeof TEXT

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

export const NUMBER = operators<number, string>()({
  eq: { negated: "neq", ...compare("=", (stored, value) => stored === value) },
  gt: compare(">", (stored, value) => stored > value),
  gte: compare(">=", (stored, value) => stored >= value),
  lt: compare("<", (stored, value) => stored < value),
  lte: compare("<=", (stored, value) => stored <= value),
  between: {
    takes: "list",
    test:
      ([low = 0, high = 0]) =>
      (stored) =>
        stored !== null && stored >= low && stored <= high,
    sql: (_, column, [low = 0, high = 0]) => sql(`${column} BETWEEN ? AND ?`, low, high),
  },
  in: {
    negated: "not_in",
    takes: "list",
    test: (values) => (stored) => stored !== null && values.includes(stored),
    sql: ({ among }, column, values) => among(column, values),
  },
  is_empty: {
    negated: "is_not_empty",
    takes: "nothing",
    test: () => (stored) => stored === null,
    sql: (_, column) => sql(`${column} IS NULL`),
  },
})
export type NumberOperator = keyof typeof NUMBER

/** The names that clients send, each before its negation. */
export function namesOf(table: Readonly<Record<string, Operator<never, never>>>): readonly string[] {
  return Object.entries(table).flatMap(([name, { negated }]) => (negated ? [name, negated] : [name]))
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
export function equals(dialect: ValueTests, column: TextColumn, values: readonly string[]): Sql {
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
