// What a push writes, without the push: the rows of leads in every table, to be inserted again by prepared statements.
import type { Database, SQLQueryBindings, Statement } from "bun:sqlite"

interface Table {
  name: string
  /** The column that grows with every row. */
  key: string
  columns: string[]
}

/** The rows of one batch, by table. */
type RawBatch = Map<string, SQLQueryBindings[][]>

/** The tables that a push writes: those whose rows have a number of their own or of their lead. */
function tablesOf(db: Database): Table[] {
  const tables = db
    .query<{ name: string }, []>(
      // As they were made: a table refers to earlier ones only.
      `SELECT s.name FROM sqlite_schema s JOIN pragma_table_list l ON l.schema = 'main' AND l.name = s.name
       WHERE l.type IN ('table', 'virtual') ORDER BY s.rowid`,
    )
    .all()
  return tables.flatMap(({ name }) => {
    const columns = db
      .query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?)")
      .all(name)
      .map((column) => column.name)
    return columns.includes("rid") ? [{ name, key: "rid", columns }] : []
  })
}

/** How far each table goes. */
function ends(db: Database): Map<string, number> {
  return new Map(
    tablesOf(db).map(({ name, key }) => {
      const sql = `SELECT coalesce(max(${key}), 0) AS last FROM ${name}`
      return [name, db.query<{ last: number }, []>(sql).get()!.last]
    }),
  )
}

/**
 * The rows that `work` adds, in `batches` equal parts. They follow each other in every table, since a batch is one
 * transaction.
 */
export async function rowsOf(db: Database, batches: number, work: () => Promise<void>): Promise<RawBatch[]> {
  const before = ends(db)
  await work()
  const after = ends(db)
  const found: RawBatch[] = Array.from({ length: batches }, () => new Map())
  for (const { name, key, columns } of tablesOf(db)) {
    // By the numbers themselves: a lead has several tags, or none.
    const [from, to] = name.startsWith("lead")
      ? [before.get("leads")!, after.get("leads")!]
      : [before.get(name)!, after.get(name)!]
    const sql = `SELECT ${columns.join(", ")} FROM ${name} WHERE ${key} > ? AND ${key} <= ? ORDER BY ${key}`
    const rows = db.query<Record<string, SQLQueryBindings>, [number, number]>(sql)
    for (const [i, batch] of found.entries()) {
      const bound = (part: number) => from + Math.round(((to - from) * part) / batches)
      const values = rows.all(bound(i), bound(i + 1)).map((row) => columns.map((column) => row[column]!))
      if (values.length > 0) batch.set(name, values)
    }
  }
  return found
}

/** Inserts batches of rows, a transaction each. */
export function rawInserter(db: Database): (batches: readonly RawBatch[]) => void {
  const inserts = new Map<string, Statement>()
  for (const { name, columns } of tablesOf(db)) {
    const marks = columns.map(() => "?").join(", ")
    inserts.set(name, db.prepare(`INSERT INTO ${name} (${columns.join(", ")}) VALUES (${marks})`))
  }
  const insert = db.transaction((batch: RawBatch) => {
    for (const [name, rows] of batch) {
      const statement = inserts.get(name)!
      for (const row of rows) statement.run(...row)
    }
  })
  return (batches) => {
    for (const batch of batches) insert.immediate(batch)
  }
}
