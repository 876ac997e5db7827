// Writes that are made to see what they would do, and undone.
import type { Transaction } from "../../../store/contract/store.ts"

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
