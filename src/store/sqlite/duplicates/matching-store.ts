import type { Database } from "bun:sqlite"
import type { Compared, IndexUpdate, MatchedLead, MatchingStore } from "../../contract/duplicates.ts"
import type { WriteDb } from "../../sql/db.ts"
import { matchingReads, matchingWrites } from "../../tables/duplicates/matching.ts"
import { passWrites } from "../../tables/duplicates/passes.ts"
import { waiting } from "../../tables/duplicates/reads.ts"
import { ENSURE } from "../../tables/duplicates/statements.ts"
import { openSecondWriter } from "../file/connections.ts"
import { prepare } from "../file/database.ts"
import { sqliteDb } from "../file/db.ts"
import { patientBegin } from "../queue/write-queue.ts"
import { leadRange } from "./lead-range.ts"

/** Opens the file for the matcher in another thread, beside the store of the same process. */
export function openMatchingStore(file: string): MatchingStore {
  const db = openSecondWriter(file)
  const statements = sqliteDb(db)
  const begin = patientBegin(db)

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

  const index = indexWrites(db)
  const pairs = pairWrites(db)
  const { goOn } = passWrites(statements, leadRange)
  return {
    ...matchingReads(statements),
    ...leadsAndMembers(db),
    ...matchingWrites(statements, write, leadRange),
    accounts: async () => (await statements.all<{ account: number }>(WANTED)).map(({ account }) => account),
    index: (account, updates, place) =>
      write(account, async (tx) => {
        tx.later(ENSURE, [account])
        index(account, updates)
        if (place) await goOn(tx, account, place)
      }),
    compared: (account, results, at, place) =>
      write(account, async (tx) => {
        pairs(account, results, at)
        if (place) await goOn(tx, account, place)
      }),
    close: () => db.close(),
  }
}

const WANTED = `SELECT key AS account FROM accounts WHERE ${waiting("key")}`

function leadsAndMembers(db: Database): Pick<MatchingStore, "leads" | "members"> {
  // As it was written: what a document of an older leaddb lacks, comparing does without.
  const lead = prepare<{ text: string }>(
    db,
    "SELECT data AS text FROM lead_documents WHERE account_id = ? AND rid = ?",
  )
  const members = prepare<{ rid: number }>(
    db,
    "SELECT rid FROM duplicate_keys WHERE account_id = ? AND key = ? LIMIT ?",
  )
  return {
    leads: async (account, refs) =>
      refs.flatMap((ref) => {
        const row = lead.get(account, ref)
        return row ? [{ ref, lead: JSON.parse(row.text) as MatchedLead }] : []
      }),
    members: async (account, keys, most) =>
      keys.map((key) => members.all(account, key, most).map(({ rid }) => rid)),
  }
}

function indexWrites(db: Database): (account: number, updates: readonly IndexUpdate[]) => void {
  const takeOut = prepare(db, "DELETE FROM duplicate_queue WHERE account_id = ? AND rid = ? AND turn = ?")
  const addKey = prepare(db, "INSERT OR IGNORE INTO duplicate_keys (account_id, key, rid) VALUES (?, ?, ?)")
  const dropKey = prepare(db, "DELETE FROM duplicate_keys WHERE account_id = ? AND key = ? AND rid = ?")
  const count = prepare(
    db,
    `INSERT INTO duplicate_terms (account_id, term, leads) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET leads = leads + excluded.leads`,
  )
  const uncount = prepare(
    db,
    "UPDATE duplicate_terms SET leads = leads - ? WHERE account_id = ? AND term = ?",
  )
  const dropTerm = prepare(db, "DELETE FROM duplicate_terms WHERE account_id = ? AND term = ? AND leads <= 0")
  const addDue = prepare(db, "INSERT OR IGNORE INTO duplicate_due (account_id, rid) VALUES (?, ?)")
  const dropDue = prepare(db, "DELETE FROM duplicate_due WHERE account_id = ? AND rid = ?")
  return (account, updates) => {
    const keys: [key: number, ref: number][] = []
    const terms = new Map<number, number>()
    const add = (term: number, by: number) => terms.set(term, (terms.get(term) ?? 0) + by)
    for (const { ref, turn, dropKeys, addKeys, dropTerms, addTerms, isThere } of updates) {
      // It has changed since it was read: it is still in the queue.
      if (turn !== undefined && takeOut.run(account, ref, turn).changes === 0) continue
      for (const key of dropKeys) dropKey.run(account, key, ref)
      for (const key of addKeys) keys.push([key, ref])
      for (const term of dropTerms) add(term, -1)
      for (const term of addTerms) add(term, 1)
      if (turn === undefined) continue
      if (isThere) addDue.run(account, ref)
      else dropDue.run(account, ref)
    }
    // In their order in the table: leads share its pages.
    for (const [key, ref] of keys.sort(([x], [y]) => x - y)) addKey.run(account, key, ref)
    for (const [term, by] of [...terms].sort(([x], [y]) => x - y)) {
      if (by > 0) count.run(account, term, by)
      else if (by < 0) {
        uncount.run(-by, account, term)
        dropTerm.run(account, term)
      }
    }
  }
}

function pairWrites(db: Database): (account: number, results: readonly Compared[], at: number) => void {
  const done = prepare(db, "DELETE FROM duplicate_due WHERE account_id = ? AND rid = ?")
  const keep = prepare(
    db,
    `INSERT INTO duplicate_pairs (account_id, a, b, state, probability, reasons, evidence, created_at)
     SELECT a.account_id, a.rid, b.rid,
       EXISTS (SELECT 1 FROM duplicate_dismissals
         WHERE account_id = a.account_id AND low = min(a.id, b.id) AND high = max(a.id, b.id)),
       ?4, ?5, ?6, ?7
     FROM leads a, leads b
     WHERE a.rid = ?2 AND a.account_id = ?1 AND b.rid = ?3 AND b.account_id = ?1
     ON CONFLICT (account_id, a, b) WHERE state < 2 DO UPDATE SET
       probability = excluded.probability, reasons = excluded.reasons, evidence = excluded.evidence
     WHERE probability <> excluded.probability OR reasons <> excluded.reasons OR evidence <> excluded.evidence`,
  )
  const drop = prepare(
    db,
    `DELETE FROM duplicate_pairs INDEXED BY duplicate_pairs_leads
     WHERE account_id = ? AND a = ? AND b = ? AND state < 2 AND state = 0`,
  )
  return (account, results, at) => {
    for (const { ref, found, lost } of results) {
      done.run(account, ref)
      for (const { other, probability, reasons, evidence } of found) {
        const texts = [JSON.stringify(reasons.map(Object.values)), JSON.stringify(evidence)] as const
        keep.run(account, Math.min(ref, other), Math.max(ref, other), probability, ...texts, at)
      }
      for (const other of lost) drop.run(account, Math.min(ref, other), Math.max(ref, other))
    }
  }
}
