import type { ColumnValue } from "./columns.ts"

/** A piece of SQL with the values for its question marks, in order. */
export interface Fragment {
  sql: string
  params: ColumnValue[]
}

export function fragment(sql: string, ...params: ColumnValue[]): Fragment {
  return { sql, params }
}

/** Joins pieces with a separator. */
export function join(parts: readonly Fragment[], separator: string): Fragment {
  return { sql: parts.map((part) => part.sql).join(separator), params: parts.flatMap((part) => part.params) }
}

/** A list of values as one parameter, so that its length does not make another statement. */
export function valueList(values: readonly ColumnValue[]): Fragment {
  return fragment("(SELECT value FROM json_each(?))", JSON.stringify(values))
}
