// An index of one column of an account's rows, slice by slice: for counting all of it while others have their turn.

import { type Fragment, fragment, join } from "../../../filters/fragment.ts"
import type { createStatementCache, Slices } from "../connection/database.ts"

/** A column with an index of its own behind the account: `TABLE_COLUMN` on `(account_id, COLUMN)`, or the table itself. */
export interface Indexed {
  table: "leads" | "lead_scores" | "lead_tags"
  column: string
}

/** Values from one on and below another, where told; never null. */
interface Range {
  from?: number
  below?: number
}

type Value = string | number | null

/** Some rows that lie side by side in the index. */
export interface Slice {
  /** The `FROM` clause: the table by its index, and the condition. */
  rows: Fragment
  /** The value that all of them have; without one it has all rows of each of its values. */
  value?: Value
}

export interface IndexSlices {
  /** All rows with a value, slice by slice. */
  all(indexed: Indexed): AsyncGenerator<Slice>
  /** The rows with one value, or with none, slice by slice. */
  rowsWith(indexed: Indexed, value: Value): AsyncGenerator<Slice>
  /** The number of rows with values of a range. */
  count(indexed: Indexed, range?: Range): Promise<number>
  /** The number of rows with one value, or with none. */
  countEqual(indexed: Indexed, value: Value): Promise<number>
}

/** For one look at an account; a small one is read at once, column by column. */
export function createIndexSlices(
  prepared: ReturnType<typeof createStatementCache>,
  account: number,
  slices: Slices,
  isSmall: boolean,
): IndexSlices {
  async function* all(indexed: Indexed): AsyncGenerator<Slice> {
    const { column } = indexed
    for (let start = ofRange(account, indexed, {}); ; ) {
      const end = ahead(indexed, start, column, slices.size())?.at
      const until = end === undefined ? [] : [fragment(`${column} < ?`, end)]
      yield { rows: rowsOf(indexed, [...start, ...until]) }
      await slices.yieldIfDue()
      if (end === undefined) return
      yield* rowsWith(indexed, end)
      start = [fragment("account_id = ?", account), fragment(`${column} > ?`, end)]
    }
  }

  async function* rowsWith(indexed: Indexed, value: Value): AsyncGenerator<Slice> {
    for (let low: number | undefined = 0; low !== undefined; await slices.yieldIfDue()) {
      const rest = ofValue(account, indexed, value, low)
      low = ahead(indexed, rest, "rid", slices.size())?.rid
      const until = low === undefined ? [] : [fragment("rid <= ?", low)]
      yield { rows: rowsOf(indexed, [...rest, ...until]), value }
    }
  }

  async function count(indexed: Indexed, range: Range = {}): Promise<number> {
    const { column } = indexed
    const within = ofRange(account, indexed, range)
    let sum = 0
    for (let start = within; ; ) {
      const { passed, last } = pass(indexed, start, `${column}, rid`)
      sum += passed
      await slices.yieldIfDue()
      if (!last) return sum
      sum += await countValue(indexed, last.at, last.rid)
      start = [...within, fragment(`${column} > ?`, last.at)]
    }
  }

  /** Rows with a value behind one of them. */
  async function countValue(indexed: Indexed, value: Value, after: number): Promise<number> {
    let sum = 0
    for (let low: number | undefined = after; low !== undefined; await slices.yieldIfDue()) {
      const { passed, last } = pass(indexed, ofValue(account, indexed, value, low), "rid")
      sum += passed
      low = last?.rid
    }
    return sum
  }

  /** What has been passed by on the way to the next position has been counted. */
  function pass(indexed: Indexed, where: readonly Fragment[], order: string) {
    const size = slices.size()
    const last = ahead(indexed, where, order, size)
    if (last) return { passed: size, last }
    const { sql, params } = rowsOf(indexed, where)
    return { passed: prepared<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`).get(...params)!.n, last }
  }

  /** The last of so many rows; undefined when there are fewer. */
  function ahead({ table, column }: Indexed, where: readonly Fragment[], order: string, rows: number) {
    if (isSmall) return undefined
    const { sql, params } = rowsOf({ table, column }, where)
    const row = prepared<{ at: string | number; rid: number }>(
      `SELECT ${column} AS at, rid FROM ${sql} ORDER BY ${order} LIMIT 1 OFFSET ?`,
    )
    return row.get(...params, rows - 1) ?? undefined
  }

  return { all, rowsWith, count, countEqual: (indexed, value) => countValue(indexed, value, 0) }
}

function ofRange(account: number, { column }: Indexed, { from, below }: Range): Fragment[] {
  const where = [fragment("account_id = ?", account)]
  where.push(from === undefined ? fragment(`${column} IS NOT NULL`) : fragment(`${column} >= ?`, from))
  if (below !== undefined) where.push(fragment(`${column} < ?`, below))
  return where
}

function ofValue(account: number, { column }: Indexed, value: Value, after: number): Fragment[] {
  return [
    fragment("account_id = ?", account),
    value === null ? fragment(`${column} IS NULL`) : fragment(`${column} = ?`, value),
    fragment("rid > ?", after),
  ]
}

function rowsOf({ table, column }: Indexed, where: readonly Fragment[]): Fragment {
  const { sql, params } = join(where, " AND ")
  const index = table === "lead_tags" ? "" : `INDEXED BY ${table}_${column}`
  return fragment(`${table} ${index} WHERE ${sql}`, ...params)
}
