// The matcher's tables in the derived file: which leads share keys, how common terms are, and a row for each lead.
import type { Database } from "bun:sqlite"
import { INDEX_VERSION } from "../../contract/duplicates.ts"
import { LEAST_KEY, MOST_KEY } from "../../tables/duplicates/index-parts.ts"
import { prepare } from "../connection/database.ts"
import { type LeadEntries, readEntries } from "./entries.ts"
import type { DerivedTable } from "./table.ts"

/**
 * Leads that came or changed are queued for the matcher, which makes their entries: words are searched before leads are
 * compared. Leads that are gone leave at once.
 */
export const lead_matching: DerivedTable = {
  name: "lead_matching",
  // Its last digit is the layout of entries.
  version: 10 * INDEX_VERSION + 4,
  create: `CREATE TABLE match_queue (
    account_id INTEGER NOT NULL,
    rid INTEGER NOT NULL,
    turn INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, rid)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE match_due (
    account_id INTEGER NOT NULL,
    rid INTEGER NOT NULL,
    PRIMARY KEY (account_id, rid)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE match_keys (
    account_id INTEGER NOT NULL,
    key INTEGER NOT NULL,
    rid INTEGER NOT NULL,
    PRIMARY KEY (account_id, key, rid)
  ) STRICT, WITHOUT ROWID;
  -- The latest rows of match_keys, which join it many at a time: keys fall on pages all over that table
  CREATE TABLE match_new_keys (
    account_id INTEGER NOT NULL,
    key INTEGER NOT NULL,
    rid INTEGER NOT NULL,
    PRIMARY KEY (account_id, key, rid)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE match_terms (
    account_id INTEGER NOT NULL,
    term INTEGER NOT NULL,
    leads INTEGER NOT NULL,
    PRIMARY KEY (account_id, term)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE match_entries (
    rid INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL,
    data BLOB NOT NULL
  ) STRICT;
  CREATE TABLE match_lease (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    holder TEXT,
    last TEXT,
    until INTEGER NOT NULL
  ) STRICT;
  INSERT INTO match_lease VALUES (1, NULL, NULL, 0);`,
  open(index) {
    const queue = prepare(
      index,
      `INSERT INTO match_queue (account_id, rid) VALUES (?, ?) ON CONFLICT DO UPDATE SET turn = turn + 1`,
    )
    const unqueue = prepare(index, "DELETE FROM match_queue WHERE account_id = ? AND rid = ?")
    const entries = indexEntries(index)
    const tables = [
      "match_queue",
      "match_due",
      "match_keys",
      "match_new_keys",
      "match_terms",
      "match_entries",
    ]
    const forget = tables.map((table) => prepare(index, `DELETE FROM ${table} WHERE account_id = ?`))
    return {
      apply(changes) {
        for (const { account, ref, lead } of changes) {
          if (lead) queue.run(account, ref)
          else {
            unqueue.run(account, ref)
            entries.replace(account, [{ ref, entries: undefined, isDue: false }])
          }
        }
      },
      forget(account) {
        for (const each of forget) each.run(account)
      },
    }
  },
}

/** SQL for the rows of an account, ?1, that a test of their key holds for. */
export function keyRowsWhere(test: string): string {
  const of = (table: string) => `SELECT key, rid FROM ${table} WHERE account_id = ?1 AND ${test}`
  return `${of("match_keys")} UNION ALL ${of("match_new_keys")}`
}

/** Rows of an account that stay in the table of the latest ones: of some 3,000 leads, on 200 pages. */
const NEW_MAX = 50_000
/** Rows that join the others together at least. */
const JOINING = 2_000

/**
 * Writes keys. Leads have 16 that lie anywhere among all: written at once, each changes a page of its own. So they wait in a
 * small table, and what is more than it should hold joins the others, a stretch of neighbours after another.
 */
