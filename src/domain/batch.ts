import { AppError, type ErrorKind } from "../runtime/errors.ts"
import type { BatchRef, Transaction } from "../store/contract/store.ts"
import type { Context } from "./operation.ts"

/**
 * The context of work with several changes: they share a `batch_id`, by which they are listed and reverted together.
 * Work within a batch joins it.
 */
export function inBatch(ctx: Context, importId?: string): Context & { batch: BatchRef } {
  return { ...ctx, batch: ctx.batch ?? { id: ctx.ids.uuid(), import_id: importId } }
}

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

// Writes that are made to see what they would do, and undone.

class Undone extends Error {
  constructor(readonly result: unknown) {
    super("tried out")
  }
}

/** The result of work of which nothing stays. Throws what the work throws. */
export async function triedOut<T>(tx: Pick<Transaction, "attempt">, work: () => Promise<T>): Promise<T> {
  try {
    return await tx.attempt(async () => {
      throw new Undone(await work())
    })
  } catch (thrown) {
    if (thrown instanceof Undone) return thrown.result as T
    throw thrown
  }
}
