// Brings the keys of phones up to date behind the writes.
import type { Database } from "bun:sqlite"
import { areOfOthers, duePhones, fillPhoneKeys, renewPhoneKeys } from "../../tables/phone-keys.ts"
import { sqliteDb } from "../connection/db.ts"
import type { PendingWrites } from "../queue/pending-writes.ts"
import type { WriteQueue } from "../queue/write-queue.ts"

/** Leads of a step, which takes about 2 ms. */
const STEP = 128

interface PhoneUpkeep {
  /** Phones of an account are to be looked at again, once the transaction under way is committed. */
  due(): void
  committed(): void
  stop(): Promise<void>
}

/** Brings phones up to date in steps with as long a pause behind each, from the start on and when some are due. */
export function keepPhoneNumbers(
  { reader, writer, queue, pending }: Parts,
  failed: (error: unknown) => void,
): PhoneUpkeep {
  const statements = { read: sqliteDb(reader), write: sqliteDb(writer) }
  let isDue = false
  let isStopped = false
  let running: Promise<void> | undefined

  async function work(): Promise<void> {
    if (await areOfOthers(statements.read)) await queue.enqueue(() => renewPhoneKeys(statements.write))
    while (!isStopped && (await duePhones(statements.read)).length > 0) {
      const began = performance.now()
      await queue.enqueue(async () => {
        pending.flush()
        const [due] = await duePhones(statements.write)
        if (due) await fillPhoneKeys(statements.write, due, STEP)
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
    due() {
      isDue = true
    },
    committed() {
      if (!isDue) return
      isDue = false
      begin()
    },
    async stop() {
      isStopped = true
      await running
    },
  }
}

interface Parts {
  reader: Database
  writer: Database
  queue: WriteQueue
  pending: PendingWrites
}
