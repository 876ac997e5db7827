import type { Database } from "bun:sqlite"
import type { Compared, IndexUpdate, MatchedLead, MatchingStore, Pass } from "../../contract/duplicates.ts"
import { decisionOf, OUTDATED, TO_LEARN } from "../../shared/pairs.ts"
import { openSecondWriter, prepare } from "../file/database.ts"
import { patientBegin } from "../queue/write-queue.ts"
import { matchAccounts } from "./pair-writes.ts"
import { latestDecisions } from "./pairs.ts"
import { passLeads, passWrites, sharedParts } from "./passes.ts"

/** Opens the file for the matcher in another thread, beside the store of the same process. */
export function openMatchingStore(file: string): MatchingStore {
  const db = openSecondWriter(file)
  const begin = patientBegin(db)

  /** Without a pause inside: a thread that is ended in the middle would hold the file as long as the process lives. */
  async function inTransaction(work: () => void): Promise<void> {
    await begin()
    try {
      work()
      db.run("COMMIT")
    } catch (error) {
      if (db.inTransaction) db.run("ROLLBACK")
      throw error
    }
  }

  const index = indexWrites(db)
  const pairs = pairWrites(db)
  const pass = passWrites(db)
  const weigh = prepare(db, "UPDATE duplicate_pairs SET probability = ? WHERE account_id = ? AND rid = ?")
  const learned = prepare(db, "UPDATE duplicate_accounts SET learned = ? WHERE account_id = ?")
  const setWeights = prepare(db, "UPDATE duplicate_accounts SET weights = ? WHERE account_id = ?")
  return {
    ...matchingReads(db),
    index: (account, updates, place) =>
      inTransaction(() => {
        index(account, updates)
        if (place) pass.go(account, place)
      }),
    clear: (account, most) => inTransaction(() => pass.clear(account, most)),
    passIfGrown: (account) => inTransaction(() => pass.startIfGrown(account)),
    compared: (account, results, at, place) =>
      inTransaction(() => {
        pairs(account, results, at)
        if (place) pass.go(account, place)
      }),
    weigh: (account, all) =>
      inTransaction(() => {
        for (const { ref, probability } of all) weigh.run(probability, account, ref)
      }),
    learned: (account, decided) => inTransaction(() => void learned.run(decided, account)),
    setWeights: (account, weights) =>
      inTransaction(() => void setWeights.run(weights && JSON.stringify(weights), account)),
    close: () => db.close(),
  }
}

function matchingReads(
  db: Database,
): Omit<
  MatchingStore,
  "index" | "clear" | "passIfGrown" | "compared" | "weigh" | "learned" | "setWeights" | "close"
