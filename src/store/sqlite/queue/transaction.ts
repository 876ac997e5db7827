// The transaction of a group of writes: how it begins, what of it waits to be written, how a part of it is undone, and
// what it knows of accounts.
import type { Database, Statement } from "bun:sqlite"
import { AppError } from "../../../runtime/errors.ts"
import { sqliteCode } from "../../shared/sqlite-code.ts"
import type { AccountColumns, AccountValues } from "../../sql/account-columns.ts"
import type { WriteDb } from "../../sql/db.ts"
import type { ColumnValue } from "../../sql/schema/lead-rows.ts"
import { prepare } from "../connection/database.ts"

/** How long a group tries to get the file from another process before its writes are refused. */
const BUSY_PATIENCE_MS = 10_000

/**
 * Begins a write transaction; waits while another process has the file. Only the first try may block the event loop meanwhile,
 * as long as the connection's own patience.
 */
export function patientBegin(db: Database, begun?: () => void): () => Promise<void> {
  const begin = db.prepare("BEGIN IMMEDIATE")
  const busyTimeout = db.prepare<{ timeout: number }, []>("PRAGMA busy_timeout")
  async function again(error: unknown): Promise<void> {
    const { timeout } = busyTimeout.get()!
    const patience = performance.now() + BUSY_PATIENCE_MS - timeout
    db.run("PRAGMA busy_timeout = 0")
    try {
      for (let last = error; ; ) {
        if (!sqliteCode(last)?.startsWith("SQLITE_BUSY") || performance.now() > patience) throw last
        await Bun.sleep(5 + Math.random() * 20)
        try {
          begin.run()
          return
        } catch (error) {
          last = error
        }
      }
    } finally {
      db.run(`PRAGMA busy_timeout = ${timeout}`)
    }
  }
  return async () => {
    try {
      begin.run()
    } catch (error) {
      await again(error)
    }
    begun?.()
  }
}

/** The last is for the index of the log, which has to grow at every 4,096th page. */
const FULL: ReadonlySet<string> = new Set(["SQLITE_FULL", "SQLITE_IOERR_SHMSIZE"])

/** The client's error when the file could not be written. */
export function asStorageError(error: unknown): unknown {
  const code = sqliteCode(error)
  if (code && FULL.has(code)) {
    return new AppError("storage_full", "The disk is full: nothing was saved. Reading still works", {
      cause: error,
    })
  }
  if (code?.startsWith("SQLITE_BUSY")) {
    const message = "Another process is holding the database: nothing was saved. Try again in a moment"
    return new AppError("unavailable", message, { headers: { "Retry-After": "1" }, cause: error })
  }
  return error
}

export interface Attempts {
  /** Runs a part of the work of `perform`; when it throws, what it wrote is undone. Costs next to nothing. */
  attempt<T>(work: () => Promise<T>): Promise<T>
  /**
   * Runs a whole work, `attempt`s and all. Throws `RedoError` when what it wrote has to be undone, and the work to be
   * run again with `performCarefully`.
   */
  perform<T>(work: () => Promise<T>): Promise<T>
  performCarefully<T>(work: () => Promise<T>): Promise<T>
}

/** Something was written by an attempt that failed, without a savepoint to undo it. */
export class RedoError extends Error {}

/**
 * A savepoint copies every page that is written in it: one for each lead makes a batch of 500 five times slower, and a
 * create among others takes 75 us more. So attempts go without. What failed before it wrote anything needs no undoing;
 * when something did write, its whole work is done again, with savepoints.
 */
