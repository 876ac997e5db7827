// Differences between PostgreSQL and SQLite in parts of statements, as functions of both. Whole statements that
// differ because their tables do stay with the engine.
import type { Columns } from "./bulk.ts"

export interface Dialect {
  readonly engine: "postgres" | "sqlite"
  /** One or many rows to be used in a FROM, named `r`, whose values are bound column by column from `$1` on. */
  rows(columns: Columns): string
  /** The greater of two values that are not null. */
  greatest(a: string, b: string): string
  /** The lesser of two values that are not null. */
  least(a: string, b: string): string
  /** The items of a list in JSON, to be used in a FROM: each row has its text as `value`. */
  jsonItems(json: string): string
  /** An item of a bound list, counted from 0; null past its end. */
  item(list: string, index: string): string
  /** Where a text is in another, counted from 1; 0 where it is not. */
  position(text: string, part: string): string
  /** A boolean column that is true, in the words of a partial index. */
  isTrue(column: string): string
  /** As much of a text as an index of PostgreSQL has room for. */
  prefix(column: string, length: number): string
  /** A text in a unique index: a hash of it in PostgreSQL, where it may be too long for one. */
  hashed(column: string): string
  /** A hint for SQLite's planner; PostgreSQL relies on its statistics. */
  hint(sqlite: string): string
  /** Joins to each row before it in turn. PostgreSQL finds that out from what it knows of the tables. */
  readonly loopJoin: "JOIN" | "CROSS JOIN"
  /** A list that is bound as one value, to be used in a FROM: named `r`, its items in a column of this name. */
  list(value: string, type: string, column: string): string
  /** A condition for a text that may be too long for an index: PostgreSQL has one of its hash. */
  longTextIs(column: string, value: string): string
}

export const POSTGRES: Dialect = {
  engine: "postgres",
  rows(columns) {
    const lists = Object.values(columns).map((type, i) => `$${i + 1}::${type}[]`)
    return `unnest(${lists.join(", ")}) AS r (${Object.keys(columns).join(", ")})`
  },
  greatest: (a, b) => `greatest(${a}, ${b})`,
  least: (a, b) => `least(${a}, ${b})`,
  list: (value, type, column) => `unnest(${value}::${type}[]) AS r (${column})`,
  longTextIs: (column, value) => `md5(${column}) = md5(${value}) AND ${column} = ${value}`,
  jsonItems: (json) => `json_array_elements_text(${json}::json)`,
  item: (list, index) => `(${list})[${index} + 1]`,
  position: (text, part) => `strpos(${text}, ${part})`,
  isTrue: (column) => column,
  prefix: (column, length) => `left(${column}, ${length})`,
  hashed: (column) => `md5(${column})`,
  hint: () => "",
  loopJoin: "JOIN",
}

export const SQLITE: Dialect = {
  engine: "sqlite",
  rows(columns) {
    const values = Object.keys(columns).map((name, i) => `$${i + 1} AS ${name}`)
    return `(SELECT ${values.join(", ")}) AS r`
  },
  greatest: (a, b) => `max(${a}, ${b})`,
  least: (a, b) => `min(${a}, ${b})`,
  list: (value, _, column) => `(SELECT value AS ${column} FROM json_each(${value})) AS r`,
  longTextIs: (column, value) => `${column} = ${value}`,
  jsonItems: (json) => `json_each(${json})`,
  item: (list, index) => `json_extract(${list}, '$[' || ${index} || ']')`,
  position: (text, part) => `instr(${text}, ${part})`,
  isTrue: (column) => `${column} = 1`,
  prefix: (column) => column,
  hashed: (column) => column,
  hint: (sqlite) => sqlite,
  loopJoin: "CROSS JOIN",
}
