// Brings the international forms of phones up to date behind the writes: those of leads from before there were any, and
// of an account whose country has changed.
import type { Database } from "bun:sqlite"
import { phoneNumber } from "../../../core/phone.ts"
import { prepare } from "../file/database.ts"
import type { PendingWrites } from "../queue/pending-writes.ts"
import type { WriteQueue } from "../queue/write-queue.ts"

interface Due {
  account: number
  country: string | null
  from: string
}

interface Row {
  rid: number
  id: string
  phone: string | null
  country: string | null
}

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
  const { waiting, fill } = phoneNumbers(reader, writer)
  let isDue = false
  let isStopped = false
  let running: Promise<void> | undefined

  async function work(): Promise<void> {
    while (!isStopped && waiting() > 0) {
      const began = performance.now()
      await queue.enqueue(async () => {
        pending.flush()
        fill(STEP)
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

export function phoneNumbers(reader: Database, writer: Database) {
  const due = (db: Database) =>
    prepare<Due, []>(
      db,
      'SELECT key AS account, default_country AS country, phones_from AS "from" FROM accounts WHERE phones_from IS NOT NULL LIMIT 1',
    )
  const isDue = due(reader)
  const next = due(writer)
  const leads = prepare<Row>(
    writer,
    "SELECT rid, id, phone, country FROM leads WHERE account_id = ? AND id > ? ORDER BY id LIMIT ?",
  )
  const set = prepare(writer, "UPDATE leads SET phone_number = ? WHERE account_id = ? AND rid = ?")
  const goOn = prepare(writer, "UPDATE accounts SET phones_from = ? WHERE key = ?")
  return {
    /** 1 when there is something to do. */
    waiting: () => (isDue.get() ? 1 : 0),
    /** Looks at some leads of an account, inside a transaction of the write connection. */
    fill(count: number): void {
      const one = next.get()
      if (!one) return
      const rows = leads.all(one.account, one.from, count)
      for (const { rid, phone, country } of rows)
        if (phone !== null) set.run(phoneNumber(phone, country, one.country) ?? "", one.account, rid)
      goOn.run(rows.length < count ? null : rows.at(-1)!.id, one.account)
    },
  }
}
