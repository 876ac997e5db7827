import { Database } from "bun:sqlite"
import { closeSync, existsSync, openSync } from "node:fs"
import { sqliteCode } from "../../shared/sqlite-code.ts"

interface Lock {
  release(): void
}

/** Takes a lock; undefined while another thread or process has it. SQLite holds it, so it goes with the process, however that ends. */
export function hold(path: string): Lock | undefined {
  // Opened but once, when it is made: closing a file that SQLite has open would drop its locks.
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600))
  const lock = new Database(path, { readwrite: true, create: true })
  try {
    lock.run("PRAGMA journal_mode = MEMORY")
    lock.run("BEGIN EXCLUSIVE")
    return { release: () => lock.close() }
  } catch (error) {
    lock.close()
    if (sqliteCode(error)?.startsWith("SQLITE_BUSY")) return undefined
    throw error
  }
}

/** Does the work unless another thread or process is at the same: then undefined. */
export function alone<T>(path: string, work: () => T): T | undefined {
  const lock = hold(path)
  try {
    return lock && work()
  } finally {
    lock?.release()
  }
}
