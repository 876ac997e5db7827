// Opens connections to a database. Those that read leads have the derived tables attached.
import { Database } from "bun:sqlite"
import { chmodSync, mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { sync } from "../../shared/disk.ts"
import { sqliteCode } from "../../shared/sqlite-code.ts"
import { attachEmptyIndex, attachIndex } from "../derived/file.ts"
import { migrate, migratedSchema } from "./migrations.ts"

/** Milliseconds that one statement may wait for another process, blocking the event loop meanwhile. */
const BUSY_MS = 250
/** Time limit while the file is opened, before requests are served. */
const OPENING_MS = 10_000
/** After how long opening tries again what SQLite does not wait for by itself. */
const AGAIN_MS = 10

/** How many KiB of pages each connection keeps. */
const CACHE_KIB = 16 * 1024
/** Cache for a full scan, which reads no page twice. */
export const PASSING_CACHE_KIB = 2 * 1024

/**
 * Opens the write connection, creating and migrating the file when needed. WAL with `synchronous=FULL`: an answer
 * means the data is on disk. Throws an Error that names the file.
 */
export function openWriter(file: string): Database {
  try {
    makeFolder(dirname(file))
    const inodeBefore = inode(file)
    const db = new Database(file, { create: true, readwrite: true, strict: true })
    if (inodeBefore === undefined) chmodSync(file, 0o600)
    db.run(`PRAGMA busy_timeout = ${OPENING_MS}`)
    // Before anything is changed: journal_mode is written into the file, which may not be ours.
    migratedSchema(db)
    if (!joinLog(db, file, inodeBefore)) {
      db.close()
      return openWriter(file)
    }
    writeSafely(db)
    db.run("PRAGMA journal_size_limit = 67108864")
    // 49 MB: with the largest transaction after it the log stays below 64.
    db.run("PRAGMA wal_autocheckpoint = 12000")
    keepInMemory(db)
    migrate(db)
    attachEmptyIndex(db)
    db.run(`PRAGMA busy_timeout = ${BUSY_MS}`)
    return db
  } catch (error) {
    throw new Error(`cannot open ${file}: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  }
}

/**
 * Puts the database into WAL mode; from then on nobody puts another file in its place. False when `leaddb restore`
 * has done that while this waited for it: the name does not stand for the file any more that was found.
 */
function joinLog(db: Database, file: string, inodeBefore: number | undefined): boolean {
  const isStale = () => inodeBefore !== undefined && inode(file) !== inodeBefore
  const end = performance.now() + OPENING_MS
  while (!isStale()) {
    try {
      db.run("PRAGMA journal_mode = WAL")
      return !isStale()
    } catch (error) {
      // Of two that make one new file at once, SQLite refuses one at once instead of letting it wait.
      const isBusy = sqliteCode(error)?.startsWith("SQLITE_BUSY")
      if (!isStale() && (!isBusy || performance.now() > end)) throw error
      Bun.sleepSync(AGAIN_MS)
    }
  }
  return false
}

/** Which file the name stands for at the moment. */
function inode(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino
}

/**
 * Makes a folder, with those above it, so that it outlives a power cut: SQLite makes safe the names of its files in
 * their folder, but not the folder's own name.
 */
function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) syncFolder(dirname(made))
}

function syncFolder(folder: string): void {
  try {
    sync(folder)
  } catch {
    // Some systems cannot: they keep names safe by themselves.
  }
}

/** Runs a statement of opening, which may wait longer for other processes than one of a request. */
export function patiently<T>(db: Database, work: () => T): T {
  db.run(`PRAGMA busy_timeout = ${OPENING_MS}`)
  try {
    return work()
  } finally {
    db.run(`PRAGMA busy_timeout = ${BUSY_MS}`)
  }
}

/**
 * Opens a connection that can only read, with the derived tables attached; the file must have been opened by a writer
 * before.
 */
export function openReader(file: string, cacheKib?: number): Database {
  const db = new Database(file, { readonly: true, strict: true })
  db.run(`PRAGMA busy_timeout = ${BUSY_MS}`)
  attachIndex(db, file)
  db.run("PRAGMA query_only = ON")
  keepInMemory(db, cacheKib)
  return db
}

/**
 * Opens one more connection that writes, for the thread of a scoring run; the file must have been opened by
 * `openWriter` before. Only one of a process's connections may write at a time: the queue sees to that.
 */
export function openSecondWriter(file: string): Database {
  const db = new Database(file, { create: false, readwrite: true, strict: true })
  db.run(`PRAGMA busy_timeout = ${BUSY_MS}`)
  writeSafely(db)
  // Before the first writer does it, on the thread that answers requests: a checkpoint takes 15 ms and more.
  db.run("PRAGMA wal_autocheckpoint = 10000")
  // Leads pass through, and are read no faster with more; the index of a million scores is written all over.
  keepInMemory(db)
  return db
}

/** Gives back the memory of pages that are read no more. */
export function shrink(db: Database): void {
  db.run("PRAGMA shrink_memory")
}

/** Pages, and what is sorted on the way. */
function keepInMemory(db: Database, cacheKib = CACHE_KIB): void {
  db.run(`PRAGMA cache_size = -${cacheKib}`)
  db.run("PRAGMA temp_store = MEMORY")
  // The file's schema is not trusted, and its pages are checked before use.
  db.run("PRAGMA trusted_schema = OFF")
  db.run("PRAGMA cell_size_check = ON")
}

function writeSafely(db: Database): void {
  db.run("PRAGMA foreign_keys = ON")
  db.run("PRAGMA synchronous = FULL")
  // On macOS a sync ends in the disk's own cache unless it is asked for more; elsewhere these do nothing.
  db.run("PRAGMA fullfsync = ON")
  db.run("PRAGMA checkpoint_fullfsync = ON")
}
