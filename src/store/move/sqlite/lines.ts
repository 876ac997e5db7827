// The rows of a file as lines, in the shape that both engines know.
import type { Database } from "bun:sqlite"
import type { TableRow } from "../../sql/schema/index.ts"
import { prepare } from "../../sqlite/connection/database.ts"
import { NAMED, ROW, type Row, recordOf } from "../../sqlite/trail/change-reads.ts"
import {
  type FactColumns,
  scoresOf,
  unpackFacts,
  unpackPushed,
  unpackText,
} from "../../sqlite/trail/trail-rows.ts"
import { stateOf } from "../../tables/leads/shape.ts"
import type { Key, MoveSource } from "../ends.ts"
import { encodeRow, type MovedCell } from "../lines.ts"
import { MOVED_SETTINGS, type MovedTable } from "../tables.ts"
import { countFiles, fileLines } from "./kept-files.ts"

/** Characters of lines that are handed on together, about. */
const CHARACTERS = 1_000_000

/** How a table is read where its columns are not a table's of its name. */
interface Reading {
  /** The FROM clause. */
  from?: string
  /** Columns that are read otherwise than by their names. */
  columns?: Readonly<Record<string, string>>
  where?: string
  /** Of a table that is kept in another shape: what is read, and the row that is made of it. */
  select?: string
  rowOf?: (row: never) => TableRow<"trail">
}

const READINGS: Readonly<Record<string, Reading>> = {
  leads: {
    from: "leads l JOIN lead_documents d ON d.rid = l.rid",
    columns: {
      rid: "l.rid",
      account_id: "l.account_id",
      tags: "json_array_length(d.data, '$.tags')",
      shape: "d.shape",
      data: "d.data",
    },
  },
  trail: {
    select: `t.account_id, ${ROW}, t.same, n.name AS attributes, s.state, s.notes`,
    from: `trail t CROSS ${NAMED} LEFT JOIN trail_names n ON n.key = t.attributes
      LEFT JOIN trail_states s ON s.account_id = t.account_id AND s.lead = t.lead AND s.seq = t.seq`,
    columns: { account_id: "t.account_id", seq: "t.seq" },
    rowOf: trailRow,
  },
  import_leads: {
    from: "import_leads l JOIN imports i ON i.rid = l.import",
    columns: { account_id: "i.account_id" },
  },
  settings: { where: `name IN (${MOVED_SETTINGS.map((name) => `'${name}'`).join(", ")})` },
}

type TrailRow = Row &
  Pick<FactColumns, "same" | "attributes"> & {
    account_id: number
    state: Uint8Array | null
    notes: Uint8Array | null
  }

/** A row of the trail in its declared shape. */
function trailRow(row: TrailRow): TableRow<"trail"> {
  const { account_id, created_at, state, notes } = row
  const record = recordOf(row)
  const { score: _, ...facts } = unpackFacts(row, created_at)
  const { before: score_before, after: score_after } = scoresOf(record.action, row)
  const pushed = unpackPushed(row)
  return {
    ...{ ...record, account_id, score_before, score_after },
    facts: Object.keys(facts).length > 0 ? JSON.stringify(facts) : null,
    // In one order, whichever way it is kept
    pushed: pushed ? JSON.stringify({ same: pushed.same.toSorted(), rest: pushed.rest }) : null,
    state: state && wholeText(unpackText(state)),
    notes: notes && unpackText(notes),
  }
}

/** A state with all fields, also those that came since it was kept. */
function wholeText(text: string): string {
  const { data, score } = stateOf(JSON.parse(text))
  return JSON.stringify({ ...data, score })
}

/** Reads rows of a table: all of them, or the one with a key. */
function reader(db: Database, table: MovedTable, isByKey: boolean) {
  const { from = table.name, columns = {}, where, select, rowOf } = READINGS[table.name] ?? {}
  // Names that would be read as something else are quoted.
  const read = (name: string) => columns[name] ?? `"${name}"`
  const tests = [where, ...(isByKey ? table.key.map((name) => `${read(name)} = ?`) : [])].filter(Boolean)
  const statement = prepare<never, MovedCell[]>(
    db,
    `SELECT ${select ?? table.columns.map(({ name }) => `${read(name)} AS "${name}"`).join(", ")} FROM ${from}
     ${tests.length > 0 ? `WHERE ${tests.join(" AND ")}` : ""}`,
  )
  return {
    rows: (...key: MovedCell[]): IterableIterator<never> => statement.iterate(...key),
    line: (row: never) => encodeRow(table, rowOf ? { ...rowOf(row) } : row),
  }
}

/** Finds the line of a row by its key; undefined where there is none. */
export function lineFinder(db: Database, table: MovedTable): (key: Key) => string | undefined {
  const { rows, line } = reader(db, table, true)
  return (key) => {
    const [row] = [...rows(...(key as MovedCell[]))]
    return row && line(row)
  }
}

export function sqliteLines(db: Database, folder: string): Pick<MoveSource, "count" | "lines"> {
  return {
    async count({ name }) {
      if (name === "kept_files") return countFiles(folder)
      return prepare<{ n: number }>(db, `SELECT count(*) AS n FROM ${name}`).get()!.n
    },
    lines: (table) => (table.name === "kept_files" ? fileLines(folder, table) : tableLines(db, table)),
  }
}

async function* tableLines(db: Database, table: MovedTable): AsyncGenerator<string[]> {
  const { rows, line } = reader(db, table, false)
  let [part, characters]: [string[], number] = [[], 0]
  for (const row of rows()) {
    const one = line(row)
    part.push(one)
    characters += one.length
    if (characters < CHARACTERS) continue
    yield part
    part = []
    characters = 0
  }
  if (part.length > 0) yield part
}
