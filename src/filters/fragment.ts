/** A piece of SQL with the values for its question marks, in order. */
export interface Fragment<Value = string | number | null> {
  sql: string
  params: Value[]
}

export function fragment(sql: string, ...params: (string | number | null)[]): Fragment {
  return { sql, params }
}

/** Joins pieces with a separator. */
export function join<Value = string | number | null>(
  parts: readonly Fragment<Value>[],
  separator: string,
): Fragment<Value> {
  return { sql: parts.map((part) => part.sql).join(separator), params: parts.flatMap((part) => part.params) }
}

/** A value that is bound: a list counts as one where the engine has lists. */
export type Value = string | number | null | readonly string[] | readonly number[]
export type Sql = Fragment<Value>

export const sql = (text: string, ...params: Value[]): Sql => ({ sql: text, params })
export const joined = (parts: readonly Sql[], separator: string): Sql => join<Value>(parts, separator)
export const wrapped = (before: string, { sql: text, params }: Sql, after: string): Sql => ({
  sql: before + text + after,
  params,
})
/** So many rows are there. */
export const counted = (rows: Sql, count: number): Sql =>
  joined([wrapped("(SELECT count(*) ", rows, ")"), sql("?", count)], " = ")
