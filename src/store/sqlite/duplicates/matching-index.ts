// The matcher's tables in the derived file: which leads share keys, how common terms are, and a row for each lead.
import type { Database } from "bun:sqlite"
import { INDEX_VERSION } from "../../contract/duplicates.ts"
import type { DerivedTable } from "../derived/table.ts"
import { prepare } from "../file/database.ts"
import { type LeadEntries, readEntries } from "./entries.ts"

/**
 * Leads that came or changed are queued for the matcher, which makes their entries: words are searched before leads are
 * compared. Leads that are gone leave at once.
 */
export const lead_matching: DerivedTable = {
  name: "lead_matching",
  // Its last digit is the layout of entries.
  version: 10 * INDEX_VERSION + 2,
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
    const forget = ["match_queue", "match_due", "match_keys", "match_terms", "match_entries"].map((table) =>
      prepare(index, `DELETE FROM ${table} WHERE account_id = ?`),
    )
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
  const addKey = prepare(db, "INSERT OR IGNORE INTO match_keys (account_id, key, rid) VALUES (?, ?, ?)")
  const dropKey = prepare(db, "DELETE FROM match_keys WHERE account_id = ? AND key = ? AND rid = ?")
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
        for (const key of before.keys) dropKey.run(account, key, ref)
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
    // In their order in the table: leads share its pages.
    for (const [key, ref] of keys.sort(([x], [y]) => x - y)) addKey.run(account, key, ref)
    for (const [term, by] of [...terms].sort(([x], [y]) => x - y)) {
      if (by !== 0) count.run(account, term, by)
      if (by < 0) dropTerm.run(account, term)
    }
  }

  return { replace }
}
