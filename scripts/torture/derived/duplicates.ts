// Reads a database's duplicates: the matcher's tables in the derived index, and the pairs that it finds.
import { Database } from "bun:sqlite"
import { systemClock, unixSeconds } from "../../../src/runtime/clock.ts"
import { indexFile } from "../../../src/store/sqlite/derived/file.ts"
import { openMatchingStore, type SqliteStore } from "../../../src/store/sqlite/index.ts"
import { matcherAlone } from "../../../test/support/matcher.ts"

/** Tables of the index that follow from the leads alone, and what is compared of each. */
const TABLES = {
  match_entries: "rid, account_id, hex(data) AS data",
  "(SELECT * FROM match_keys UNION ALL SELECT * FROM match_new_keys)": "account_id, key, rid",
  match_terms: "account_id, term, leads",
} as const

/** Pairs that no other order of comparing leaves out: how common a word is counts when its leads are compared. */
const CERTAIN = 0.99

interface Duplicates {
  /** The rows of each of the matcher's tables, as text. */
  tables: Record<string, string>
  /** Pairs once what was left to compare is compared, and those of them that are certain. */
  found: Set<string>
  certain: Set<string>
  /** Pairs after all leads were compared again, with their probabilities. */
  pairs: string
}

/** Compares what waits, then all leads again. The index must be up to date, and nothing else may have the files open. */
export async function duplicatesOf(file: string, store: SqliteStore): Promise<Duplicates> {
  await compareAll(file)
  const first = pairsOf(file)
  for (const { key } of await store.read.accounts.list()) {
    await store.write(key, (tx) => tx.duplicates.startPass(key))
  }
  await compareAll(file)
  const namesOf = (pairs: readonly Pair[]) => new Set(pairs.map(({ a, b }) => `${a} and ${b}`))
  return {
    tables: tablesOf(file),
    found: namesOf(first),
    certain: namesOf(first.filter(({ probability }) => probability >= CERTAIN)),
    pairs: JSON.stringify(pairsOf(file)),
  }
}

/** Differences between the two, in words. */
export function differencesOf(here: Duplicates, anew: Duplicates): string[] {
  const wrong = Object.keys(TABLES).filter((table) => here.tables[table] !== anew.tables[table])
  const lost = [...anew.certain].filter((pair) => !here.found.has(pair))
  return [
    ...wrong.map((table) => `${table} brought up to date`),
    ...lost.map((pair) => `the leads ${pair} were not compared`),
    ...(here.pairs === anew.pairs ? [] : ["pairs after a rescan"]),
  ]
}

async function compareAll(file: string): Promise<void> {
  const matching = openMatchingStore(file)
  try {
    const matcher = matcherAlone(matching, () => unixSeconds(systemClock.now()))
    await matcher.work()
  } finally {
    await matching.close()
  }
}

function tablesOf(file: string): Record<string, string> {
  using db = new Database(indexFile(file), { readonly: true })
  const rows = (table: string, columns: string) =>
    db.query(`SELECT ${columns} FROM ${table} ORDER BY 1, 2, 3`).values().join("\n")
  return Object.fromEntries(Object.entries(TABLES).map(([table, columns]) => [table, rows(table, columns)]))
}

interface Pair {
  a: number
  b: number
  probability: number
}

function pairsOf(file: string): Pair[] {
  using db = new Database(file, { readonly: true })
  return db
    .query<Pair, []>(
      "SELECT a, b, round(probability, 6) AS probability FROM duplicate_pairs WHERE state < 2 ORDER BY a, b",
    )
    .all()
}
