import type { Database } from "bun:sqlite"
import type { ChangeWatch } from "../../contract/changes.ts"
import { createTrailListeners } from "../../tables/trail/listeners.ts"
import { changeWatch } from "../connection/database.ts"

interface FileTrailWatch {
  /** The account's trail has grown in the transaction under way. */
  grown(account: number): void
  committed(): void
  watch(account: number): ChangeWatch
  touch(account: number): void
  close(): void
}

/** Tells those who wait for changes. What another thread or process commits may be anything: it touches every account. */
export function watchFileTrail(writer: Database): FileTrailWatch {
  const fresh = new Set<number>()
  const changed = changeWatch(writer)
  const listeners = createTrailListeners({
    look() {
      if (changed()) for (const account of listeners.accounts()) listeners.tell(account, true)
    },
    // What was committed until now is read anyway.
    async begun() {
      changed()
    },
  })

  return {
    grown: (account) => void fresh.add(account),
    committed() {
      const accounts = [...fresh]
      fresh.clear()
      for (const account of accounts) listeners.tell(account)
    },
    watch: listeners.watch,
    touch: (account) => listeners.tell(account, true),
    close: listeners.close,
  }
}
