// How an engine writes the parts of a filter. The parts themselves are defined once, beside their tests in memory:
// operators.ts and conditions.ts.
import type { NumberField, TextField, TimeField } from "../lead/lead.ts"
import type { Condition, WordsCondition } from "../lead/lead-query.ts"
import { type Fragment, join } from "./fragment.ts"

/** A value that is bound: a list counts as one where the engine has lists. */
export type Value = string | number | null | readonly string[] | readonly number[]
export type Sql = Fragment<Value>

/** A column of texts, folded, and the beginning of each that an index has in order. */
export interface TextColumn {
  whole: string
  beginning: string
  /** Characters of the beginning; 0 where no index has one. */
  kept: number
}

export interface FilterDialect {
  text(field: TextField): TextColumn
  number(field: NumberField | TimeField | "score"): string
  /** The rid of the lead that is tested. */
  rid: string
  contact: { text: TextColumn; number: string; key: string }
  attribute: { text: TextColumn; number: string }
  tag: TextColumn
  /** A column holds one of the values. */
  among(column: string, values: readonly string[] | readonly number[]): Sql
  /** Where a text is in another, counted from 1; 0 where it is not. */
  position(text: string, part: string): string
  /** A text begins with one that is longer than what the index keeps. */
  startsWith(column: string, value: string): Sql
  endsWith(column: string, value: string): Sql
  /** A text that may be too long for an index is just this one. */
  exact(column: string, value: string): Sql
  /** The phone key of the lead is this one. */
  phoneKey(key: string | null): Sql
  phoneNumber: string
  importLeads(account: number, id: string): Sql
  /** The lead is among those of a query of `lead_contacts c`. */
  isAmong(rids: Sql): Sql
  hasNoTags: string
  /** Tags that are each looked up by themselves where a lead must have all; of more they are counted. */
  eachTag: number
  words(account: number, condition: WordsCondition): Sql
  /** The lead is on the do-not-contact list; bound three times, to the account. */
  suppressed: string
  /** A bound number of degrees, and a column of them, within what the engine's sines take. */
  degrees: { bound: string; of(angle: number): number; column(name: string): string }
  least(a: string, b: string): string
  /** Tests a condition otherwise, where the engine can. */
  instead?: ((condition: Condition) => Sql | undefined) | undefined
}

export const sql = (text: string, ...params: Value[]): Sql => ({ sql: text, params })
export const joined = (parts: readonly Sql[], separator: string): Sql => join<Value>(parts, separator)
export const wrapped = (before: string, { sql: text, params }: Sql, after: string): Sql => ({
  sql: before + text + after,
  params,
})
/** So many rows are there. */
export const counted = (rows: Sql, count: number): Sql =>
  joined([wrapped("(SELECT count(*) ", rows, ")"), sql("?", count)], " = ")
