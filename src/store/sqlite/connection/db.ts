import type { Database, SQLQueryBindings, Statement } from "bun:sqlite"
import type { Bulk, Cell } from "../../sql/bulk.ts"
import type { Param, Params, WriteDb } from "../../sql/db.ts"
import { SQLITE } from "../../sql/dialect.ts"
import { prepare } from "./database.ts"
import type { StatementCache } from "./statement-cache.ts"

type Bound = Exclude<SQLQueryBindings, Record<string, unknown>>
type Prepared = Statement<unknown, Bound[]>

const NO_PARAMS: Params = []

/**
 * Runs statements of `sql/db.ts` on a connection, inside the transaction of the write queue where there is one. Every
 * statement has run when the function returns: its promise only carries the answer, or the error. Statements that are put
 * together at run time, which have no end, need a `cache`.
 */
export function sqliteDb(db: Database, cache?: StatementCache): WriteDb {
  const statements = new Map<string, Prepared>()
  const bulks = new Map<Bulk, readonly Prepared[]>()

  function prepared(sql: string): Prepared {
    if (cache) return cache(asSqlite(sql)) as unknown as Prepared
    let statement = statements.get(sql)
    if (!statement) {
      statement = prepare<unknown, never>(db, asSqlite(sql)) as unknown as Prepared
      statements.set(sql, statement)
    }
    return statement
  }

  function statementsOf(bulk: Bulk): readonly Prepared[] {
    let all = bulks.get(bulk)
    if (!all) {
      const rows = SQLITE.rows(bulk.columns)
      all = bulk.statements.map((statement) => prepared(statement(rows)))
      bulks.set(bulk, all)
    }
    return all
  }

  const run = (sql: string, params: Params) => prepared(sql).run(...bound(params)).changes

  return {
    dialect: SQLITE,
    all: async <Row>(sql: string, params = NO_PARAMS) => prepared(sql).all(...bound(params)) as Row[],
    get: async <Row>(sql: string, params = NO_PARAMS) =>
      (prepared(sql).get(...bound(params)) ?? undefined) as Row | undefined,
    run: async (sql, params = NO_PARAMS) => run(sql, params),
    later(sql, params = NO_PARAMS) {
      run(sql, params)
    },
    put(bulk, row: readonly Cell[]) {
      for (const statement of statementsOf(bulk)) statement.run(...(row as Cell[]))
    },
  }
}

/** Lists are bound as JSON, for `json_each`. */
function bound(params: Params): Bound[] {
  for (const param of params) if (Array.isArray(param)) return params.map(asBound)
  return params as Bound[]
}

const asBound = (param: Param) => (Array.isArray(param) ? JSON.stringify(param) : param) as Bound

/**
 * A statement in PostgreSQL's words as SQLite takes it: without casts, which SQLite has no need of, without locks of rows,
 * since the file has one writer, and without the collation by bytes, which is SQLite's own. `= ANY ($1)` of a list of
 * numbers or texts becomes a lookup in its JSON.
 */
export function asSqlite(sql: string): string {
  return sql
    .replaceAll(/::[a-z]+\d*(?: precision)?(?:\[\])?/g, "")
    .replaceAll(/\s+FOR (?:NO KEY )?UPDATE(?: OF \w+)?(?: SKIP LOCKED)?/g, "")
    .replaceAll(/= ANY \(\$(\d+)\)/g, "IN (SELECT value FROM json_each(?$1))")
    .replaceAll(' COLLATE "C"', "")
    .replaceAll("LIMIT ALL", "LIMIT -1")
    .replaceAll(/\$(\d+)/g, "?$1")
}
