import { Database } from "bun:sqlite"
import { schemaOf } from "./migrations.ts"

/**
 * Copies a database, as of one moment and beside a running service, into `target`, which must be missing or empty,
 * and checks the copy. Throws an Error when the file is not leaddb's or the copy is not sound.
 */
export function copyDatabase(file: string, target: string): void {
  // Without PRAGMA query_only, which refuses VACUUM INTO.
  const db = new Database(file, { readonly: true, strict: true })
  try {
    db.run("PRAGMA busy_timeout = 10000")
    schemaOf(db)
    db.query("VACUUM INTO ?").run(target)
  } finally {
    db.close()
  }
  const copy = new Database(target, { readonly: true, strict: true })
  try {
    const [first] = copy.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").all()
    if (first?.integrity_check !== "ok") {
      throw new Error(
        `the copy is not sound: ${first?.integrity_check}; see what leaddb check says of the database`,
      )
    }
  } finally {
    copy.close()
  }
}
