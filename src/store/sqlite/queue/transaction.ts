// The transaction of a group of writes: how it begins, what of it waits to be written, and how a part of it is undone.
import type { Database, Statement } from "bun:sqlite"
import { AppError } from "../../../runtime/errors.ts"
import { sqliteCode } from "../../shared/sqlite-code.ts"
import type { ColumnValue } from "../../sql/schema/lead-columns.ts"

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
