// Takes erased leads out of the derived tables at once, not behind the writes.
import type { Database } from "bun:sqlite"
import { sqliteCode } from "../../shared/sqlite-code.ts"
import { prepare } from "../connection/database.ts"
import { indexFile, inodeOf, openIndexWriter } from "../derived/file.ts"
import { forgetWords } from "../derived/known-words.ts"
import { DERIVED_TABLES } from "../derived/tables.ts"

/** Changed and removed leads that are looked at: a follower that is further behind has not indexed them. */
const LOOKED_AT = 5_000
/** How long the tables are waited for while another process fills them, and between two tries. */
const PATIENCE_MS = 5_000
const AGAIN_MS = 5

export interface Erased {
  account: number
  texts: readonly string[]
}

/**
 * Removes leads that are gone, and the words that only they had. `leads` is a connection that reads; resolves when no
 * search finds them any more. What cannot be written now, the follower removes with its next step.
 */
export function erasure(file: string, leads: Database): (all: readonly Erased[]) => Promise<void> {
  const behind = prepare<{ rid: number; isGone: number }>(
    leads,
    `SELECT DISTINCT g.rid, NOT EXISTS (SELECT 1 FROM leads l WHERE l.rid = g.rid) AS isGone
     FROM lead_log g WHERE g.n > ? AND g.account = ? AND g.rid > 0 LIMIT ${LOOKED_AT}`,
  )

  function erase(db: Database, all: readonly Erased[]): void {
    const at = db.query<{ log: number }, []>("SELECT log FROM index_state").get()
    const writers = DERIVED_TABLES.map((table) => table.open(db))
    const forget = forgetWords(db)
    db.run("UPDATE index_state SET clean = 0")
    for (const { account, texts } of all) {
      const all = behind.all(at?.log ?? 0, account)
      const gone = all.filter(({ isGone }) => isGone)
      const changes = gone.map(({ rid }) => ({ account, ref: rid, lead: undefined, notes: [], isNew: false }))
      for (const writer of writers) writer.apply(changes)
      forget(account, texts, new Set(all.map(({ rid }) => rid)))
    }
  }

  return async (all) => {
    if (inodeOf(indexFile(file)) === undefined) return
    const db = openIndexWriter(file)
    try {
      db.run("PRAGMA busy_timeout = 0")
      for (const end = performance.now() + PATIENCE_MS; ; ) {
        try {
          db.transaction(() => erase(db, all)).immediate()
          return
        } catch (error) {
          const isBusy = sqliteCode(error)?.startsWith("SQLITE_BUSY")
          if (!isBusy || performance.now() > end) throw error
          await Bun.sleep(AGAIN_MS)
        }
      }
    } catch {
      // The tables are damaged or cannot be written: they are made again from leads that do not have it any more.
    } finally {
      db.close()
    }
  }
}
