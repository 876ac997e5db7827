// The rows of a file as lines, in the shape that both engines know.
import type { Database } from "bun:sqlite"
import { CHANGE_ACTIONS } from "../../contract/changes.ts"
import { prepare } from "../../sqlite/connection/database.ts"
import {
  type FactColumns,
  scoresOf,
  unpackFacts,
  unpackPushed,
  unpackText,
} from "../../sqlite/trail/facts.ts"
import { NAMED, ROW, type Row } from "../../sqlite/trail/rows.ts"
import { stateOf } from "../../tables/leads/shape.ts"
import { unpackId } from "../../tables/trail/ids.ts"
import type { MoveSource } from "../ends.ts"
import { type Cells, encodeLine, type MovedCell } from "../lines.ts"
import { MOVED_SETTINGS, type MovedTable } from "../tables.ts"
import { countFiles, fileLines } from "./kept-files.ts"

// The trail of a file as lines: each account's from its newest change to its oldest.
const ROWS = 2_000

type Line = Row &
  Pick<FactColumns, "same" | "attributes"> & { state: Uint8Array | null; notes: Uint8Array | null }

const rowsWhere = (test: string) =>
  `SELECT ${ROW}, t.same, n.name AS attributes, s.state, s.notes FROM trail t CROSS ${NAMED}
   LEFT JOIN trail_names n ON n.key = t.attributes
   LEFT JOIN trail_states s ON s.account_id = t.account_id AND s.lead = t.lead AND s.seq = t.seq
   WHERE ${test}`

/** Finds the line of a change by its account and number. */
function trailLineFinder(db: Database, table: MovedTable): (key: readonly MovedCell[]) => string | undefined {
  const find = prepare<Line>(db, rowsWhere("t.account_id = ? AND t.seq = ?"))
  return ([account, seq]) => {
    const row = find.get(account as number, seq as number)
    return row ? encodeLine(table, cellsOf(account as number, row)) : undefined
  }
}

async function* trailLines(
  db: Database,
  table: MovedTable,
  after: readonly MovedCell[] | undefined,
): AsyncGenerator<string[]> {
  const accounts = prepare<{ key: number }, []>(db, "SELECT key FROM accounts ORDER BY key").all()
  const rows = prepare<Line>(
    db,
    rowsWhere(`t.account_id = ? AND t.seq < ? ORDER BY t.seq DESC LIMIT ${ROWS}`),
  )
  const [lastAccount, lastSeq] = (after ?? [0, 0]) as [number, number]
  for (const { key: account } of accounts) {
    if (account < lastAccount) continue
    for (let below = account === lastAccount ? lastSeq : Number.MAX_SAFE_INTEGER; ; ) {
      const found = rows.all(account, below)
      if (found.length > 0) yield found.map((row) => encodeLine(table, cellsOf(account, row)))
      if (found.length < ROWS) break
      below = found.at(-1)!.seq
    }
  }
}

function cellsOf(account: number, row: Line): Cells {
  const { seq, id, reason, actor_id, key_id, batch_id, import_id, created_at, state, notes } = row
  const action = CHANGE_ACTIONS[row.action]!
  const { score: _, ...facts } = unpackFacts(row, created_at)
  const { before, after } = scoresOf(action, row)
  const pushed = unpackPushed(row)
  return [
    ...[account, seq, id, unpackId(row.lead_id, "cl_"), action, reason, actor_id ?? "", key_id],
    ...[batch_id === null ? null : unpackId(batch_id, ""), import_id, created_at],
    ...[Object.keys(facts).length > 0 ? JSON.stringify(facts) : null, before, after],
    // In one order, whichever way it is kept
    pushed ? JSON.stringify({ same: pushed.same.toSorted(), rest: pushed.rest }) : null,
    state && wholeText(unpackText(state)),
    notes && unpackText(notes),
  ]
}

/** A state with all fields, also those that came since it was kept. */
function wholeText(text: string): string {
  const { data, score } = stateOf(JSON.parse(text))
  return JSON.stringify({ ...data, score })
}

/** Characters of lines that are handed on together, about, and rows that are read at most. */
const CHARACTERS = 1_000_000
const ROWS_MOST = 4_000

