import { Database } from "bun:sqlite"
import { dirname } from "node:path"
import { freeBytes, refuseUnfitting } from "../../shared/disk.ts"
import { migratedSchema } from "./migrations.ts"
import { prepareFile } from "./partial.ts"

/**
 * Copies a database, as of one moment and beside a running service, to `target`, whatever is there. Nobody ever sees
 * half a copy: it gets its name when it is whole, checked and on disk. Throws an Error when the file is not leaddb's,
 * the copy would not fit or is not sound.
 */
export function backUpDatabase(file: string, target: string, free = freeBytes): void {
  refuseUnfitting(contentBytes(file), dirname(target), free)
  prepareFile(target, (partial) => copyDatabase(file, partial))
}

/**
 * Copies a database into `target`, which must be missing or empty, and checks the copy. Throws an Error when the
 * file is not leaddb's or the copy is not sound.
 */
export function copyDatabase(file: string, target: string): void {
  reading(file, (db) => {
    migratedSchema(db)
    db.query("VACUUM INTO ?").run(target)
  })
  const problem = reading(target, firstDamage)
  if (problem !== undefined) {
    throw new Error(`the copy is not sound: ${problem}; see what leaddb check says of the database`)
  }
  beginEpoch(target)
}

/** Raises the epoch: the copy lacks later writes, so cursors of the trail are good for one file alone. */
function beginEpoch(file: string): void {
  const db = new Database(file, { readwrite: true, create: false })
  try {
    db.run("UPDATE settings SET value = randomblob(8) WHERE name = 'trail_epoch'")
  } finally {
    db.close()
  }
}

/** The first thing that is damaged in a database, in SQLite's words; undefined when nothing is. */
export function firstDamage(db: Database): string | undefined {
  const first = db.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").get()
  return first?.integrity_check === "ok" ? undefined : (first?.integrity_check ?? "it cannot be checked")
}

/** Bytes that a copy of a database takes. */
export function contentBytes(file: string): number {
  const sql =
    "SELECT (page_count - freelist_count) * page_size AS bytes FROM " +
    "pragma_page_count, pragma_freelist_count, pragma_page_size"
  return reading(file, (db) => db.query<{ bytes: number }, []>(sql).get()!.bytes)
}

/** Opens a database for one piece of reading. */
export function reading<T>(file: string, work: (db: Database) => T): T {
  // Without PRAGMA query_only, which refuses VACUUM INTO.
  const db = new Database(file, { readonly: true, strict: true })
  try {
    db.run("PRAGMA busy_timeout = 10000")
    return work(db)
  } finally {
    db.close()
  }
}
