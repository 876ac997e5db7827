// Whether a file holds anything that leaddb has not made: a trigger or a view acts when it is touched.
import { Database } from "bun:sqlite"
import { isOfMove } from "./follow-log.ts"
import { MIGRATIONS, migrate } from "./migrations.ts"

interface Part {
  type: string
  name: string
  sql: string | null
}

const PARTS = "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"

/** Tables that Litestream, up to version 0.5, creates in each database that it copies; it needs them unchanged. */
const LITESTREAM = new Map([
  ["_litestream_seq", "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)"],
  ["_litestream_lock", "CREATE TABLE _litestream_lock (id INTEGER)"],
])

/**
 * Describes the first part of a schema that differs from the migrations'; undefined for none. Litestream's two tables
 * are allowed, and the log of a move.
 */
export function foreignPart(db: Database, version: number): string | undefined {
  const isCurrent = version === MIGRATIONS.length
  const made = new Map([...madeBy(isCurrent ? 0 : version), ...madeBy(MIGRATIONS.length)])
  for (const { type, name, sql } of db.query<Part, []>(PARTS).all()) {
    if (LITESTREAM.get(name) === sql || isOfMove(name, sql)) continue
    const expected = made.get(name)
    if (!expected) return `it holds the ${type} "${name}", which is not leaddb's`
    // Tables of older versions differ by version.
    if (isCurrent && (expected.type !== type || asOne(expected.sql) !== asOne(sql)))
      return `its ${type} "${name}" is not as leaddb makes it`
  }
  return undefined
}

function madeBy(migrations: number): Map<string, Part> {
  const ours = new Database(":memory:")
  try {
    migrate(ours, MIGRATIONS.slice(0, migrations))
    const parts = ours.query<Part, []>(PARTS).all()
    return new Map(parts.map((part) => [part.name, part]))
  } finally {
    ours.close()
  }
}

function asOne(sql: string | null): string {
  return (sql ?? "").replace(/\s+/g, " ").trim()
}
