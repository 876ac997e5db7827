import { Database } from "bun:sqlite"
import { existsSync } from "node:fs"
import { MIGRATIONS } from "./migrations.ts"

/**
 * Frees the leases of a process that died, so that what it was about to send need not wait for them to run out. Does
 * nothing while any other process has the file open: the leases may then be somebody's. To be called before this
 * process opens the file. Never throws for a file that is not ours or not there: opening it will say so.
 */
export function freeDeadLeases(file: string): void {
  if (!existsSync(file)) return
  let db: Database | undefined
  try {
    db = new Database(file, { readwrite: true, create: false })
    // SQLite grants this mode only to a connection that is the only one, in any process.
    db.run("PRAGMA locking_mode = EXCLUSIVE")
    const schema = db.query<{ user_version: number }, []>("PRAGMA user_version").get()
    if (schema?.user_version !== MIGRATIONS.length) return
    db.run(
      "UPDATE deliveries SET lease = NULL, leased_until = NULL WHERE status = 'pending' AND lease IS NOT NULL",
    )
    db.run("UPDATE jobs SET lease = NULL, leased_until = NULL WHERE lease IS NOT NULL")
    db.run(
      "UPDATE accounts SET scoring_lease = NULL, scoring_leased_until = NULL WHERE scoring_lease IS NOT NULL",
    )
  } catch {
    // Somebody else has it open, or it is no database.
  } finally {
    db?.close()
  }
}
