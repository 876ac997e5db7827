import { Database } from "bun:sqlite"
import { closeSync, existsSync, openSync } from "node:fs"
import { sqliteCode } from "./database.ts"

/**
 * Does the work unless another thread or process is at the same: then undefined. SQLite holds the lock, so it goes
 * with the process, however that ends.
 */
export function alone<T>(path: string, work: () => T): T | undefined {
  // Opened but once, when it is made: closing a file that SQLite has open would drop its locks.
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600))
  const lock = new Database(path, { readwrite: true, create: true })
  try {
    try {
      lock.run("PRAGMA journal_mode = MEMORY")
      lock.run("BEGIN EXCLUSIVE")
    } catch (error) {
      if (sqliteCode(error)?.startsWith("SQLITE_BUSY")) return undefined
      throw error
    }
    return work()
  } finally {
    lock.close()
  }
}
