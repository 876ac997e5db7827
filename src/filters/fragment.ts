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
