// The file that a move reads from. It is held exclusively until the move closes it.
import { Database } from "bun:sqlite"
import { rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { alreadyMoved } from "../../shared/moved-away.ts"
import {
  beginLog,
  endLog,
  FOLLOWED,
  hasLog,
  holdMoveLock,
  movedTo,
  openLog,
  setMovedTo,
} from "../../sqlite/file/follow-log.ts"
import { MIGRATIONS, migrate, migratedSchema } from "../../sqlite/file/migrations.ts"
import { makeOwnSecret } from "../../sqlite/file/secrets.ts"
import { takeHold } from "../../sqlite/file/takeover.ts"
import type { ChangedRows, LiveSource, MoveSource } from "../ends.ts"
import type { MovedCell } from "../lines.ts"
import { lineFinder, sqliteLines } from "./lines.ts"

/**
 * Takes hold of a file, and brings it up to date as a service would. Undefined while anybody else has it open. Throws an
 * Error that a person can act on when it has been moved to another place than `to`.
 */
export function openSqliteSource(file: string, to: string): MoveSource | undefined {
  const held = takeHold(file, false, true)
  if (!held) return undefined
  const { db, release } = held
  if (!db) throw new Error(`${file} is damaged: see leaddb check`)
  try {
    const place = movedTo(db)
    if (place !== undefined && place !== to) throw alreadyMoved(file, place)
    db.run("PRAGMA journal_mode = DELETE")
    db.run("PRAGMA synchronous = FULL")
    db.run("PRAGMA cache_size = -65536")
    migrate(db)
    makeOwnSecret(db)
    endLog(db)
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

/**
 * Opens a file beside those who use it. Throws an Error that a person can act on when another move has it, when its schema is
 * another one, and when it has been moved to another place than `to`.
 */
export function openLiveSource(file: string, to: string): LiveSource {
  const lock = holdMoveLock(file)
  if (!lock) throw new Error(`${file} is being moved by another leaddb move`)
  const opened: Database[] = []
  const close = () => {
    for (const db of opened) db.close()
    lock.release()
  }
  try {
    const writer = openBeside(file)
    opened.push(writer)
    const reader = openBeside(file)
    opened.push(reader)
    if (migratedSchema(writer) !== MIGRATIONS.length)
      throw new Error(`${file} is of an older leaddb: start the service once, it brings the file up to date`)
    const place = movedTo(writer)
    if (place !== undefined && place !== to) throw alreadyMoved(file, place)
    return liveSource({ file, writer, reader, movedTo: place, close })
  } catch (error) {
    close()
    throw error
  }
}

function openBeside(file: string): Database {
  const db = new Database(file, { readwrite: true, create: false, strict: true })
  db.run("PRAGMA busy_timeout = 10000")
  db.run("PRAGMA journal_mode = WAL")
  db.run("PRAGMA foreign_keys = ON")
  db.run("PRAGMA synchronous = FULL")
  db.run("PRAGMA trusted_schema = OFF")
  db.run("PRAGMA cache_size = -65536")
  db.run("PRAGMA journal_size_limit = 67108864")
  return db
}

interface Live {
  file: string
  writer: Database
  reader: Database
  movedTo: string | undefined
  close(): void
}

/** Keys of changed rows that are carried together. */
const TOGETHER = 1_000

function liveSource({ file, writer, reader, movedTo, close }: Live): LiveSource {
  const folder = join(dirname(file), "imports")
  let isFollowed = false
  // Whoever holds the file reads what it is about to commit.
  const now = () => (writer.inTransaction ? writer : reader)

  function asOfNow(): void {
    reader.run("BEGIN")
    reader.query("SELECT 1 FROM settings LIMIT 1").get()
  }

  function changedRows(db: Database, until: number): ChangedRows {
    const log = openLog(db)
    const finders = new Map<string, (key: readonly MovedCell[]) => string | undefined>()
    return {
      keys: ({ name }) => (name in FOLLOWED ? log.keys(name, until, TOGETHER) : []),
      lines(table, keys) {
        const find = finders.getOrInsertComputed(table.name, () => lineFinder(db, table))
        return keys.flatMap((key) => find(key) ?? [])
      },
    }
  }

  return {
    place: file,
    movedTo,
    count: (table) => sqliteLines(now(), folder).count(table),
    lines: (table, after) => sqliteLines(now(), folder).lines(table, after),
    async follow() {
      writer.transaction(() => beginLog(writer)).immediate()
      isFollowed = true
      asOfNow()
    },
    async changes(work) {
      if (reader.inTransaction) reader.run("COMMIT")
      const db = now()
      if (db === reader) asOfNow()
      const until = openLog(db).last()
      const count = openLog(db).count(until)
      await work(changedRows(db, until))
      if (db === reader) reader.run("COMMIT")
      openLog(writer).forget(until)
      return count
    },
    async hold() {
      writer.run("BEGIN IMMEDIATE")
    },
    async handOver(place) {
      endLog(writer)
      setMovedTo(writer, place)
      writer.run("COMMIT")
      isFollowed = false
    },
    async close() {
      if (reader.inTransaction) reader.run("ROLLBACK")
      if (writer.inTransaction) writer.run("ROLLBACK")
      if (isFollowed) writer.transaction(() => endLog(writer)).immediate()
      close()
    },
  }
}

/** Takes a file into use again that was moved, or that a move was about to. Answers with where it had been moved to. */
export function cancelMove(file: string): { movedTo: string | undefined; wasFollowed: boolean } {
  const lock = holdMoveLock(file)
  if (!lock) throw new Error(`${file} is being moved at the moment: stop that leaddb move first`)
  try {
    const db = openBeside(file)
    try {
      migratedSchema(db)
      return db
        .transaction(() => {
          const found = { movedTo: movedTo(db), wasFollowed: hasLog(db) }
          endLog(db)
          setMovedTo(db, undefined)
          return found
        })
        .immediate()
    } finally {
      db.close()
    }
  } finally {
    lock.release()
  }
}