export function createAttempts(db: Database, pending: PendingWrites): Attempts {
  const savepoint = db.prepare("SAVEPOINT work")
  const release = db.prepare("RELEASE work")
  const rollbackTo = db.prepare("ROLLBACK TO work")
  const total = db.prepare<{ written: number }, []>("SELECT total_changes() AS written")
  let careful = false
  let mustRedo = false

  async function inSavepoint<T>(work: () => Promise<T>): Promise<T> {
    pending.flush()
    savepoint.run()
    try {
      const value = await work()
      pending.flush()
      release.run()
      return value
    } catch (error) {
      pending.discard()
      // A full disk has already undone the whole transaction.
      if (db.inTransaction) {
        rollbackTo.run()
        release.run()
      }
      throw error
    }
  }

  const written = () => total.get()!.written + pending.count()

  /** Pending writes of an attempt end with it, so a failed flush runs the group again. */
  function flushIfLarge(): void {
    try {
      pending.flushIfLarge()
    } catch (error) {
      mustRedo = db.inTransaction
      throw error
    }
  }

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    if (careful) return inSavepoint(work)
    flushIfLarge()
    const before = written()
    try {
      return await work()
    } catch (error) {
      if (db.inTransaction && written() !== before) mustRedo = true
      throw error
    }
  }

  async function perform<T>(work: () => Promise<T>): Promise<T> {
    mustRedo = false
    try {
      const value = await work()
      if (!mustRedo) {
        // When this fails, only savepoints tell which attempt is to blame.
        mustRedo = true
        pending.flush()
        return value
      }
    } catch (error) {
      if (!mustRedo || !db.inTransaction) throw error
    } finally {
      pending.discard()
    }
    throw new RedoError("an attempt failed after it had written")
  }

  async function performCarefully<T>(work: () => Promise<T>): Promise<T> {
    careful = true
    try {
      return await inSavepoint(work)
    } finally {
      careful = false
    }
  }

  return { attempt, perform, performCarefully }
}

/** Rows that count as many: of some 80 leads, which take 5 ms to write. */
const LARGE = 1_000

type Insert = Statement<unknown, ColumnValue[]>

/** Writes the values that were deferred for it, in that order. */
export interface BulkWriter<T> {
  write(all: readonly T[]): void
}

/** Inserts of a transaction that wait until its work is done or reads them. */
export interface PendingWrites {
  /** Defers an insert. */
  insert(statement: Insert, ...values: ColumnValue[]): void
  /** Defers a value that a writer of its own writes. */
  defer<T>(writer: BulkWriter<T>, value: T): void
  /** Whether anything waits for a writer. */
  hasPending<T>(writer: BulkWriter<T>): boolean
  /** Says that rows of the lead with this rid, or changes of the lead with this id, are among those that wait. */
  markPending(lead: number | string): void
  /** Writes everything when rows or changes of this lead wait; without a lead, when those of any do. */
  flushFor(lead?: number | string): void
  /** Writes everything. Throws what SQLite throws; then nothing waits any more. */
  flush(): void
  /** Writes everything once so much waits that writing it at the end would hold up other requests. */
  flushIfLarge(): void
  /** Forgets everything. */
  discard(): void
  /** Grows with everything that is deferred or written. */
  count(): number
}

/**
 * Defers inserts into tables that the rest of a work hardly ever reads, so that a batch writes table after table. Lead
 * after lead takes 14 us more a lead, 5 % of a batch: a table's pages and statement have left the processor's cache by
 * the time they are needed again.
 */
export function createPendingWrites(): PendingWrites {
  const waiting = new Map<Insert, ColumnValue[][]>()
  const deferred = new Map<BulkWriter<never>, unknown[]>()
  const marked = new Set<number | string>()
  let count = 0
  let puts = 0

  function discard(): void {
    waiting.clear()
    deferred.clear()
    marked.clear()
    puts = 0
  }

  function flush(): void {
    if (waiting.size === 0 && deferred.size === 0) return
    const all = [...waiting]
    const writers = [...deferred]
    discard()
    count++
    for (const [writer, values] of writers) writer.write(values as never[])
    for (const [statement, rows] of all) for (const row of rows) statement.run(...row)
  }

  return {
    insert(statement, ...values) {
      count++
      puts++
      const rows = waiting.get(statement)
      if (rows) rows.push(values)
      else waiting.set(statement, [values])
    },
    defer(writer, value) {
      count++
      puts++
      const values = deferred.get(writer as BulkWriter<never>)
      if (values) values.push(value)
      else deferred.set(writer as BulkWriter<never>, [value])
    },
    hasPending: (writer) => deferred.has(writer as BulkWriter<never>),
    markPending: (lead) => void marked.add(lead),
    flushFor(lead) {
      if (lead === undefined ? marked.size > 0 : marked.has(lead)) flush()
    },
    flush,
    flushIfLarge() {
      if (puts > LARGE) flush()
    },
    discard,
    count: () => count,
  }
}

type Name = keyof AccountValues

const EMPTY: AccountValues = {
  lead_count: 0,
  stored_bytes: 0,
  rules_revision: 0,
  segments_heard: 0,
  suppression_count: 0,
  suppressed_kinds: 0,
  default_country: null,
}
const NAMES = Object.keys(EMPTY) as Name[]
const texts = (text: (name: Name) => string) =>
  Object.fromEntries(NAMES.map((name) => [name, text(name)])) as Record<Name, string>
