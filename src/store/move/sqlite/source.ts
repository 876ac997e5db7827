// A file that is read from: nobody else has it open until it is closed.
import type { Database } from "bun:sqlite"
import { rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { migrate } from "../../sqlite/file/migrations.ts"
import { makeOwnSecret } from "../../sqlite/file/secrets.ts"
import { takeHold } from "../../sqlite/file/takeover.ts"
import { phoneNumbers } from "../../sqlite/search/phone-numbers.ts"
import { wordIndexing, wordsWaiting } from "../../sqlite/search/words.ts"
import type { MoveSource } from "../ends.ts"
import { sqliteLines } from "./lines.ts"

/** Rows of one transaction of what is still to be done behind the writes. */
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

/** What is done behind the writes: an engine that does it with the write has it done. */
function catchUp(db: Database): void {
  const inSteps = (isLeft: () => boolean, work: () => void) => {
    while (isLeft()) db.transaction(work).immediate()
  }
  const words = wordsWaiting(db)
  const index = wordIndexing(db)
  inSteps(
    () => words(1) > 0,
    () => index(STEP),
  )
  const phones = phoneNumbers(db, db)
  inSteps(
    () => phones.waiting() > 0,
    () => phones.fill(STEP),
  )
}
