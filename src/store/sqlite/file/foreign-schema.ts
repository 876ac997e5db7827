// Whether a file holds anything that leaddb has not made: a trigger or a view acts when it is touched.
import { Database } from "bun:sqlite"
import { MIGRATIONS, migrate } from "./migrations.ts"

interface Part {
  type: string
  name: string
  sql: string | null
}

const PARTS = "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"

/** What Litestream, of any version up to 0.5, makes in each database that it copies; it needs them as they are. */
const LITESTREAM = new Map([
  ["_litestream_seq", "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)"],
  ["_litestream_lock", "CREATE TABLE _litestream_lock (id INTEGER)"],
])

/**
 * What stands in a database's schema beside or unlike what its migrations make, in words; undefined when nothing does.
 * Litestream's two tables are let be.
 */
export function foreignPart(db: Database, version: number): string | undefined {
  const isCurrent = version === MIGRATIONS.length
  const made = new Map([...madeBy(isCurrent ? 0 : version), ...madeBy(MIGRATIONS.length)])
  for (const { type, name, sql } of db.query<Part, []>(PARTS).all()) {
    if (LITESTREAM.get(name) === sql) continue
    const own = made.get(name)
    if (!own) return `it holds the ${type} "${name}", which is not leaddb's`
    // What an older one looks like depends on how far it is.
    if (isCurrent && (own.type !== type || asOne(own.sql) !== asOne(sql)))
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
