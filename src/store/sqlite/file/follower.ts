// Fills the derived tables behind the writes. One process at a time does it, by a lease that ends with its work.
import type { Database } from "bun:sqlite"
import type { Indexer, IndexStep } from "../../contract/indexing.ts"
import { sqliteCode } from "../../shared/sqlite-code.ts"
import { prepare } from "../connection/database.ts"
import { currentBoot, epochOf, indexFile, inodeOf, makeIndex, openIndexWriter } from "../derived/file.ts"
import { type FollowedPlace, followedLeads } from "../derived/followed-leads.ts"
import type { DerivedWriter } from "../derived/table.ts"
import { DERIVED_TABLES } from "../derived/tables.ts"
import { openReader, PASSING_CACHE_KIB, shrink } from "./connections.ts"

/** Leads that are written together. */
const STEP = 1_000
/** Milliseconds for which a lease is good: a dead process's ends so. */
const LEASE_MS = 5_000

interface State extends FollowedPlace {
  whole: number
  clean: number
  holder: string | null
  held_until: number
}

/** Errors of a file that is not a database any more. */
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/

/** Opens what fills the derived tables of a database, which must have been opened before. */
export function openIndexer(file: string): Indexer {
  const leads = openReader(file, PASSING_CACHE_KIB)
  const read = followedLeads(leads)
  const self = crypto.randomUUID()
  let tables: IndexTables | undefined

  function opened(): IndexTables {
    // Another process may have made the file anew.
    if (tables && tables.inode === inodeOf(indexFile(file))) return tables
    tables?.close()
    tables = undefined
    if (inodeOf(indexFile(file)) === undefined) makeIndex(file, epochOf(leads))
    tables = openTables(file)
    return tables
  }

  function makeAgain(): void {
    tables?.close()
    tables = undefined
    makeIndex(file, epochOf(leads))
  }

  function step(most: number): IndexStep {
    const { db, writers, state, setState, beginsToWrite } = opened()
    beginsToWrite()
    db.run("BEGIN IMMEDIATE")
    try {
      const from = state.get()!
      const isHeld = from.holder !== null && from.holder !== self && from.held_until > Date.now()
      const part = isHeld ? undefined : read(from, most)
      if (part) {
        for (const writer of writers) writer.apply(part.changes)
        for (const account of part.goneAccounts) for (const writer of writers) writer.forget(account)
        const { high, log, isAll } = part
        const holder = isAll ? null : self
        setState.run(high, log, isAll || from.whole === 1 ? 1 : 0, holder, Date.now() + LEASE_MS)
      }
      db.run("COMMIT")
      if (isHeld) return { leads: 0, isAll: false, isElsewhere: true }
      if (part) return { leads: part.changes.length, isAll: part.isAll, isElsewhere: false }
    } catch (error) {
      if (db.inTransaction) db.run("ROLLBACK")
      throw error
    }
    makeAgain()
    return { leads: 0, isAll: false, isElsewhere: false }
  }

  return {
    async step(most = STEP) {
      try {
        return step(most)
      } catch (error) {
        const code = sqliteCode(error) ?? ""
        if (code.startsWith("SQLITE_BUSY")) return { leads: 0, isAll: false, isElsewhere: true }
        if (!DAMAGED.test(code)) throw error
        makeAgain()
        return { leads: 0, isAll: false, isElsewhere: false }
      }
    },
    async rest() {
      tables?.makeSafe()
      if (tables) shrink(tables.db)
    },
    async close() {
      try {
        tables?.makeSafe()
      } finally {
        tables?.close()
        leads.close()
      }
    },
  }
}

/** Brings the derived tables of a database up to date. */
export async function indexAll(file: string): Promise<void> {
  const indexer = openIndexer(file)
  try {
    for (;;) {
      const { isAll, isElsewhere } = await indexer.step()
      if (isAll) return
      if (isElsewhere) await Bun.sleep(20)
    }
  } finally {
    await indexer.close()
  }
}

type IndexTables = ReturnType<typeof openTables>

function openTables(file: string) {
  const inode = inodeOf(indexFile(file))
  const db = openIndexWriter(file)
  const writers: DerivedWriter[] = DERIVED_TABLES.map((table) => table.open(db))
  const state = prepare<State, []>(db, "SELECT high, log, whole, clean, holder, held_until FROM index_state")
  const setState = prepare(
    db,
    "UPDATE index_state SET high = ?, log = ?, whole = ?, holder = ?, held_until = ?",
  )
  let isWriting = false

  /** Waits for the disk, so that a file which is written without waiting never passes for a safe one. */
  function beginsToWrite(): void {
    isWriting = true
    if (state.get()!.clean === 1) safely(db, () => setClean(db, 0))
  }

  /** Brings everything to the disk, so that the next start of the machine finds it whole. */
  function makeSafe(): void {
    if (!isWriting) return
    isWriting = false
    safely(db, () => {
      // Something must be new for the pages to be waited for.
      db.query("UPDATE index_state SET held_until = ?").run(Date.now())
      db.run("PRAGMA wal_checkpoint(TRUNCATE)")
      setClean(db, 1)
    })
  }

  return { db, inode, writers, state, setState, beginsToWrite, makeSafe, close: () => db.close() }
}

function setClean(db: Database, clean: 0 | 1): void {
  db.query("UPDATE index_state SET clean = ?, boot = ?").run(clean, currentBoot())
}

function safely(db: Database, work: () => void): void {
  db.run("PRAGMA synchronous = FULL")
  try {
    work()
  } finally {
    db.run("PRAGMA synchronous = OFF")
  }
}
