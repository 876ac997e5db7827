// The file of derived tables beside a database: it may be missing, damaged or of another version, and is then made anew.
import { Database } from "bun:sqlite"
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, statSync } from "node:fs"
import { tmpdir, uptime } from "node:os"
import { join } from "node:path"
import { leaveTurn } from "../connection/database.ts"
import { createTables, indexVersion } from "./tables.ts"

const LOGS = ["-wal", "-shm", "-journal"]
/** Milliseconds that a connection waits for another one. */
const BUSY_MS = 250

/** The file of derived tables beside a database: `leads.db` has `leads.index.db`. */
export function indexFile(file: string): string {
  return `${file.replace(/\.db$/, "")}.index.db`
}

/** Removes the file with its logs; it is made again when the database is opened. */
export function removeIndex(file: string): void {
  const index = indexFile(file)
  // The tables first: a log without them is never replayed.
  for (const end of ["", ...LOGS]) rmSync(index + end, { force: true })
}

/**
 * Attaches the derived tables to a connection that reads, and makes them when they are missing or unfit. They are empty,
 * in a temporary file, where that fails: questions are then answered from the leads alone.
 */
export function attachIndex(db: Database, file: string): void {
  const index = indexFile(file)
  attached.set(db, { file, inode: undefined })
  try {
    if (attachFit(db, index)) return
    makeIndex(file, epochOf(db))
    if (attachFit(db, index)) return
  } catch {
    // A full disk, or a folder that takes no more files
  }
  const temporary = join(tmpdir(), `leaddb-${crypto.randomUUID()}.index.db`)
  create(temporary, new Uint8Array())
  db.query("ATTACH ? AS derived").run(temporary)
  db.query("SELECT one FROM index_state").get()
  rmSync(temporary)
}

/** Which file a connection has attached; no inode for a temporary one. */
const attached = new WeakMap<Database, { file: string; inode: number | undefined }>()

/** Attaches the file that has the name now, if that is not the attached one; true when it did. */
export function attachAgain(db: Database): boolean {
  leaveTurn(db)
  const attachment = attached.get(db)
  const inode = attachment && inodeOf(indexFile(attachment.file))
  if (!attachment || inode === undefined || inode === attachment.inode || db.inTransaction) return false
  try {
    db.run("DETACH derived")
  } catch {
    // A statement is under way: the next question tries it.
    return false
  }
  attachIndex(db, attachment.file)
  return true
}

/** Attaches empty tables to the connection that writes leads: what it asks for is looked up in the leads. */
export function attachEmptyIndex(db: Database): void {
  db.run("ATTACH ':memory:' AS derived")
  createTables(db, new Uint8Array(), "", "derived")
}

/** Attaches the tables if they are there and of this database, executable and boot; true when it has. */
export function attachFit(db: Database, index: string): boolean {
  const inode = inodeOf(index)
  if (inode === undefined) return false
  try {
    db.query("ATTACH ? AS derived").run(index)
  } catch {
    return false
  }
  if (isFit(db)) {
    const attachment = attached.get(db)
    if (attachment) attachment.inode = inode
    return true
  }
  db.run("DETACH derived")
  return false
}

interface Fitness {
  version: string
  epoch: Uint8Array
  boot: string
  clean: number
  high: number
  log: number
}

function isFit(db: Database): boolean {
  try {
    const state = db
      .query<Fitness, []>("SELECT version, epoch, boot, clean, high, log FROM derived.index_state")
      .get()
    // Written without waiting for the disk: only this boot still has all that was written.
    if (!state || (state.clean === 0 && state.boot !== currentBoot())) return false
    return state.version === indexVersion() && Buffer.compare(state.epoch, epochOf(db)) === 0
  } catch {
    return false
  }
}

/** Which database the tables are of: it changes with each restore. */
export function epochOf(db: Database): Uint8Array {
  const row = db
    .query<{ value: Uint8Array }, []>("SELECT value FROM main.settings WHERE name = 'trail_epoch'")
    .get()
  return row?.value ?? new Uint8Array()
}

/** Makes empty tables in the place of whatever is there: others may have that open and keep it until they look again. */
export function makeIndex(file: string, epoch: Uint8Array): void {
  const index = indexFile(file)
  const partial = `${index}.${crypto.randomUUID()}`
  try {
    create(partial, epoch, "WAL")
    // Readable for whom the leads are; logs get the mode of their database.
    chmodSync(partial, statSync(file).mode & 0o777)
    for (const end of ["", ...LOGS]) rmSync(index + end, { force: true })
    renameSync(partial, index)
  } catch (error) {
    for (const end of ["", ...LOGS]) rmSync(partial + end, { force: true })
    throw error
  }
}

function create(path: string, epoch: Uint8Array, mode = "DELETE"): void {
  const made = new Database(path, { create: true, readwrite: true, strict: true })
  try {
    made.run(`PRAGMA journal_mode = ${mode}`)
    made.run("PRAGMA synchronous = OFF")
    made.transaction(() => createTables(made, epoch, currentBoot()))()
  } finally {
    made.close()
  }
}

/** Opens the connection that writes the tables. They must exist. */
export function openIndexWriter(file: string): Database {
  const db = new Database(indexFile(file), { create: false, readwrite: true, strict: true })
  db.run(`PRAGMA busy_timeout = ${BUSY_MS}`)
  db.run("PRAGMA synchronous = OFF")
  db.run("PRAGMA journal_size_limit = 67108864")
  // 32 MB: keys fall on pages all over the file, which are copied to it less often so.
  db.run("PRAGMA wal_autocheckpoint = 8000")
  db.run("PRAGMA cache_size = -16384")
  db.run("PRAGMA temp_store = MEMORY")
  db.run("PRAGMA trusted_schema = OFF")
  return db
}

/** Tells one start of the machine from the next. */
export function currentBoot(): string {
  boot ??= existsSync(BOOT_ID)
    ? readFileSync(BOOT_ID, "utf8").trim()
    : String(Math.round((Date.now() / 1000 - uptime()) / 60))
  return boot
}
const BOOT_ID = "/proc/sys/kernel/random/boot_id"
let boot: string | undefined

/** Which file has the name at the moment; undefined for none. */
export function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}
