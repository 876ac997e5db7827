// The matcher's tables in the derived file, on a connection of its own. One process at a time works with them.
import type { Compared, IndexUpdate, KeptEntries, MatchingStore } from "../../contract/matching.ts"
import { sqliteCode } from "../../shared/sqlite-code.ts"
import { LEAST_KEY, PART, wholeKeys } from "../../tables/duplicates/index-parts.ts"
import { prepare } from "../connection/database.ts"
import { packed, readEntries, rowIn } from "../derived/entries.ts"
import { indexFile, inodeOf, openIndexWriter } from "../derived/file.ts"
import { indexEntries, keyRowsWhere } from "../derived/matching-index.ts"
import { shrink } from "../file/connections.ts"

/** How long the tables stay leased to a process that has died. */
const LEASE_MS = 10_000

type IndexReads = Pick<
  MatchingStore,
  "queued" | "due" | "members" | "counts" | "sharedKeys" | "sharedTerms" | "index" | "clear"
>

interface MatchIndex {
  store: IndexReads
  kept: Pick<KeptEntries, "entries" | "rows" | "count" | "age">
  /** Leases the tables to this process, or renews that: false while another process has them. */
  take(): boolean
  /** Whether the lease still holds, which this renews. */
  isHeld(): boolean
  release(): void
  /** Accounts with leads to index or to compare. */
  accounts(): number[]
  /** Takes leads that were compared out of the queue. */
  done(account: number, results: readonly Compared[]): void
  /** Gives back memory that is filled again by what is read next. */
  shrink(): void
  close(): void
}

/** Undefined where another process writes the file for longer than it is waited for: it has the tables then. */
function unlessLocked<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (sqliteCode(error)?.startsWith("SQLITE_BUSY")) return undefined
    throw error
  }
}

export function openMatchIndex(file: string): MatchIndex {
  const holder = crypto.randomUUID()
  let opened: ReturnType<typeof openTables> | undefined

  function tables(): ReturnType<typeof openTables> {
    return opened ?? current()
  }

  /** The tables as they are: another process may have made the file again. */
  function current(): ReturnType<typeof openTables> {
    const inode = inodeOf(indexFile(file))
    if (opened && opened.inode === inode) return opened
    opened?.db.close()
    opened = undefined
    opened = openTables(file, inode)
    return opened
  }

  /** Raised when another process may have written since this one had the lease. */
  let age = 0
  let leased: ReturnType<typeof openTables> | undefined

  function lease(at: ReturnType<typeof openTables>): boolean {
    const now = Date.now()
    const last = at.last.get()?.last
    if (at.take.run(holder, now + LEASE_MS, holder, now).changes === 0) return false
    if (at !== leased || last !== holder) age++
    leased = at
    return true
  }

  function take(): boolean {
    return inodeOf(indexFile(file)) !== undefined && (unlessLocked(() => lease(current())) ?? false)
  }

  /**
   * Does nothing where another process has the tables by now, or has made them again: it finds all that is to be done
   * where this one did.
   */
  function write(work: (at: ReturnType<typeof openTables>) => void): void {
    const at = tables()
    const isThere = () => inodeOf(indexFile(file)) === at.inode
    if (!isThere()) return
    const transaction = at.db.transaction(() => {
      if (isThere() && lease(at)) work(at)
    })
    unlessLocked(transaction.immediate)
  }

  const release = () => void unlessLocked(() => opened?.release.run(holder))
  const entries = keptEntries(tables)

  return {
    take,
    isHeld: take,
    release,
    accounts: () =>
      tables()
        .accounts.all()
        .map(({ account }) => account),
    done: (account, results) =>
      write(({ dropDue }) => {
        for (const { ref } of results) dropDue.run(account, ref)
      }),
    shrink() {
      if (opened) shrink(opened.db)
    },
    close() {
      release()
      opened?.db.close()
      opened = undefined
    },
    kept: { ...entries, age: () => age },
    store: {
      async queued(account, most) {
        return tables()
          .queued.all(account, most)
          .map((row) => ({ ...row, before: null }))
      },
      due: async (account, most) =>
        tables()
          .due.all(account, most)
          .map(({ rid }) => rid),
      async members(account, keys, most) {
        const { membersOf, inSnapshot } = tables()
        return inSnapshot(
          () => new Map(keys.map((key) => [key, membersOf.all(account, key, most).map(({ rid }) => rid)])),
        )
      },
      counts: async (account, terms) => new Map(terms.map((term) => [term, entries.count(account, term)])),
      async sharedKeys(account, after, most, least) {
        const rows = tables().keys.all(account, after ?? LEAST_KEY)
        return wholeKeys(
          rows.map(({ key, rid }) => [key, rid] as const),
          most,
          least,
        )
      },
      async sharedTerms(account, after, least) {
        const rows = tables().terms.all(account, after ?? LEAST_KEY, least)
        return { rows, next: rows.length < PART ? undefined : rows.at(-1)!.term }
      },
      index: async (account, updates) => write((at) => at.index(account, updates)),
      clear: async () => undefined,
    },
  }
}

