// Rows of one table that are written, changed or removed together, by lists that are unfolded in the statement.
import type { Bulk, Cell, Columns } from "../../sql/bulk.ts"
import type { Params } from "../../sql/db.ts"
import { POSTGRES } from "../../sql/dialect.ts"

/** Writes the rows that were put off for it, in their order, mostly with one statement. */
export interface Sink<Row> {
  /** Sends its statements with `send`, which does not wait for them. */
  write(rows: readonly Row[], send: (sql: string, params?: Params) => void): void
  /** Makes room for the other sinks: it is sent before them. */
  isFirst?: boolean
}

type SinkRow = readonly Cell[]
type Send = (sql: string, params?: Params) => void

/** Rows of one statement: it takes a few hundred kilobytes. */
const ROWS = 500

export const LEAD_KEY = { account_id: "bigint", rid: "bigint" } as const

/** New rows. */
export function tableSink(table: string, columns: Columns, more = ""): Sink<SinkRow> {
  const text = `INSERT INTO ${table} (${Object.keys(columns).join(", ")}) SELECT * FROM ${lists(columns)} ${more}`
  return { write: inParts(text, Object.keys(columns).length) }
}

/** A statement about rows `r` with these columns, which may be there once each. */
export function statementSink(columns: Columns, ...statements: ((from: string) => string)[]): Sink<SinkRow> {
  const from = POSTGRES.rows(columns)
  const width = Object.keys(columns).length
  const parts = statements.map((statement) => inParts(statement(from), width))
  return {
    write(rows, send) {
      for (const part of parts) part(rows, send)
    },
  }
}

const sinks = new Map<Bulk, Sink<SinkRow>>()

/** The sink of statements that both engines have. */
export function sinkOf(bulk: Bulk): Sink<SinkRow> {
  let sink = sinks.get(bulk)
  if (!sink) {
    sink = statementSink(bulk.columns, ...bulk.statements)
    sinks.set(bulk, sink)
  }
  return sink
}

/** Rows that go, by these columns; before anything else is written. */
export function dropSink(table: string, columns: Columns, more = ""): Sink<SinkRow> {
  const is = Object.keys(columns).map((name, i) => `t.${name} = r.c${i}`)
  const names = is.map((_, i) => `c${i}`).join(", ")
  const text = `DELETE FROM ${table} t USING ${lists(columns)} AS r (${names}) WHERE ${is.join(" AND ")} ${more}`
  return { isFirst: true, write: inParts(text, is.length) }
}

/** Changed columns of a row, by name. */
interface Changed {
  account: number
  ref: number
  columns: readonly string[]
  values: SinkRow
}

/**
 * Rows in which different columns change, those with the same ones together; what changes in one row at several times is
 * one change. `also` says what a column sets besides itself.
 */
export function changeSink(table: string, types: Columns, also: Columns = {}): Sink<Changed> {
  const texts = new Map<string, string>()
  function textOf(key: string, columns: readonly string[]): string {
    let text = texts.get(key)
    if (!text) {
      const columnTypes = Object.fromEntries(columns.map((name) => [name, types[name]!]))
      const set = columns.flatMap((name) => [`${name} = r.${name}`, also[name] ?? []].flat()).join(", ")
      text = `UPDATE ${table} t SET ${set} FROM ${lists({ ...LEAD_KEY, ...columnTypes })} AS r (account_id, rid, ${columns.join(", ")})
        WHERE t.account_id = r.account_id AND t.rid = r.rid`
      if (texts.size < 1_000) texts.set(key, text)
    }
    return text
  }
  return {
    write(rows, send) {
      for (const [key, some] of Map.groupBy(together(rows), ({ columns }) => columns.join())) {
        const { columns } = some[0]!
        const whole = some.map(({ account, ref, values }) => [account, ref, ...values])
        inParts(textOf(key, columns), columns.length + 2)(whole, send)
      }
    },
  }
}

/** Each row once, with all that changes in it. */
function together(rows: readonly Changed[]): Changed[] {
  const each = new Map<string, Changed>()
  for (const row of rows) {
    const key = `${row.account} ${row.ref}`
    const one = each.get(key)
    const all = one && { columns: [...one.columns, ...row.columns], values: [...one.values, ...row.values] }
    each.set(key, { ...row, ...all })
  }
  return [...each.values()]
}

function lists(columns: Columns): string {
  return `unnest(${Object.values(columns)
    .map((type, i) => `$${i + 1}::${type}[]`)
    .join(", ")})`
}

function inParts(text: string, columns: number) {
  return (rows: readonly SinkRow[], send: Send) => {
    for (let at = 0; at < rows.length; at += ROWS) {
      const some = rows.slice(at, at + ROWS)
      send(
        text,
        Array.from({ length: columns }, (_, i) => some.map((row) => row[i] ?? null)),
      )
    }
  }
}
