// A folder of temporary files that all services of a data folder use.
import { Database } from "bun:sqlite"
import { mkdirSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { sqliteCode } from "../../shared/sqlite-code.ts"

/** Milliseconds that a service may take to remove what others have left. */
const CLEARING_MS = 10_000

/**
 * Makes the folder, which nobody else may look into, and removes what is in it unless another process uses it, too:
 * `clear` runs before. The folder is in use until `close`, or until the process ends in any way, by a lock on a file
 * beside it.
 */
export function useFolder(folder: string, clear: () => void): { close(): void } {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = new Database(`${folder}.lock`, { create: true, readwrite: true })
  try {
    lock.run("BEGIN EXCLUSIVE")
    clear()
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true })
    lock.run("COMMIT")
  } catch (error) {
    if (!sqliteCode(error)?.startsWith("SQLITE_BUSY")) throw error
  }
  lock.run(`PRAGMA busy_timeout = ${CLEARING_MS}`)
  lock.run("BEGIN")
  lock.query("SELECT 1 FROM sqlite_schema").get()
  return lock
}
