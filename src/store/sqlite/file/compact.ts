import { Database } from "bun:sqlite"
import { dirname } from "node:path"
import { refuseUnfitting, sizeOf } from "../../shared/disk.ts"
import type { Compaction, FileUse } from "../../shared/file-care.ts"
import { sqliteCode } from "../../shared/sqlite-code.ts"
import { indexFile, inodeOf, openIndexWriter, removeIndex } from "../derived/file.ts"
import { contentBytes, reading } from "./copy.ts"
import { migrate } from "./migrations.ts"

/** How long this waits for the service's writes. */
const BUSY_MS = 10_000

/** Full-text tables of the derived file. */
const TEXT_TABLES = ["lead_words", "lead_texts"]

/** Groups of tables and their indexes, by name. */
const GROUPS: readonly [keyof Omit<FileUse, "free">, RegExp][] = [
  ["trail", /^(trail|changes|sqlite_autoindex_trail)/],
  ["outbox", /^(events|deliveries|sqlite_autoindex_(events|deliveries))/],
  ["leads", /^(lead|notes|sqlite_autoindex_(lead|notes))/],
]

/** How many bytes of a file are whose. Reads every page's place, a second for each gigabyte. */
export function fileUse(file: string): FileUse {
  return reading(file, (db) => {
    const rows = db
      .query<{ name: string; bytes: number }, []>(
        "SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name",
      )
      .all()
    const use: FileUse = { leads: 0, trail: 0, outbox: 0, other: 0, free: 0 }
    for (const { name, bytes } of rows) {
      const [group = "other" as const] = GROUPS.find(([, names]) => names.test(name)) ?? []
      use[group] += bytes
    }
    const free = "SELECT freelist_count * page_size AS bytes FROM pragma_freelist_count, pragma_page_size"
    return { ...use, free: db.query<{ bytes: number }, []>(free).get()!.bytes }
  })
}

/**
 * Gives back the room that a file does not need, beside a running service. What is written meanwhile waits, about a
 * second for each 200 MB. Throws an Error that a person can act on when there is no room for it.
 */
export async function compactDatabase(
  file: string,
  tell: (step: Compaction) => void,
): Promise<{ before: number; after: number }> {
  const before = sizeOf(file)
  const db = new Database(file, { readwrite: true, create: false, strict: true })
  try {
    db.run(`PRAGMA busy_timeout = ${BUSY_MS}`)
    db.run("PRAGMA synchronous = FULL")
    migrate(db)
    refuseUnfitting(contentBytes(file), dirname(file))
    tell("writing")
    db.run("VACUUM")
    db.run("PRAGMA wal_checkpoint(TRUNCATE)")
    compactIndex(file)
    tell("written")
    return { before, after: sizeOf(file) }
  } finally {
    db.close()
  }
}

/** Rids the derived tables of what they had of leads that are gone: their rows are marked until they are written anew. */
function compactIndex(file: string): void {
  if (inodeOf(indexFile(file)) === undefined) return
  const db = openIndexWriter(file)
  try {
    db.run(`PRAGMA busy_timeout = ${BUSY_MS}`)
    db.run("UPDATE index_state SET clean = 0")
    for (const table of TEXT_TABLES) db.run(`INSERT INTO ${table} (${table}) VALUES ('optimize')`)
    db.run("VACUUM")
    db.run("PRAGMA wal_checkpoint(TRUNCATE)")
  } catch (error) {
    if (sqliteCode(error)?.startsWith("SQLITE_BUSY")) throw error
    // Damaged or of another version: it is made anew.
    removeIndex(file)
  } finally {
    db.close()
  }
}
