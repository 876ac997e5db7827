import type { Database } from "bun:sqlite"
import type { PendingWrites } from "./pending-writes.ts"

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
