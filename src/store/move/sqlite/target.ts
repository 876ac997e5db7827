// The file that a move fills. It has a temporary name until all rows are in it, so that no service opens it.
import { Database } from "bun:sqlite"
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { sync } from "../../shared/disk.ts"
import { migrate } from "../../sqlite/file/migrations.ts"
import { MOVED_ACTION, type MoveState, type MoveTarget } from "../ends.ts"
import { removeFiles, writeFiles } from "./kept-files.ts"
import { sqliteLines } from "./lines.ts"
import { createRowWrites } from "./rows.ts"

/** Indexes that the way itself looks things up by. */
const NEEDED = /^(trail_(leads|names|batches)_|leads_id$)/
const UNFINISHED = ".moving"

/**
 * Opens a file that a move begins or goes on with. Throws an Error that a person can act on when there is a database
 * already.
 */
export function openSqliteTarget(file: string, from: string): MoveTarget {
  if (existsSync(file)) {
    throw new Error(
      statSync(file).isDirectory()
        ? `${file} is a folder: name the file, such as ${join(file, "leads.db")}`
        : `${file} exists: name a file that does not, the move makes it`,
    )
  }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const partial = join(dirname(file), `.${basename(file)}${UNFINISHED}`)
  const folder = join(dirname(file), "imports")
  const db = openPartial(partial, from)
  const rows = createRowWrites(db)
  const inOne = (work: () => void) => db.transaction(work).immediate()

  return {
    place: file,
    state: stateIn(db),
    lines: sqliteLines(db, folder).lines,
    async write(table, lines) {
      if (table.name === "kept_files") writeFiles(folder, table, lines)
      else inOne(() => rows.write(table, lines))
    },
    async clear({ name }) {
      if (name === "kept_files") removeFiles(folder)
      else inOne(() => rows.clear(name))
    },
    async keep(state) {
      db.query(
        "INSERT INTO settings (name, value) VALUES ('moving', ?) ON CONFLICT DO UPDATE SET value = excluded.value",
      ).run(Buffer.from(JSON.stringify(state)))
    },
    indexes: async () => indexesOfNewFile().map(({ sql }) => sql),
    run: async (sql) => void db.run(sql),
    async complete() {
      db.run("INSERT OR IGNORE INTO duplicate_accounts (account_id) SELECT key FROM accounts")
    },
    async finish({ id, details, numbering }) {
      db.transaction(() => {
        db.query(
          `INSERT INTO settings (name, value) VALUES ('numbering', ?)
           ON CONFLICT DO UPDATE SET value = CAST(value || ',' || excluded.value AS BLOB)`,
        ).run(Buffer.from(numbering))
        db.run("DELETE FROM settings WHERE name = 'moving'")
        db.query(
          "INSERT INTO admin_log (account_id, id, action, details, created_at) VALUES (0, ?, ?, ?, unixepoch())",
        ).run(id, MOVED_ACTION, details)
      })()
      db.run("PRAGMA wal_checkpoint(TRUNCATE)")
      db.run("PRAGMA journal_mode = DELETE")
      db.close()
      sync(partial)
      renameSync(partial, file)
      sync(dirname(file))
    },
    async close() {
      db.close()
    },
  }
}

/** Resumes an earlier attempt from the same source; else begins anew, without indexes. */
function openPartial(partial: string, from: string): Database {
  if (existsSync(partial)) {
    const db = filling(partial)
    if (stateIn(db)?.from === from) return db
    db.close()
    for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(partial + end, { force: true })
  }
  const db = filling(partial)
  chmodSync(partial, 0o600)
  migrate(db)
  db.transaction(() => {
    for (const { name } of indexesOfNewFile()) db.run(`DROP INDEX ${name}`)
  })()
  return db
}

function filling(partial: string): Database {
  const db = new Database(partial, { create: true, readwrite: true, strict: true })
  try {
    // Keeps a second move out of the same file.
    db.run("PRAGMA locking_mode = EXCLUSIVE")
    db.run("PRAGMA journal_mode = WAL")
    db.run("PRAGMA synchronous = NORMAL")
    db.run("PRAGMA cache_size = -131072")
    db.run("PRAGMA wal_autocheckpoint = 16000")
    return db
  } catch (error) {
    db.close()
    throw new Error(
      `cannot write ${partial}: ${error instanceof Error ? error.message : error}; does another move fill it?`,
      { cause: error },
    )
  }
}

function stateIn(db: Database): MoveState | undefined {
  const isThere = db.query("SELECT 1 FROM sqlite_schema WHERE name = 'settings'").get() !== null
  if (!isThere) return undefined
  const row = db.query<{ value: Uint8Array }, []>("SELECT value FROM settings WHERE name = 'moving'").get()
  return row ? JSON.parse(Buffer.from(row.value).toString()) : undefined
}

/** The indexes that are made after all rows are in. */
function indexesOfNewFile(): { name: string; sql: string }[] {
  using db = new Database(":memory:", { strict: true })
  migrate(db)
  return db
    .query<{ name: string; sql: string }, []>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY rowid",
    )
    .all()
    .filter(({ name }) => !NEEDED.test(name))
}
