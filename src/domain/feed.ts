// Waiting for changes: held requests and streams.
import { AppError, stopping } from "../runtime/errors.ts"
import { Tally } from "../runtime/tally.ts"
import type { ChangeWatch, Store } from "../store/contract/store.ts"

/** Held requests and streams at a time, of one account and in all. */
const OF_ONE = 32
const IN_ALL = 1_000

interface Feed {
  /**
   * Registers a waiting request; `end` removes it. Throws `rate_limit_exceeded` when all places are taken, and
   * `unavailable` when the service stops.
   */
  enter(account: number): ChangeWatch
  isClosed(): boolean
  /** Ends all waiting requests. */
  close(): void
}

const feeds = new WeakMap<Store, Feed>()

export function feedOf(store: Store): Feed {
  const feed = feeds.get(store) ?? createFeed(store)
  feeds.set(store, feed)
  return feed
}

function createFeed(store: Store): Feed {
  const places = new Tally<number>()
  const watches = new Set<ChangeWatch>()
  let closed = false

  function leave(account: number, watch: ChangeWatch): void {
    watch.end()
    if (watches.delete(watch)) places.leave(account)
  }

  return {
    enter(account) {
      if (closed) throw stopping()
      if (places.of(account) >= OF_ONE || watches.size >= IN_ALL) {
        const message = `Too many requests wait for changes at the same time, at most ${OF_ONE} of an account; end some, or ask without waiting`
        throw new AppError("rate_limit_exceeded", message, { headers: { "Retry-After": "10" } })
      }
      const watch = store.watchChanges(account)
      places.enter(account)
      watches.add(watch)
      return { ...watch, end: () => leave(account, watch) }
    },
    isClosed: () => closed,
    close() {
      closed = true
      for (const watch of watches) watch.end()
    },
  }
}