> {
  const accounts = prepare<{ account: number }, []>(
    db,
    `SELECT key AS account FROM accounts WHERE EXISTS (SELECT 1 FROM duplicate_queue WHERE account_id = key)
       OR EXISTS (SELECT 1 FROM duplicate_due WHERE account_id = key)
       OR EXISTS (SELECT 1 FROM duplicate_accounts WHERE account_id = key AND (pass IS NOT NULL OR ${OUTDATED} OR ${TO_LEARN}))`,
  )
  const queued = prepare<{ ref: number; turn: number; before: string | null }>(
    db,
    "SELECT rid AS ref, turn, before FROM duplicate_queue WHERE account_id = ? ORDER BY rid LIMIT ?",
  )
  const due = prepare<{ rid: number }>(
    db,
    "SELECT rid FROM duplicate_due WHERE account_id = ? ORDER BY rid LIMIT ?",
  )
  const pass = prepare<{ kind: Pass; place: string | null }>(
    db,
    `SELECT CASE WHEN ${OUTDATED} THEN 'clear' ELSE pass END AS kind, pass_place AS place FROM duplicate_accounts
     WHERE account_id = ? AND (pass IS NOT NULL OR ${OUTDATED})`,
  )
  // As it was written: what a document of an older leaddb lacks, comparing does without.
  const lead = prepare<{ text: string }>(
    db,
    "SELECT data AS text FROM lead_documents WHERE account_id = ? AND rid = ?",
  )
  const twin = prepare<{ rid: number }>(
    db,
    `SELECT t.rid FROM leads l JOIN leads t ON t.account_id = l.account_id AND t.name = l.name AND t.city = l.city
     WHERE l.account_id = ? AND l.rid = ? ORDER BY t.rid LIMIT 1`,
  )
  const members = prepare<{ rid: number }>(
    db,
    "SELECT rid FROM duplicate_keys WHERE account_id = ? AND key = ? LIMIT ?",
  )
  const count = prepare<{ leads: number }>(
    db,
    "SELECT leads FROM duplicate_terms WHERE account_id = ? AND term = ?",
  )
  const leads = prepare<{ n: number }>(db, "SELECT lead_count AS n FROM accounts WHERE key = ?")
  const partners = prepare<{ rid: number }>(
    db,
    `SELECT b AS rid FROM duplicate_pairs INDEXED BY duplicate_pairs_leads WHERE account_id = ?1 AND a = ?2 AND state < 2
     UNION ALL SELECT a FROM duplicate_pairs INDEXED BY duplicate_pairs_b WHERE account_id = ?1 AND b = ?2 AND state < 2`,
  )
  const weights = prepare<{ weights: string | null }>(
    db,
    "SELECT weights FROM duplicate_accounts WHERE account_id = ? AND learning = 1",
  )
  const toLearn = prepare<{ decided: number; learning: number }>(
    db,
    `SELECT decided, learning FROM duplicate_accounts WHERE account_id = ? AND ${TO_LEARN}`,
  )
  const decisions = latestDecisions(db)
  const evidence = prepare<{ ref: number; text: string }>(
    db,
    `SELECT rid AS ref, evidence AS text FROM duplicate_pairs
     WHERE account_id = ? AND rid > ? AND state < 2 ORDER BY rid LIMIT ?`,
  )
  const rids = (rows: { rid: number }[]) => rows.map(({ rid }) => rid)
  return {
    accounts: async () => accounts.all().map(({ account }) => account),
    queued: async (account, most) =>
      queued.all(account, most).map((row) => ({
        ...row,
        before: row.before === null ? null : (JSON.parse(row.before) as MatchedLead),
      })),
    due: async (account, most) => rids(due.all(account, most)),
    pass: async (account) => pass.get(account) ?? undefined,
    ...passLeads(db),
    ...sharedParts(db),
    leads: async (account, refs) =>
      refs.flatMap((ref) => {
        const row = lead.get(account, ref)
        return row ? [{ ref, lead: JSON.parse(row.text) as MatchedLead }] : []
      }),
    async twin(account, ref) {
      const oldest = twin.get(account, ref)?.rid
      return oldest === ref ? undefined : oldest
    },
    members: async (account, keys, most) => keys.map((key) => rids(members.all(account, key, most))),
    counts: async (account, terms) => terms.map((term) => count.get(account, term)?.leads ?? 0),
    leadCount: async (account) => leads.get(account)?.n ?? 0,
    partners: async (account, ref) => rids(partners.all(account, ref)),
    async toLearn(account, most) {
      const row = toLearn.get(account)
      if (!row) return undefined
      const rows = row.learning === 1 ? decisions.all(account, most).reverse() : []
      return { decided: row.decided, decisions: rows.map(decisionOf) }
    },
    evidence: async (account, after, most) =>
      evidence.all(account, after, most).map(({ ref, text }) => ({ ref, evidence: JSON.parse(text) })),
    async weights(account) {
      const kept = weights.get(account)?.weights
      return kept ? JSON.parse(kept) : null
    },
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
  const ensure = matchAccounts(db)
  const addDue = prepare(db, "INSERT OR IGNORE INTO duplicate_due (account_id, rid) VALUES (?, ?)")
  const dropDue = prepare(db, "DELETE FROM duplicate_due WHERE account_id = ? AND rid = ?")
  return (account, updates) => {
    ensure(account)
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
