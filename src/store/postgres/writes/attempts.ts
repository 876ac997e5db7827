import { RedoError, type Transactional } from "./transaction.ts"

export interface Attempts {
  /** Runs a part of a work; when it throws, what it wrote is undone. */
  attempt<T>(work: () => Promise<T>): Promise<T>
  /** Whether something has to be undone that no savepoint was made for. */
  mustRedo(): boolean
  /** Begins anew: with savepoints, or without. */
  begin(isCareful: boolean): void
}

/**
 * Savepoints cost round trips, and next to nobody needs them: attempts go without. What failed before it wrote anything
 * needs no undoing; when something did write, or the database refused a statement, all works are done again with them.
 */
export function createAttempts(transaction: Transactional): Attempts {
  let careful = false
  let redo = false

  async function inSavepoint<T>(work: () => Promise<T>): Promise<T> {
    transaction.flush()
    await transaction.settled()
    await transaction.control("SAVEPOINT work")
    const restore = transaction.snapshot()
    try {
      const value = await work()
      transaction.flush()
      await transaction.settled()
      await transaction.control("RELEASE work")
      return value
    } catch (error) {
      await transaction.discard()
      await transaction.control("ROLLBACK TO work")
      await transaction.control("RELEASE work")
      restore()
      throw error
    }
  }

  return {
    async attempt(work) {
      if (careful) return inSavepoint(work)
      if (redo) throw new RedoError("the transaction has failed")
      const before = transaction.written()
      try {
        return await work()
      } catch (error) {
        if (transaction.isBroken() || transaction.written() !== before) {
          redo = true
          transaction.breakOff()
        }
        throw error
      }
    },
    mustRedo: () => redo || (!careful && transaction.isBroken()),
    begin(isCareful) {
      careful = isCareful
      redo = false
    },
  }
}
