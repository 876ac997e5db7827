// Brings the keys of phones up to date behind the writes.
import type { Database } from "bun:sqlite"
import type { WriteDb } from "../../sql/db.ts"
import { areOfOthers, duePhones, fillPhoneKeys, renewPhoneKeys } from "../../tables/phone-keys.ts"
import { sqliteDb } from "../connection/database.ts"
import type { PendingWrites } from "../queue/transaction.ts"
import type { WriteQueue } from "../queue/write-queue.ts"

/** Leads of a step, which takes about 2 ms. */
const STEP = 128

interface PhoneUpkeep {
  /** Looks at phones again: to be called once what made some due is committed. */
  begin(): void
  stop(): Promise<void>
}

/** Brings phones up to date in steps with as long a pause behind each, from the start on and when some are due. */
export function keepPhoneNumbers(
  { reader, write, queue, pending }: Parts,
  failed: (error: unknown) => void,
): PhoneUpkeep {
  const read = sqliteDb(reader)
  let isStopped = false
  let running: Promise<void> | undefined

  async function work(): Promise<void> {
    if (await areOfOthers(read)) await queue.enqueue(() => renewPhoneKeys(write))
    while (!isStopped && (await duePhones(read)).length > 0) {
      const began = performance.now()
      await queue.enqueue(async () => {
        pending.flush()
        const [due] = await duePhones(write)
        if (due) await fillPhoneKeys(write, due, STEP)
      })
      await Bun.sleep(performance.now() - began)
    }
  }

  function begin(): void {
    running ??= work()
      .catch(failed)
      .finally(() => {
        running = undefined
      })
  }

  begin()
  return {
    begin,
    async stop() {
      isStopped = true
      await running
    },
  }
}

interface Parts {
  reader: Database
  write: WriteDb
  queue: WriteQueue
  pending: PendingWrites
}
