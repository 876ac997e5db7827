import { AppError, type ErrorKind } from "../runtime/errors.ts"
import type { Transaction } from "../store/contract/store.ts"

/** The outcome of one item of a batch: its value, or the message for the client. */
export type ItemOutcome<T> = { value: T } | { error: string; kind?: ErrorKind }

export function outcomeOf<T>(work: () => T): ItemOutcome<T> {
  try {
    return { value: work() }
  } catch (error) {
    return failure(error)
  }
}

/** Like `outcomeOf`, for work that writes: a failure rolls its writes back. */
export async function outcomeOfWrite<T>(
  tx: Pick<Transaction, "attempt">,
  work: () => Promise<T>,
): Promise<ItemOutcome<T>> {
  try {
    return { value: await tx.attempt(work) }
  } catch (error) {
    return failure(error)
  }
}

/** The failure of one item; errors that the client cannot act on end the batch. */
function failure(error: unknown): { error: string; kind: ErrorKind } {
  if (error instanceof AppError && error.status < 500) return { error: error.message, kind: error.kind }
  throw error
}
