// Taking the place of a database that nobody may have open meanwhile.
import { Database } from "bun:sqlite"
import {
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { sizeOf, sync } from "../../shared/disk.ts"
import { sqliteCode } from "../../shared/sqlite-code.ts"
import { isForeign } from "./migrations.ts"

/** The database in place, and nobody else's while it is held. */
interface Held {
  /** Undefined when it is too damaged to be read. */
  db: Database | undefined
  release(): void
}

const LOGS = ["-wal", "-shm", "-journal"] as const
const DAMAGED = /^SQLITE_(NOTADB|CORRUPT)/
const BUSY = /^SQLITE_(BUSY|LOCKED)/

/**
 * Keeps everybody else from a database, its write-ahead log folded into it. Throws an Error when another process has
 * it open, unless `orNot`, and when it is another program's and not `force`.
 */
export function takeHold(file: string, force: boolean): Held
export function takeHold(file: string, force: boolean, orNot: true): Held | undefined
export function takeHold(file: string, force: boolean, orNot = false): Held | undefined {
  const db = new Database(file, { readwrite: true, create: false })
  try {
    // SQLite grants this mode only to a connection that is the only one, in any process.
    db.run("PRAGMA locking_mode = EXCLUSIVE")
    db.run("BEGIN EXCLUSIVE")
    db.run("COMMIT")
    db.run("PRAGMA journal_mode = DELETE")
    // SQLite held alone uses no index of the log on disk, and leaves that of a process that was killed.
    rmSync(`${file}-shm`, { force: true })
    // A journal on disk would be deleted by its name at the end, when the name is another database's.
    db.run("PRAGMA journal_mode = MEMORY")
    if (!force && isForeign(db)) {
      throw new Error(`${file} is a database of another program: move it away, or replace it with --force`)
    }
    return { db, release: () => db.close() }
  } catch (error) {
    db.close()
    const code = sqliteCode(error) ?? ""
    // Whoever has it open has a log beside it, and with a log SQLite asks for the lock before it reads anything.
    if (DAMAGED.test(code)) return { db: undefined, release: () => {} }
    if (BUSY.test(code)) {
      if (orNot) return undefined
      throw new Error(
        `${file} is in use: stop the leaddb that serves it, and everything else that has it open, then try again`,
      )
    }
    throw error
  }
}

interface Exchange {
  /** The database's name. */
  file: string
  /** The file that gets the name. */
  finished: string
  /** The new name of the existing database. */
  kept: string
  /** Whether its write-ahead log is folded into it; true by default. */
  isFolded?: boolean
}

/**
 * The steps that replace a locked database by a finished file. After a crash at any step the name refers to the old
 * or the new database, complete and without the other's log.
 */
export function stepsToReplace({ file, finished, kept, isFolded = true }: Exchange): (() => void)[] {
  const folder = dirname(file)
  return [
    () => takeOwner(finished, file),
    () => secondName(file, kept),
    // A database that is too damaged to fold its log in keeps it.
    ...(isFolded ? [] : ["-wal", "-journal"]).map((log) => () => {
      if (sizeOf(file + log) > 0) secondName(file + log, kept + log)
    }),
    () => sync(folder),
    ...LOGS.map((log) => () => rmSync(file + log, { force: true })),
    () => sync(folder),
    () => renameSync(finished, file),
    () => sync(folder),
  ]
}

/** Like `stepsToReplace`, where no database exists. Throws an Error when one has been created meanwhile. */
export function stepsToPlace({ file, finished, kept }: Exchange): (() => void)[] {
  const folder = dirname(file)
  return [
    () => takeOwner(finished, folder),
    // A log without a database would be replayed into the new one.
    ...LOGS.map((log) => () => {
      if (existsSync(file + log)) renameSync(file + log, kept + log)
    }),
    () => sync(folder),
    () => secondName(finished, file),
    () => rmSync(finished),
    () => sync(folder),
  ]
}

/** A free name for the database that is replaced: `leads-replaced-20270131T101500Z.db`. */
export function keptName(file: string, time: string): string {
  for (let n = 1; ; n++) {
    const name = join(dirname(file), `leads-replaced-${time}${n > 1 ? `-${n}` : ""}.db`)
    if (["", ...LOGS].every((log) => !existsSync(name + log))) return name
  }
}

/** Both names stand for the file; where a file can have but one name, it is copied. */
function secondName(path: string, other: string): void {
  try {
    linkSync(path, other)
  } catch (error) {
    if (existsSync(other)) throw error
    copyFileSync(path, other, constants.COPYFILE_EXCL)
    sync(other)
  }
}

/** Root restores for the user that the service runs as. */
function takeOwner(path: string, like: string): void {
  const { uid, gid, mode } = statSync(like)
  if (statSync(like).isFile()) chmodSync(path, mode & 0o777)
  try {
    chownSync(path, uid, gid)
  } catch {
    // Somebody else than root, who can give away nothing: the file is their own.
  }
}
