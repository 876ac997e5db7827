// What the tables of an account's things have in common.
import type { Db, Param, Params } from "./db.ts"

/** A statement with its values, as `Db` and `WriteDb` take them. */
type Statement = [sql: string, params: Params]

/** Places for values: `$1, $2` and so on. */
const places = (count: number) => Array.from({ length: count }, (_, i) => `$${i + 1}`).join(", ")

/**
 * Statements about an account's rows of a table, by their public ids. To be made once, outside of functions: statements are
 * prepared by their texts. Columns are written from the fields of their names; an update leaves `id` and `created_at`.
 */
export function accountRows<Column extends string>(table: string, columns: readonly Column[]) {
  type Values = Readonly<Record<Column, Param>>
  const ONE = "WHERE account_id = $1 AND id = $2"
  const SELECT = `SELECT ${columns.join(", ")} FROM ${table}`
  const FIND = `${SELECT} ${ONE}`
  const LIST = `${SELECT} WHERE account_id = $1 ORDER BY rid`
  const INSERT = `INSERT INTO ${table} (account_id, ${columns.join(", ")}) VALUES (${places(columns.length + 1)})`
  const changing = columns.filter((name) => name !== "id" && name !== "created_at")
  const UPDATE = `UPDATE ${table} SET ${changing.map((name, i) => `${name} = $${i + 3}`).join(", ")} ${ONE}`
  const REMOVE = `DELETE FROM ${table} ${ONE}`
  return {
    find: (account: number, id: string): Statement => [FIND, [account, id]],
    /** Oldest first. */
    list: (account: number): Statement => [LIST, [account]],
    insert: (account: number, row: Values): Statement => [
      INSERT,
      [account, ...columns.map((name) => row[name])],
    ],
    update: (account: number, row: Omit<Values, "created_at"> & { id: string }): Statement => [
      UPDATE,
      [account, row.id, ...changing.map((name) => (row as Values)[name])],
    ],
    remove: (account: number, id: string): Statement => [REMOVE, [account, id]],
  }
}

/** The first `limit` of rows, newest first, that one more was asked for than that. `next` is the place behind the page. */
export function pageOf<Row extends { rid: number }>(
  rows: readonly Row[],
  limit: number,
): { page: Row[]; next: string | undefined } {
  const page = rows.slice(0, limit)
  return { page, next: rows.length > limit ? String(page.at(-1)!.rid) : undefined }
}

/** The place of a page's first row as a number that all rows of the page are below. */
export const belowOf = (after: string | undefined): number =>
  after === undefined ? Number.MAX_SAFE_INTEGER : Number(after)

/** What `as` makes of a row; undefined without one. */
export async function rowAs<Row, Thing>(
  row: Promise<Row | undefined>,
  as: (row: Row) => Thing,
): Promise<Thing | undefined> {
  const value = await row
  return value && as(value)
}

/** Reads a column of an account's own row; undefined of an account that is gone. To be made once for a connection. */
export function accountColumn<Value>(db: Db, name: string): (account: number) => Promise<Value | undefined> {
  const text = `SELECT ${name} AS value FROM accounts WHERE key = $1`
  return async (account) => (await db.get<{ value: Value }>(text, [account]))?.value
}
