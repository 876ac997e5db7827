import type { Database, Statement } from "bun:sqlite"
import type { ColumnValue } from "../../sql/schema/lead-columns.ts"
import { prepare } from "./database.ts"

/** Statements that are kept; the shapes that clients can ask for have no end. */
const STATEMENTS = 128

export type StatementCache = ReturnType<typeof createStatementCache>

/** Prepares SQL that is put together at run time, keeping the statements used last; others are finalized. */
export function createStatementCache(db: Database) {
  const statements = new Map<string, Statement<unknown, ColumnValue[]>>()
  return function prepared<Row>(sql: string): Statement<Row, ColumnValue[]> {
    let statement = statements.get(sql)
    if (statement) statements.delete(sql)
    else statement = prepare(db, sql)
    statements.set(sql, statement)
    if (statements.size > STATEMENTS) {
      const [oldest, old] = statements.entries().next().value!
      statements.delete(oldest)
      old.finalize()
    }
    return statement as Statement<Row, ColumnValue[]>
  }
}
