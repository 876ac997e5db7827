// The file that a move reads from. It is held exclusively until the move closes it.
import type { Database } from "bun:sqlite"
import { rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { migrate } from "../../sqlite/file/migrations.ts"
import { makeOwnSecret } from "../../sqlite/file/secrets.ts"
import { takeHold } from "../../sqlite/file/takeover.ts"
import { phoneNumbers } from "../../sqlite/search/phone-numbers.ts"
import type { MoveSource } from "../ends.ts"
import { sqliteLines } from "./lines.ts"

/** Rows that one transaction of the catching up takes. */
const STEP = 1_000

/**
 * Takes hold of a file, and brings it up to date as a service would. Throws an Error that a person can act on while anybody
 * else has it open.
 */
export function openSqliteSource(file: string): MoveSource {
  const { db, release } = takeHold(file, false)
  if (!db) throw new Error(`${file} is damaged: see leaddb check`)
  try {
    db.run("PRAGMA journal_mode = DELETE")
    db.run("PRAGMA synchronous = FULL")
    db.run("PRAGMA cache_size = -65536")
    migrate(db)
    makeOwnSecret(db)
    catchUp(db)
  } catch (error) {
    release()
    throw error
  }
  return {
    place: file,
    ...sqliteLines(db, join(dirname(file), "imports")),
    async close() {
      // A database that is held alone keeps its journal, with nothing in it, for the next transaction.
      rmSync(`${file}-journal`, { force: true })
      release()
    },
  }
}

/** Finishes what a service defers: PostgreSQL does it with each write. */
function catchUp(db: Database): void {
  const phones = phoneNumbers(db, db)
  while (phones.waiting() > 0) db.transaction(() => phones.fill(STEP)).immediate()
}