const GET = texts((name) => `SELECT ${name} AS value FROM accounts WHERE key = $1`)
const SET = texts((name) => `UPDATE accounts SET ${name} = $2 WHERE key = $1`)
const ADD_BYTES = "UPDATE accounts SET stored_bytes = max(0, stored_bytes + $2) WHERE key = $1"

/** Columns that each lead changes, by what of them waits. */
const TOTALS: Partial<Record<Name, "leads" | "bytes">> = { lead_count: "leads", stored_bytes: "bytes" }

/** Accounts' own rows in SQLite, written at once but for their totals. */
export function accountColumns(db: WriteDb, memo: GroupMemo, totals: AccountTotals): AccountColumns {
  async function read<One extends Name>(account: number, name: One): Promise<AccountValues[One]> {
    const row = await db.get<{ value: AccountValues[One] }>(GET[name], [account])
    return row ? row.value : EMPTY[name]
  }
  async function get<One extends Name>(account: number, name: One): Promise<AccountValues[One]> {
    const total = TOTALS[name]
    if (total === undefined) return memo.of(`${name} ${account}`, () => read(account, name))
    const written = (await read(account, name)) as number
    return (written + totals.waiting(account)[total]) as AccountValues[One]
  }
  return {
    get,
    reader: (name) => (account) => get(account, name),
    async set(account, name, value) {
      db.later(SET[name], [account, value])
    },
    async addBytes(account, bytes) {
      if (bytes !== 0) db.later(ADD_BYTES, [account, bytes])
    },
    flush: () => undefined,
  }
}

/** What the writes of a group ask again and again: whether anybody listens, rules' revisions, kinds of the do-not-contact list. */
export interface GroupMemo {
  /** What `read` gives; from memory where the group has asked it before and has written nothing but leads. */
  of<T>(question: string, read: () => Promise<T>): Promise<T>
  /** Something besides leads is written: until the next group, everything is read. */
  close(): void
  /** A transaction has begun. */
  begun(): void
}

/** `closed` is called when the memo closes, and with everything else that is written. */
export function createGroupMemo(closed: () => void): GroupMemo {
  const answers = new Map<string, Promise<unknown>>()
  let isOpen = false
  return {
    of<T>(question: string, read: () => Promise<T>) {
      if (!isOpen) return read()
      return answers.getOrInsertComputed(question, read) as Promise<T>
    },
    close() {
      isOpen = false
      closed()
    },
    begun() {
      answers.clear()
      isOpen = true
    },
  }
}

/** Statements of everything but leads, whose writes close the memo. */
export function closing(db: WriteDb, memo: GroupMemo): WriteDb {
  return {
    ...db,
    run(sql, params) {
      memo.close()
      return db.run(sql, params)
    },
    later(sql, params) {
      memo.close()
      db.later(sql, params)
    },
    put(bulk, row) {
      memo.close()
      db.put(bulk, row)
    },
  }
}

/** Leads and bytes of accounts, which a transaction adds up and writes with what else waits. */
export interface AccountTotals {
  add(account: number, leads: number, bytes: number): void
  /** What was added and is not written yet. */
  waiting(account: number): { leads: number; bytes: number }
}

const NOTHING = { leads: 0, bytes: 0 }

export function accountTotals(db: Database, pending: PendingWrites): AccountTotals {
  const write = prepare(
    db,
    "UPDATE accounts SET lead_count = lead_count + ?, stored_bytes = max(0, stored_bytes + ?) WHERE key = ?",
  )
  const sums = new Map<number, { leads: number; bytes: number }>()
  const writer: BulkWriter<null> = {
    write() {
      for (const [account, { leads, bytes }] of sums) write.run(leads, bytes, account)
      sums.clear()
    },
  }
  return {
    add(account, leads, bytes) {
      if (!pending.hasPending(writer)) {
        // Those of a transaction that was undone.
        sums.clear()
        pending.defer(writer, null)
      }
      const sum = sums.getOrInsertComputed(account, () => ({ ...NOTHING }))
      sum.leads += leads
      sum.bytes += bytes
    },
    waiting: (account) => (pending.hasPending(writer) && sums.get(account)) || NOTHING,
  }
}
