// Pieces of SQL with question marks, which are numbered when a statement is whole.
import { type Fragment, join } from "../../shared/sql-fragment.ts"
import type { Param } from "../connection/connection.ts"

export type Sql = Fragment<Param>

export function sql(text: string, ...params: Param[]): Sql {
  return { sql: text, params }
}

export function joined(parts: readonly Sql[], separator: string): Sql {
  return join<Param>(parts, separator)
}

/** A whole statement as it is sent: `$1` and so on for its question marks. */
export function statement({ sql: text, params }: Sql): [text: string, params: Param[]] {
  let n = 0
  return [text.replaceAll("?", () => `$${++n}`), params]
}
