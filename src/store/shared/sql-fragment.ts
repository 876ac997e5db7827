import type { ColumnValue } from "./lead-columns.ts"

/** A piece of SQL with the values for its question marks, in order. */
export interface Fragment<Value = ColumnValue> {
  sql: string
  params: Value[]
}

export function fragment(sql: string, ...params: ColumnValue[]): Fragment {
  return { sql, params }
}

/** Joins pieces with a separator. */
export function join<Value = ColumnValue>(
  parts: readonly Fragment<Value>[],
  separator: string,
): Fragment<Value> {
  return { sql: parts.map((part) => part.sql).join(separator), params: parts.flatMap((part) => part.params) }
}