function newKeys(db: Database) {
  const count = prepare<{ n: number }>(db, "SELECT count(*) AS n FROM match_new_keys WHERE account_id = ?")
  const insert = prepare(db, "INSERT OR IGNORE INTO match_new_keys (account_id, key, rid) VALUES (?, ?, ?)")
  const end = prepare<{ key: number }>(
    db,
    "SELECT key FROM match_new_keys WHERE account_id = ? AND key > ? ORDER BY key LIMIT 1 OFFSET ?",
  )
  const stretch = "FROM match_new_keys WHERE account_id = ? AND key > ? AND key <= ?"
  const join = prepare(
    db,
    `INSERT OR IGNORE INTO match_keys SELECT account_id, key, rid ${stretch} ORDER BY key, rid`,
  )
  const leave = prepare(db, `DELETE ${stretch}`)
  const drops = ["match_keys", "match_new_keys"].map((table) =>
    prepare(db, `DELETE FROM ${table} WHERE account_id = ? AND key = ? AND rid = ?`),
  )
  /** How many rows an account has there, at most, and behind which key the next ones join. */
  const accounts = new Map<number, { rows: number; after: number }>()

  return {
    drop(account: number, key: number, ref: number): void {
      for (const one of drops) one.run(account, key, ref)
    },
    add(account: number, keys: [key: number, ref: number][]): void {
      if (keys.length === 0) return
      const counts = accounts.getOrInsertComputed(account, () => ({
        rows: count.get(account)!.n,
        after: LEAST_KEY,
      }))
      // In their order in the table: leads share its pages.
      for (const [key, ref] of keys.sort(([x], [y]) => x - y)) insert.run(account, key, ref)
      counts.rows += keys.length
      while (counts.rows > NEW_MAX) {
        const last = end.get(account, counts.after, JOINING - 1)?.key ?? MOST_KEY
        join.run(account, counts.after, last)
        counts.rows -= leave.run(account, counts.after, last).changes
        counts.after = last
        if (last === MOST_KEY) Object.assign(counts, { rows: count.get(account)!.n, after: LEAST_KEY })
      }
    },
  }
}

interface EntriesChange {
  ref: number
  /** Undefined for a lead that has none any more. */
  entries: LeadEntries | undefined
  /** The lead is to be compared with others. */
  isDue: boolean
}

/** Writes entries of leads in place of those that they had. */
export function indexEntries(db: Database) {
  const had = prepare<{ account_id: number; data: Uint8Array }>(
    db,
    "SELECT account_id, data FROM match_entries WHERE rid = ?",
  )
  const keep = prepare(db, "INSERT OR REPLACE INTO match_entries (rid, account_id, data) VALUES (?, ?, ?)")
  const drop = prepare(db, "DELETE FROM match_entries WHERE rid = ?")
  const keyRows = newKeys(db)
  const count = prepare(
    db,
    `INSERT INTO match_terms (account_id, term, leads) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET leads = leads + excluded.leads`,
  )
  const dropTerm = prepare(db, "DELETE FROM match_terms WHERE account_id = ? AND term = ? AND leads <= 0")
  const addDue = prepare(db, "INSERT OR IGNORE INTO match_due (account_id, rid) VALUES (?, ?)")
  const dropDue = prepare(db, "DELETE FROM match_due WHERE account_id = ? AND rid = ?")

  function replace(account: number, changes: readonly EntriesChange[]): void {
    const keys: [key: number, ref: number][] = []
    const terms = new Map<number, number>()
    const add = (all: Iterable<number>, by: number) => {
      for (const term of all) terms.set(term, (terms.get(term) ?? 0) + by)
    }
    for (const { ref, entries, isDue } of changes) {
      const row = had.get(ref)
      const before = row?.account_id === account ? readEntries(row.data) : undefined
      if (before) {
        for (const key of before.keys) keyRows.drop(account, key, ref)
        add(before.terms, -1)
      }
      if (entries) {
        for (const key of entries.keys) keys.push([key, ref])
        add(entries.terms, 1)
        keep.run(ref, account, entries.data)
      } else if (before) drop.run(ref)
      if (isDue) addDue.run(account, ref)
      else dropDue.run(account, ref)
    }
    keyRows.add(account, keys)
    for (const [term, by] of [...terms].sort(([x], [y]) => x - y)) {
      if (by !== 0) count.run(account, term, by)
      if (by < 0) dropTerm.run(account, term)
    }
  }

  return { replace }
}
