import type { Database } from "bun:sqlite"
import type { ChangeWatch } from "../../contract/changes.ts"
import { createTrailListeners } from "../../tables/trail/listeners.ts"
import { changeWatch } from "../file/database.ts"

interface FileTrailWatch {
  /** The account's trail has grown in the transaction under way. */
  grown(account: number): void
  committed(): void
  watch(account: number): ChangeWatch
  wake(account: number): void
  close(): void
}

/** Tells those who wait for changes; `db` is a connection that does not write. */
export function watchFileTrail(db: Database): FileTrailWatch {
  const fresh = new Set<number>()
  let changed: (() => boolean) | undefined
  const listeners = createTrailListeners({
    look() {
      changed ??= changeWatch(db)
      if (changed()) for (const account of listeners.accounts()) listeners.tell(account)
    },
    begun() {
      changed ??= changeWatch(db)
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
    wake: listeners.tell,
    close: listeners.close,
  }
}
