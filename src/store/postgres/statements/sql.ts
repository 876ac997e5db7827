// Pieces of SQL with question marks, which are numbered when a statement is whole.

import { type Fragment, join } from "../../../filters/fragment.ts"
import type { Param } from "../../sql/db.ts"

export type Sql = Fragment<Param>

export function sql(text: string, ...params: Param[]): Sql {
  return { sql: text, params }
}

export function joined(parts: readonly Sql[], separator: string): Sql {
  return join<Param>(parts, separator)
}

const LIMITS = [2, 11, 21, 26, 31, 51, 101, 201, 501, 1_001, 5_001]

/**
 * At least so many rows, as a number to write into a statement. Bound to it, the database would plan the statement each
 * time anew, which takes longer than a page; of each number there is a statement of its own, so there are few.
 */
export function limitOf(rows: number): number {
  return LIMITS.find((limit) => limit >= rows) ?? rows
}

/** A whole statement as it is sent: `$1` and so on for its question marks. */
export function statement({ sql: text, params }: Sql): [text: string, params: Param[]] {
  let n = 0
  return [text.replaceAll("?", () => `$${++n}`), params]
}
