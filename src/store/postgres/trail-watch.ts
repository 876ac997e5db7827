import type { ChangeWatch } from "../contract/changes.ts"
import type { Db } from "../sql/db.ts"
import type { TrailNews } from "./trail-news.ts"

/** How often it is looked whether another process has written, while anybody waits. */
const LOOK_MS = 250

interface TrailWatch {
  /** An account's trail has grown: to be called after the commit. */
  grown(account: number): void
  watch(account: number): ChangeWatch
  close(): void
}

/**
 * Tells those who wait for changes: of this process at once, of others by asking for the newest numbers, or sooner when
 * `news` come of them, which may get lost.
 */
export function createTrailWatch(db: Db, news: TrailNews, lookMs = LOOK_MS): TrailWatch {
  const listeners = new Map<number, Set<() => void>>()
  /** The newest change that was told of. */
  const heads = new Map<number, number>()
  let looking: Timer | undefined
  let isLooking = false

  function tell(account: number): void {
    for (const listener of [...(listeners.get(account) ?? [])]) listener()
  }

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      const rows = await db.all<{ key: number; trail_head: number }>(
        "SELECT key, trail_head FROM accounts WHERE key = ANY ($1::bigint[])",
        [[...listeners.keys()]],
      )
      for (const { key, trail_head } of rows) {
        if (heads.get(key) === trail_head || !listeners.has(key)) continue
        heads.set(key, trail_head)
        tell(key)
      }
    } catch {
      // The database is away: whoever waits reads it next, and says so.
    } finally {
      isLooking = false
    }
  }

  return {
    grown(account) {
      tell(account)
      news.tell(account)
    },
    watch(account) {
      let hasGrown = false
      let isOver = false
      let goOn = () => {}
      const listener = () => {
        hasGrown = true
        goOn()
      }
      const own = listeners.get(account) ?? new Set()
      listeners.set(account, own.add(listener))
      if (!looking) {
        looking = setInterval(look, lookMs)
        looking.unref()
        news.hear(tell)
      }
      return {
        async wait(milliseconds) {
          if (!hasGrown && !isOver) {
            await new Promise<void>((resolve) => {
              const timer = setTimeout(resolve, milliseconds)
              goOn = () => {
                clearTimeout(timer)
                resolve()
              }
            })
          }
          const grown = hasGrown
          hasGrown = false
          return grown
        },
        end() {
          isOver = true
          goOn()
          own.delete(listener)
          if (own.size === 0 && listeners.get(account) === own) {
            listeners.delete(account)
            heads.delete(account)
          }
          if (listeners.size > 0) return
          clearInterval(looking)
          looking = undefined
        },
      }
    },
    close() {
      news.close()
      clearInterval(looking)
      listeners.clear()
    },
  }
}
