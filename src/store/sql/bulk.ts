/** A value in a row of many. */
export type Cell = string | number | null
/** Columns with their types in PostgreSQL. */
export type Columns = Readonly<Record<string, string>>

/** Statements that are run for many rows: by PostgreSQL once for all of them, by SQLite once for each. */
export interface Bulk {
  columns: Columns
  /** Statements about the rows that `rows` stands for in a FROM: it is named `r` and has the columns' names. */
  statements: readonly ((rows: string) => string)[]
}

/**
 * Declares statements about rows `r`, which must not hold one key twice. To be made once, outside of functions: the
 * engines keep what they prepare for it. An INSERT with ON CONFLICT needs a `WHERE true` before it.
 */
export function bulk(columns: Columns, ...statements: ((rows: string) => string)[]): Bulk {
  return { columns, statements }
}
