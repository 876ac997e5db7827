import type { Database } from "bun:sqlite"
import before2 from "../../../../drizzle/before-2.0.sql" with { type: "text" }
import { dropViews, makeViews, VIEWS } from "../../sql/views.ts"
import { convertTrail } from "../trail/convert.ts"
import { isOfMove } from "./follow-log.ts"
import newFile from "./new-file.sql" with { type: "text" }

/** Marks the file as ours (SQLite's `application_id`): the letters "LEAD". */
const APPLICATION_ID = 0x4c454144

interface Migration {
  name: string
  sql: string
  /** Work that SQL cannot do, after it, in the same transaction. */
  work?: ((db: Database) => void) | undefined
}

/** Work of migrations that SQL cannot do. */
const WORKS: Readonly<Record<string, Migration["work"]>> = { "0023_trail_rows": convertTrail }

/** They stand in one file, each behind a line with its name. */
const BEFORE_2 = before2
  .split("-- migration ")
  .slice(1)
  .map((part) => {
    const end = part.indexOf("\n")
    const name = part.slice(0, end)
    return { name, sql: part.slice(end + 1), work: WORKS[name] }
  })

/** In order; the file's `user_version` is how many of them it has. */
export const MIGRATIONS: readonly Migration[] = [...BEFORE_2]

/**
 * Brings the file to this executable's schema, each migration in an IMMEDIATE transaction of its own, all of them in one
 * where the file is new: every commit waits for the disk. Throws as `migratedSchema`, and when a migration fails.
 * A new file is made by one script of what all of them come to, unless `replay`: it takes 3 ms instead of 35.
 */
export function migrate(
  db: Database,
  migrations = MIGRATIONS,
  now = Date.now(),
  replay = migrations !== MIGRATIONS,
): void {
  const version = migratedSchema(db, migrations)
  const todo = migrations.slice(version).map((migration, i) => ({ ...migration, version: version + i + 1 }))
  const groups = version === 0 ? [todo] : todo.map((one) => [one])
  for (const group of groups) apply(db, group, { now, script: replay ? undefined : newFile })
}

/**
 * How many migrations the file has, 0 for an empty one. Throws an Error that a person can act on when the file is
 * not leaddb's, is newer than this executable, or was migrated by other SQL.
 */
export function migratedSchema(db: Database, migrations = MIGRATIONS): number {
  // One snapshot: another process may be making the file at this moment.
  return db.transaction(() => readSchema(db, migrations)).deferred()
}

function readSchema(db: Database, migrations: readonly Migration[]): number {
  const { user_version: version } = db.query<{ user_version: number }, []>("PRAGMA user_version").get()!
  refuseForeign(db, version)
  if (version > migrations.length) {
    throw new Error(
      `the database is of a newer leaddb (schema ${version}, this executable knows ${migrations.length}): ` +
        "run the newer executable, or restore a backup made before the upgrade",
    )
  }
  refuseActing(db)
  checkHashes(db, migrations.slice(0, version))
  return version
}

/** What acts by itself, but for the log of a move, was put in by somebody else, and so was a view of another name. */
function refuseActing(db: Database): void {
  const acting = db.query<{ type: string; name: string; sql: string }, []>(
    "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view')",
  )
  const isOurs = ({ type, name, sql }: { type: string; name: string; sql: string }) =>
    type === "view" ? (VIEWS as readonly string[]).includes(name) : isOfMove(name, sql)
  const stranger = acting.all().find((one) => !isOurs(one))
  if (stranger)
    throw new Error(
      `the database holds the ${stranger.type} "${stranger.name}", which is not leaddb's: do not use it`,
    )
}

function refuseForeign(db: Database, version: number): void {
  if (isForeign(db, version)) throw new Error("the file is an SQLite database of another program")
}

/** Whether the file is another program's database; an empty one is nobody's. */
export function isForeign(db: Database, version = 0): boolean {
  const { application_id: id } = db.query<{ application_id: number }, []>("PRAGMA application_id").get()!
  if (id === APPLICATION_ID) return false
  const { tables } = db.query<{ tables: number }, []>("SELECT count(*) AS tables FROM sqlite_schema").get()!
  return version > 0 || tables > 0
}

function checkHashes(db: Database, applied: readonly Migration[]): void {
  if (applied.length === 0) return
  const rows = db
    .query<{ name: string; sha256: string }, []>("SELECT name, sha256 FROM migrations ORDER BY version")
    .all()
  for (const [i, migration] of applied.entries()) {
    if (rows[i]?.sha256 === sha256(migration.sql)) continue
    throw new Error(
      `migration ${migration.name} in the database differs from this executable's: ` +
        "the file was migrated by another build; run that one, or restore a backup",
    )
  }
}

type Numbered = Migration & { version: number }

interface How {
  now: number
  /** What all migrations come to in a new file. */
  script: string | undefined
}

/** Applies those that the file lacks: another process may be at it, too. */
function apply(db: Database, group: readonly Numbered[], { now, script }: How): void {
  db.run("BEGIN IMMEDIATE")
  let at = "of a new file"
  try {
    const { user_version: current } = db.query<{ user_version: number }, []>("PRAGMA user_version").get()!
    const todo = group.filter(({ version }) => version > current)
    const made = current === 0 ? script : undefined
    if (current === 0) makeOurs(db)
    if (todo.length > 0) db.run(dropViews())
    if (made !== undefined) db.run(made)
    for (const migration of todo) {
      at = migration.name
      if (made === undefined) change(db, migration)
      note(db, migration, now)
    }
    // A migration may change what they read: they come back behind the last one.
    if (todo.at(-1)?.name === MIGRATIONS.at(-1)?.name) db.run(makeViews("sqlite"))
    if (todo.length > 0) db.run(`PRAGMA user_version = ${todo.at(-1)!.version}`)
    db.run("COMMIT")
  } catch (error) {
    if (db.inTransaction) db.run("ROLLBACK")
    throw new Error(`migration ${at} failed: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  }
}

function makeOurs(db: Database): void {
  db.run(`PRAGMA application_id = ${APPLICATION_ID}`)
  db.run(
    "CREATE TABLE migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT",
  )
}

function change(db: Database, { sql, work }: Numbered): void {
  db.run(sql)
  work?.(db)
}

function note(db: Database, { name, sql, version }: Numbered, now: number): void {
  db.query("INSERT INTO migrations VALUES (?, ?, ?, ?)").run(
    version,
    name,
    sha256(sql),
    Math.floor(now / 1000),
  )
}

function sha256(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex")
}
