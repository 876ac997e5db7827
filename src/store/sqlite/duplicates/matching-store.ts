// The matcher's store on a file: it reads leads and writes pairs beside the main thread, and has the derived file besides.
import type { Compared, MatchingStore, Pass } from "../../contract/store.ts"
import type { WriteDb } from "../../sql/db.ts"
import { matchingReads, matchingWrites } from "../../tables/duplicates/matching.ts"
import { keepPairs } from "../../tables/duplicates/pair-writes.ts"
import { TO_LEARN } from "../../tables/duplicates/pairs.ts"
import { passWrites } from "../../tables/duplicates/passes.ts"
import { ENSURE } from "../../tables/duplicates/statements.ts"
import { sqliteDb } from "../connection/database.ts"
import { openSecondWriter, shrink } from "../file/connections.ts"
import { patientBegin } from "../queue/transaction.ts"
import { openMatchIndex } from "./index-store.ts"
import { leadRange } from "./lead-range.ts"
import { storedLeads } from "./match-reads.ts"

/** Opens the file for the matcher in another thread, beside the store of the same process. */
export function openMatchingStore(file: string): MatchingStore {
  const db = openSecondWriter(file)
  const statements = sqliteDb(db)
  const begin = patientBegin(db)
  const index = openMatchIndex(file)

  /**
   * `work` awaits nothing but statements, which have run when their promise is there: a thread that is ended in the
   * middle would hold the file as long as the process lives.
   */
  async function write(_account: number, work: (tx: WriteDb) => Promise<void>): Promise<void> {
    await begin()
    try {
      await work(statements)
      db.run("COMMIT")
    } catch (error) {
      if (db.inTransaction) db.run("ROLLBACK")
      throw error
    }
  }

  const { goOn } = passWrites(statements, leadRange)
  return {
    ...matchingReads(statements),
    ...matchingWrites(statements, write, leadRange),
    ...index.store,
    leads: storedLeads(db),
    pass: async (account) =>
      (await statements.get<{ kind: Pass; place: string | null }>(PASS, [account])) ?? undefined,
    async accounts() {
      if (!index.take()) return []
      const wanted = (await statements.all<{ account: number }>(WANTED)).map(({ account }) => account)
      const all = new Set([...wanted, ...index.accounts()])
      if (all.size === 0) index.release()
      return [...all].sort((a, b) => a - b)
    },
    async compared(account, results, at, place) {
      if (!index.isHeld()) return
      // Pairs first: what is not taken out of the queue is compared once more.
      if (place || !areQuiet(results))
        await write(account, async (tx) => {
          tx.later(ENSURE, [account])
          keepPairs(tx, account, results, at)
          if (place) await goOn(tx, account, place)
        })
      if (!place) index.done(account, results)
    },
    kept: {
      ...index.kept,
      areQuiet,
      shrink() {
        shrink(db)
        index.shrink()
      },
    },
    close() {
      index.close()
      db.close()
    },
  }
}

const areQuiet = (results: readonly Compared[]) =>
  results.every(({ found, lost }) => found.length + lost.length === 0)

/** Leads of every version of the index are in a file of their own, so that only comparing goes on here. */
const PASS = `SELECT 'compare' AS kind, CASE pass WHEN 'compare' THEN pass_place END AS place FROM duplicate_accounts
  WHERE account_id = $1 AND pass IS NOT NULL`
const WANTED = `SELECT account_id AS account FROM duplicate_accounts WHERE pass IS NOT NULL OR ${TO_LEARN}`
