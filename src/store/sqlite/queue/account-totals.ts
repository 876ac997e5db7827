import type { Database } from "bun:sqlite"
import { prepare } from "../connection/database.ts"
import type { BulkWriter, PendingWrites } from "./pending-writes.ts"

/** Leads and bytes of accounts, which a transaction adds up and writes with what else waits. */
export interface AccountTotals {
  add(account: number, leads: number, bytes: number): void
  /** What was added and is not written yet. */
  waiting(account: number): { leads: number; bytes: number }
}

const NOTHING = { leads: 0, bytes: 0 }

export function accountTotals(db: Database, pending: PendingWrites): AccountTotals {
  const write = prepare(
    db,
    "UPDATE accounts SET lead_count = lead_count + ?, stored_bytes = max(0, stored_bytes + ?) WHERE key = ?",
  )
  const sums = new Map<number, { leads: number; bytes: number }>()
  const writer: BulkWriter<null> = {
    write() {
      for (const [account, { leads, bytes }] of sums) write.run(leads, bytes, account)
      sums.clear()
    },
  }
  return {
    add(account, leads, bytes) {
      if (!pending.hasPending(writer)) {
        // Those of a transaction that was undone.
        sums.clear()
        pending.defer(writer, null)
      }
      const sum = sums.getOrInsertComputed(account, () => ({ ...NOTHING }))
      sum.leads += leads
      sum.bytes += bytes
    },
    waiting: (account) => (pending.hasPending(writer) && sums.get(account)) || NOTHING,
  }
}
