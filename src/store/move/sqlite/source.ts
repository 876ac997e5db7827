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
export function openSqliteSource(file: string, wish: Wish): MoveSource {
  return (wish.isOnline ? undefined : sourceAlone(file, wish)) ?? sourceBeside(file, wish)
}

/** Where the data has been moved to, which an earlier attempt may have noted. */
function placeBefore(db: Database, file: string, to: string): string | undefined {
  const place = movedTo(db)
  if (place !== undefined && place !== to) throw alreadyMoved(file, place)
  return place
}

const filesOf = (file: string) => join(dirname(file), "imports")

/** Undefined while anybody else has the file open. */
function sourceAlone(file: string, { to }: Wish): MoveSource | undefined {
  const held = takeHold(file, false, true)
  if (!held) return undefined
  using opened = new DisposableStack()
  opened.defer(held.release)
  const { db } = held
  if (!db) throw new Error(`${file} is damaged: see leaddb check`)
  placeBefore(db, file, to)
  db.run("PRAGMA journal_mode = DELETE")
  db.run("PRAGMA synchronous = FULL")
  db.run("PRAGMA cache_size = -65536")
  migrate(db)
  makeOwnSecret(db)
  endLog(db)
  // A database that is held alone keeps its journal, with nothing in it, for the next transaction.
  opened.defer(() => rmSync(`${file}-journal`, { force: true }))
  const disposables = opened.move()
  return { place: file, ...sqliteLines(db, filesOf(file)), close: async () => disposables.dispose() }
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

function sourceBeside(file: string, { to, isOnline }: Wish): MoveSource {
  using opened = new DisposableStack()
  const lock = holdMoveLock(file)
  if (!lock) throw new Error(`${file} is being moved by another leaddb move`)
  opened.defer(lock.release)
  const [writer, reader] = [opened.use(openBeside(file)), opened.use(openBeside(file))]
  if (migratedSchema(writer) !== MIGRATIONS.length)
    throw new Error(`${file} is of an older leaddb: start the service once, it brings the file up to date`)
  const isLive = placeBefore(writer, file, to) === undefined && isOnline
  // Whoever holds the file reads what it is about to commit.
  const now = () => (writer.inTransaction ? writer : reader)
  const source: MoveSource = {
    place: file,
    count: (table) => sqliteLines(now(), filesOf(file)).count(table),
    lines: (table) => sqliteLines(now(), filesOf(file)).lines(table),
    async handOver(place) {
      endLog(writer)
      setMovedTo(writer, place)
      writer.run("COMMIT")
    },
    async close() {
      if (reader.inTransaction) reader.run("ROLLBACK")
      if (writer.inTransaction) writer.run("ROLLBACK")
      if (isLive && hasLog(writer)) writer.transaction(() => endLog(writer)).immediate()
      disposables.dispose()
    },
  }

  function hold(): void {
    source.heldSince = performance.now()
    writer.run("BEGIN IMMEDIATE")
  }

  function asOfNow(): void {
    reader.run("BEGIN")
    reader.query("SELECT 1 FROM settings LIMIT 1").get()
  }

  if (isLive)
    source.live = {
      hold,
      async follow() {
        writer.transaction(() => beginLog(writer)).immediate()
        asOfNow()
      },
      async changes(work) {
        if (reader.inTransaction) reader.run("COMMIT")
        const db = now()
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
  else hold()
  const disposables = opened.move()
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
  using opened = new DisposableStack()
  const lock = holdMoveLock(file)
  if (!lock) throw new Error(`${file} is being moved at the moment: stop that leaddb move first`)
  opened.defer(lock.release)
  const db = opened.use(openBeside(file))
  migratedSchema(db)
  return db
    .transaction(() => {
      const state = { movedTo: movedTo(db), wasFollowed: hasLog(db) }
      endLog(db)
      setMovedTo(db, undefined)
      return state
    })
    .immediate()
}