/** Entries of leads as the index has them. */
function keptEntries(
  tables: () => ReturnType<typeof openTables>,
): Pick<MatchIndex["kept"], "entries" | "rows" | "count"> {
  return {
    entries(account, ref) {
      const row = tables().entriesOf.get(ref)
      return row?.account_id === account ? readEntries(row.data) : undefined
    },
    rows(account, refs) {
      const { entriesOf, inSnapshot } = tables()
      return inSnapshot(() =>
        refs.map((ref) => {
          const row = entriesOf.get(ref)
          return row?.account_id === account ? rowIn(row.data) : undefined
        }),
      )
    },
    count: (account, term) => tables().countOf.get(account, term)?.leads ?? 0,
  }
}

function openTables(file: string, inode: number | undefined) {
  const db = openIndexWriter(file)
  const { replace } = indexEntries(db)
  const transaction = db.transaction((read: () => unknown) => read())
  /** Reads together: alone, each lookup locks the file. */
  const inSnapshot = <T>(read: () => T) => transaction(read) as T
  const takeOut = prepare(db, "DELETE FROM match_queue WHERE account_id = ? AND rid = ? AND turn = ?")

  function index(account: number, updates: readonly IndexUpdate[]): void {
    // Leads that have changed since they were read are still in the queue.
    const taken = updates.filter(({ ref, turn }) => takeOut.run(account, ref, turn ?? 0).changes > 0)
    replace(
      account,
      taken.map(({ ref, entries }) => ({
        ref,
        entries: entries && packed(entries),
        isDue: entries !== undefined,
      })),
    )
  }

  return {
    ...{ db, inode, index, inSnapshot },
    take: prepare(
      db,
      `UPDATE match_lease SET holder = ?1, last = ?1, until = ?2 WHERE holder IS NULL OR holder = ?3 OR until <= ?4`,
    ),
    last: prepare<{ last: string | null }, []>(db, "SELECT last FROM match_lease"),
    release: prepare(db, "UPDATE match_lease SET holder = NULL, until = 0 WHERE holder = ?"),
    accounts: prepare<{ account: number }, []>(
      db,
      `SELECT key AS account FROM (SELECT DISTINCT account_id AS key FROM match_queue
         UNION SELECT DISTINCT account_id FROM match_due)`,
    ),
    queued: prepare<{ ref: number; turn: number }>(
      db,
      "SELECT rid AS ref, turn FROM match_queue WHERE account_id = ? ORDER BY rid LIMIT ?",
    ),
    due: prepare<{ rid: number }>(db, "SELECT rid FROM match_due WHERE account_id = ? ORDER BY rid LIMIT ?"),
    dropDue: prepare(db, "DELETE FROM match_due WHERE account_id = ? AND rid = ?"),
    entriesOf: prepare<{ account_id: number; data: Uint8Array }>(
      db,
      "SELECT account_id, data FROM match_entries WHERE rid = ?",
    ),
    membersOf: prepare<{ rid: number }>(db, `${keyRowsWhere("key = ?2")} LIMIT ?3`),
    countOf: prepare<{ leads: number }>(
      db,
      "SELECT leads FROM match_terms WHERE account_id = ? AND term = ?",
    ),
    keys: prepare<{ key: number; rid: number }>(
      db,
      `${keyRowsWhere("key > ?2")} ORDER BY key, rid LIMIT ${PART}`,
    ),
    terms: prepare<{ term: number; leads: number }>(
      db,
      `SELECT term, leads FROM match_terms WHERE account_id = ? AND term > ? AND leads >= ?
       ORDER BY term LIMIT ${PART}`,
    ),
  }
}
