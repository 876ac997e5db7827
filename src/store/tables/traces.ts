import {
  SEARCHED,
  type SearchedTable,
  type Trace,
  type TraceReads,
  type TraceWrites,
} from "../contract/traces.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import { rowAs } from "../sql/rows.ts"

/** Rows of one page: a report has up to 2,000 texts. */
const AT_ONCE = 5

type Texts = Record<string, string | null>
type Row = Texts & { key: string | number }

const SQL = Object.fromEntries(
  Object.entries(SEARCHED).map(([table, { key, columns }]) => {
    const rows = `SELECT ${key} AS key, ${columns.join(", ")} FROM ${table} WHERE account_id = $1`
    const set = columns.map((name, i) => `${name} = $${i + 3}`).join(", ")
    return [
      table,
      {
        first: `${rows} ORDER BY ${key} LIMIT ${AT_ONCE}`,
        after: `${rows} AND ${key} > $2 ORDER BY ${key} LIMIT ${AT_ONCE}`,
        find: `${rows} AND ${key} = $2`,
        rewrite: `UPDATE ${table} SET ${set} WHERE account_id = $1 AND ${key} = $2`,
        remove: `DELETE FROM ${table} WHERE account_id = $1 AND ${key} = $2`,
      },
    ]
  }),
) as Record<SearchedTable, Record<"first" | "after" | "find" | "rewrite" | "remove", string>>

const traceOf = <Table extends SearchedTable>({ key, ...texts }: Row) =>
  ({ key, texts }) as unknown as Trace<Table>

export function traceReads(db: Db): TraceReads {
  return {
    async list(account, table, after) {
      const { first, after: next } = SQL[table]
      const rows =
        after === undefined ? await db.all<Row>(first, [account]) : await db.all<Row>(next, [account, after])
      return rows.map((row) => traceOf(row))
    },
    find: (account, table, key) => rowAs(db.get<Row>(SQL[table].find, [account, key]), traceOf),
  }
}

export function traceWrites(db: WriteDb): TraceWrites {
  return {
    async rewrite(account, table, { key, texts }) {
      const values = SEARCHED[table].columns.map((name) => (texts as Texts)[name] ?? null)
      db.later(SQL[table].rewrite, [account, key, ...values])
    },
    async remove(account, table, key) {
      db.later(SQL[table].remove, [account, key])
    },
  }
}
