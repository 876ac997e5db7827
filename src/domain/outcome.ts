import { AppError, type ErrorKind } from "../core/errors.ts"
import type { Transaction } from "../store/contract/store.ts"

/** What became of one item of a batch: its value, or what its sender is told. */
export type ItemOutcome<T> = { value: T } | { error: string; kind?: ErrorKind }

export function outcomeOf<T>(work: () => T): ItemOutcome<T> {
  try {
    return { value: work() }
  } catch (error) {
    return failure(error)
  }
}

/** The same for work that writes: when it fails, what it wrote is undone. */
export async function outcomeOfWrite<T>(tx: Transaction, work: () => Promise<T>): Promise<ItemOutcome<T>> {
  try {
    return { value: await tx.attempt(work) }
  } catch (error) {
    return failure(error)
  }
}

/** A failure that the item's sender can act on; any other ends the batch. */
function failure(error: unknown): { error: string; kind: ErrorKind } {
  if (error instanceof AppError && error.status < 500) return { error: error.message, kind: error.kind }
  throw error
}
