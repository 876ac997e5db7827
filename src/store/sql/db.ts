// Statements that are written once for both engines, in PostgreSQL's SQL: `$1` and so on for values, casts where
// PostgreSQL asks for them. `sqlite/connection/database.ts` says what of it SQLite takes, `dialect.ts` has the rest.
import type { Bulk, Cell } from "./bulk.ts"
import type { Dialect } from "./dialect.ts"

export type Param = string | number | boolean | null | undefined | Uint8Array | readonly ListItem[]
export type ListItem = number | string | null | Uint8Array
export type Params = readonly Param[]

/**
 * Runs statements on a connection, or on any of a pool. Whole numbers come as numbers, JSON as text; a boolean comes as
 * 0 or 1 from SQLite. In PostgreSQL sums are `numeric` and would come as text: cast them. A text should be a constant:
 * its prepared statement is found by it, and kept for as long as the connection.
 */
export interface Db {
  readonly dialect: Dialect
  /** The rows of a statement. */
  all<Row>(sql: string, params?: Params): Promise<Row[]>
  /** Its first row. */
  get<Row>(sql: string, params?: Params): Promise<Row | undefined>
  /** Resolves with the number of rows that the statement has written. */
  run(sql: string, params?: Params): Promise<number>
}

/** Runs the statements of a transaction. Whatever reads sees everything that was written before. */
export interface WriteDb extends Db {
  /**
   * Sends a statement without waiting for its end; when it fails, the work fails that it belongs to. Saves PostgreSQL
   * a round trip; SQLite runs it at once.
   */
  later(sql: string, params?: Params): void
  /** Writes a row, PostgreSQL with others of its kind: once something is read, or when the work ends. */
  put(bulk: Bulk, row: readonly Cell[]): void
}
