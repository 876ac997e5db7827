import type { ChangeWatch } from "../contract/changes.ts"
import type { Db } from "../sql/db.ts"
import { createTrailListeners } from "../tables/trail/listeners.ts"
import type { TrailNews } from "./trail-news.ts"

interface TrailWatch {
  /** An account's trail has grown: to be called after the commit. */
  grown(account: number): void
  watch(account: number): ChangeWatch
  /** Something beside the trail has changed. */
  touch(account: number): void
  close(): void
}

/**
 * Tells those who wait for changes: of this process at once, of others by asking for the newest numbers, or sooner when
 * `news` come of them, which may get lost.
 */
export function createTrailWatch(db: Db, news: TrailNews, lookMs?: number): TrailWatch {
  /** The newest change that was told of. */
  const heads = new Map<number, number>()
  let isLooking = false
  const listeners = createTrailListeners({
    look,
    begun: () => news.hear(listeners.tell),
    left: (account) => void heads.delete(account),
    lookMs,
  })

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      const rows = await db.all<{ key: number; trail_head: number }>(
        "SELECT key, trail_head FROM accounts WHERE key = ANY ($1::bigint[])",
        [[...listeners.accounts.keys()]],
      )
      for (const { key, trail_head } of rows) {
        if (heads.get(key) === trail_head || !listeners.accounts.has(key)) continue
        heads.set(key, trail_head)
        listeners.tell(key)
      }
    } catch {
      // The database is away: whoever waits reads it next, and says so.
    } finally {
      isLooking = false
    }
  }

  return {
    grown(account) {
      listeners.tell(account)
      news.tell(account)
    },
    watch: listeners.watch,
    touch(account) {
      listeners.tell(account, true)
      news.tell(account, true)
    },
    close() {
      news.close()
      listeners.close()
    },
  }
}
