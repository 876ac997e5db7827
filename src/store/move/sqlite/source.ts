// The file that a move reads: held exclusively where nobody has it open, else beside those who use it.
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
import type { ChangedRows, Key, MoveSource } from "../ends.ts"
import { lineFinder, sqliteLines } from "./lines.ts"

/** Keys of changed rows that are carried together. */
const TOGETHER = 1_000

interface Wish {
  /** Where the data goes. */
  to: string
  /** Whether others go on writing. */
  isOnline: boolean
}

/**
 * Opens a file. Where nobody has it open and others need not write, it is brought up to date as by a service. Throws an Error
 * that a person can act on when it is damaged or of another schema, when another move has it, and when it has been moved to
 * another place than `to`.
 */
export function openSqliteSource(file: string, { to, isOnline }: Wish): MoveSource {
  return (isOnline ? undefined : sourceAlone(file, to)) ?? sourceBeside(file, { to, isOnline })
}

function refuseMoved(db: Database, file: string, to: string): string | undefined {
  const place = movedTo(db)
  if (place !== undefined && place !== to) throw alreadyMoved(file, place)
  return place
}

const filesOf = (file: string) => join(dirname(file), "imports")

/** Undefined while anybody else has the file open. */
function sourceAlone(file: string, to: string): MoveSource | undefined {
  const held = takeHold(file, false, true)
  if (!held) return undefined
  const { db, release } = held
  if (!db) throw new Error(`${file} is damaged: see leaddb check`)
  try {
    refuseMoved(db, file, to)
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
    ...sqliteLines(db, filesOf(file)),
    async close() {
      // A database that is held alone keeps its journal, with nothing in it, for the next transaction.
      rmSync(`${file}-journal`, { force: true })
      release()
    },
  }
}

function sourceBeside(file: string, { to, isOnline }: Wish): MoveSource {
  const lock = holdMoveLock(file)
  if (!lock) throw new Error(`${file} is being moved by another leaddb move`)
  const opened: Database[] = []
  const open = () => {
    const db = openBeside(file)
    opened.push(db)
    return db
  }
  const close = () => {
    for (const db of opened) db.close()
    lock.release()
  }
  try {
    const [writer, reader] = [open(), open()]
    if (migratedSchema(writer) !== MIGRATIONS.length)
      throw new Error(`${file} is of an older leaddb: start the service once, it brings the file up to date`)
    const isMoved = refuseMoved(writer, file, to) !== undefined
    return besideOthers(file, { writer, reader, close }, isOnline && !isMoved)
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

interface Connections {
  writer: Database
  reader: Database
  close(): void
}

function besideOthers(file: string, { writer, reader, close }: Connections, isLive: boolean): MoveSource {
  let isFollowed = false
  // Whoever holds the file reads what it is about to commit.
  const lines = () => sqliteLines(writer.inTransaction ? writer : reader, filesOf(file))

  function hold(): void {
    source.heldSince = performance.now()
    writer.run("BEGIN IMMEDIATE")
  }

  function asOfNow(): void {
    reader.run("BEGIN")
    reader.query("SELECT 1 FROM settings LIMIT 1").get()
  }

  const source: MoveSource = {
    place: file,
    count: (table) => lines().count(table),
    lines: (table) => lines().lines(table),
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
  if (!isLive) {
    hold()
    return source
  }
  source.live = {
    hold,
    async follow() {
      writer.transaction(() => beginLog(writer)).immediate()
      isFollowed = true
      asOfNow()
    },
    async changes(work) {
      if (reader.inTransaction) reader.run("COMMIT")
      const db = writer.inTransaction ? writer : reader
      if (db === reader) asOfNow()
      const log = openLog(db)
      const until = log.last()
      const count = log.count(until)
      await work(changedRows(db, until))
      if (db === reader) reader.run("COMMIT")
      openLog(writer).forget(until)
      return count
    },
  }
  return source
}

function changedRows(db: Database, until: number): ChangedRows {
  const log = openLog(db)
  const finders = new Map<string, (key: Key) => string | undefined>()
  return {
    keys: ({ name }) => (name in FOLLOWED ? log.keys(name, until, TOGETHER) : []),
    lines(table, keys) {
      const find = finders.getOrInsertComputed(table.name, () => lineFinder(db, table))
      return keys.flatMap((key) => find(key) ?? [])
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
