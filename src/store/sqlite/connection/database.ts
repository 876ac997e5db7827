// The statements of a connection, how long reads yield between them, and the snapshots that reads share.
import type { Database, SQLQueryBindings, Statement } from "bun:sqlite"
import { type Clock, systemClock } from "../../../runtime/clock.ts"
import { yieldToEventLoop } from "../../../runtime/event-loop.ts"
import type { Bulk, Cell } from "../../sql/bulk.ts"
import type { Param, Params, WriteDb } from "../../sql/db.ts"
import { SQLITE } from "../../sql/dialect.ts"
import type { HashLookup, HashLookups } from "../../sql/hash-lookups.ts"
import type { ColumnValue } from "../../sql/schema/lead-rows.ts"

type Value = string | number | null | Uint8Array

/**
 * Prepares a statement so that binding other values does not make SQLite plan it anew: it does that at every
 * execution where the planner has looked at a bare parameter (any ORDER BY or join). The no-op `+` hides it:
 * a lookup with an ORDER BY costs 1.5 us instead of 14.
 */
export function prepare<Row = unknown, Params extends Value[] = Value[]>(db: Database, sql: string) {
  return db.prepare(sql.replaceAll("?", "+?")) as unknown as Statement<Row, Params>
}

/** Tells whether another connection has committed since the last time, at first always. */
export function changeWatch(db: Database): () => boolean {
  const version = prepare<{ data_version: number }, []>(db, "PRAGMA data_version")
  let seen = -1
  return () => {
    const { data_version: now } = version.get()!
    const isNew = now !== seen
    seen = now
    return isNew
  }
}

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

/** One snapshot for the reads of a turn of the event loop: to begin and end one takes 5 us, a lookup within it 2. */
export interface ReadTurn {
  /** Begins the turn's snapshot unless it is there. Gives a number that grows when another connection has committed. */
  enter(): number
  /** Ends it: what is read from now on sees all that was committed until now. */
  leave(): void
}

/** Connections with a snapshot of a turn. */
const inTurn = new WeakSet<Database>()

/** Snapshots on a connection that only reads. They end with the turn, or before it by `leaveTurn`. */
export function createReadTurn(db: Database): ReadTurn {
  const begin = prepare(db, "BEGIN")
  const changed = changeWatch(db)
  const leave = () => leaveTurn(db)
  let generation = 0
  return {
    enter() {
      if (inTurn.has(db)) return generation
      begin.run()
      inTurn.add(db)
      setImmediate(leave)
      if (changed()) generation++
      return generation
    },
    leave,
  }
}

/** Ends the snapshot of a connection, if it has one: before its derived tables are read, which follow leads on their own. */
export function leaveTurn(db: Database): void {
  if (inTurn.delete(db)) db.run("COMMIT")
}

/** Finds rows by their hashes. Nearly every request begins with such a lookup, and so does the snapshot of its reads. */
export function hashLookups(db: Database, turn?: ReadTurn): HashLookups {
  return {
    by<Row, Found>({ select, from, hash: column, isKept }: HashLookup, as: (row: Row) => Found) {
      const statement = prepare<Row, [Uint8Array]>(db, `SELECT ${select} FROM ${from} WHERE ${column} = ?`)

      function find(hash: Uint8Array): Found | undefined {
        const row = statement.get(hash)
        return row === null ? undefined : as(row)
      }

      if (!isKept || !turn) return find
      let generation = 0
      const byHash = new Map<string, Found>()
      return (hash) => {
        const now = turn.enter()
        if (now !== generation) byHash.clear()
        generation = now
        const name = hash.toBase64()
        const cached = byHash.get(name)
        if (cached !== undefined) return cached
        const value = find(hash)
        if (value !== undefined) byHash.set(name, value)
        return value
      }
    },
  }
}

/** Rows of the first slice: they may come from memory or, a page each, from the disk. */
const FIRST_ROWS = 250
/** Smaller slices cost more than they save, however slow the machine is. */
const LEAST_ROWS = 250
const MOST_ROWS = 50_000
/** Milliseconds that a slice should take. */
const SLICE_MS = 5
/** Milliseconds between two yields at least: on a busy server each one waits for all other requests. */
const YIELD_AFTER_MS = 2

export interface Slices {
  /** Rows that the next slice should look at. */
  size(): number
  /** Awaited after each slice: fits the size to the time that it took, and yields to the event loop when that is due. */
  yieldIfDue(): Promise<void>
}

/** Makes the slices of a search; a heavy one takes milliseconds a row. */
export type SlicesOf = (isHeavy?: boolean) => Slices

/** Sizes the slices of a long search, which yields to the event loop between them so that requests are answered. */
export function createSlices(isHeavy = false, { monotonic }: Pick<Clock, "monotonic"> = systemClock): Slices {
  const least = isHeavy ? 1 : LEAST_ROWS
  let size = isHeavy ? 1 : FIRST_ROWS
  let began = monotonic()
  let yielded = began
  return {
    size: () => size,
    async yieldIfDue() {
      const now = monotonic()
      const factor = SLICE_MS / Math.max(now - began, 0.01)
      size = Math.round(Math.min(MOST_ROWS, Math.max(least, size * Math.min(4, Math.max(0.25, factor)))))
      began = now
      if (now - yielded < YIELD_AFTER_MS) return
      await yieldToEventLoop()
      began = yielded = monotonic()
    },
  }
}