type Bound = string | number | Uint8Array | null

interface Reading {
  /** The FROM clause. */
  from: string
  /** Columns that are read otherwise than by their names. */
  columns: Readonly<Record<string, string>>
  /** The columns that rows are sorted by, where it is not the key. */
  order?: readonly string[]
  where?: string
}

const SETTINGS = MOVED_SETTINGS.map((name) => `'${name}'`).join(", ")

const READINGS: Readonly<Record<string, Partial<Reading>>> = {
  leads: {
    from: "leads l JOIN lead_documents d ON d.rid = l.rid",
    columns: {
      rid: "l.rid",
      account_id: "l.account_id",
      tags: "json_array_length(d.data, '$.tags')",
      shape: "d.shape",
      data: "d.data",
    },
    order: ["rid"],
  },
  lead_scores: { order: ["rid"] },
  import_leads: {
    from: "import_leads l JOIN imports i ON i.rid = l.import",
    columns: { account_id: "i.account_id" },
    order: ["lead", "import"],
  },
  settings: { where: `name IN (${SETTINGS})` },
}

/** Names that would be read as something else. */
const quoted = (name: string) => `"${name}"`

export function sqliteLines(db: Database, folder: string): Pick<MoveSource, "count" | "lines"> {
  return {
    async count({ name }) {
      if (name === "kept_files") return countFiles(folder)
      const sql =
        name === "trail"
          ? "SELECT coalesce(sum(trail_head - trail_floor), 0) AS n FROM accounts"
          : `SELECT count(*) AS n FROM ${name}`
      return prepare<{ n: number }>(db, sql).get()!.n
    },
    lines(table, after) {
      if (table.name === "kept_files") return fileLines(folder, table, after)
      if (table.name === "trail") return trailLines(db, table, after)
      return tableLines(db, table, after)
    },
  }
}

/** Finds the line of a row by its key; undefined where there is none. */
export function lineFinder(
  db: Database,
  table: MovedTable,
): (key: readonly MovedCell[]) => string | undefined {
  if (table.name === "trail") return trailLineFinder(db, table)
  const { from, where, read } = readingOf(table)
  const tests = [where, ...table.key.map((name) => `${read({ name })} = ?`)].filter(Boolean)
  const row = prepare<never, Bound[]>(
    db,
    `SELECT ${table.columns.map(read).join(", ")} FROM ${from} WHERE ${tests.join(" AND ")}`,
  )
  return (key) => {
    const [cells] = row.values(...(key as Bound[])) as Cells[]
    return cells && encodeLine(table, cells)
  }
}

function readingOf(table: MovedTable) {
  const { from = table.name, columns = {}, order = table.key, where } = READINGS[table.name] ?? {}
  return { from, order, where, read: ({ name }: { name: string }) => columns[name] ?? quoted(name) }
}

async function* tableLines(
  db: Database,
  table: MovedTable,
  after: readonly MovedCell[] | undefined,
): AsyncGenerator<string[]> {
  const { from, order, where, read } = readingOf(table)
  const by = order.map((name) => read({ name })).join(", ")
  const rows = (isBehind: boolean) => {
    const tests = [where, isBehind && `(${by}) > (${order.map(() => "?").join(", ")})`].filter(Boolean)
    return prepare<never, Bound[]>(
      db,
      `SELECT ${table.columns.map(read).join(", ")} FROM ${from}
       ${tests.length > 0 ? `WHERE ${tests.join(" AND ")}` : ""} ORDER BY ${by} LIMIT ?`,
    )
  }
  const places = order.map((name) => table.columns.findIndex((column) => column.name === name))
  let place = after && order.map((name) => after[table.key.indexOf(name)] as Bound)
  for (let most = 500; ; ) {
    const found = rows(place !== undefined).values(...(place ?? []), most) as Cells[]
    if (found.length === 0) return
    const lines = found.map((cells) => encodeLine(table, cells))
    yield lines
    if (found.length < most) return
    place = places.map((i) => found.at(-1)![i] as Bound)
    const characters = lines.reduce((sum, line) => sum + line.length, 0)
    most = Math.min(ROWS_MOST, Math.max(1, Math.floor((most * CHARACTERS) / characters)))
  }
}
