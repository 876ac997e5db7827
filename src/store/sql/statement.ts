// Statements that are put together of pieces with question marks.
import { joined, type Sql, sql } from "../../filters/fragment.ts"
import type { Param } from "./db.ts"

const LIMITS = [2, 11, 21, 26, 31, 51, 101, 201, 501, 1_001, 5_001]

/**
 * At least so many rows, as a number to write into a statement. Bound to it, PostgreSQL would plan the statement each
 * time anew, which takes longer than a page; of each number there is a statement of its own, so there are few.
 */
export function limitOf(rows: number): number {
  return LIMITS.find((limit) => limit >= rows) ?? rows
}

/** A whole statement as `Db` takes it: `$1` and so on for its question marks. */
export function statement({ sql: text, params }: Sql): [text: string, params: Param[]] {
  let n = 0
  return [text.replaceAll("?", () => `$${++n}`), params]
}

/** Pieces one behind the other; those that bind nothing are texts. */
export function spaced(...parts: readonly (string | Sql)[]): Sql {
  const pieces = parts.map((part) => (typeof part === "string" ? sql(part) : part))
  return joined(pieces, " ")
}
