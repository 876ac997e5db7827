import type { Clock } from "../../runtime/clock.ts"

/** Wrong tries before there is a wait. */
const FREE = 5
const LONGEST_MS = 60_000
/** Milliseconds without a try after which a client begins anew. */
const FORGOTTEN_MS = 3_600_000
/** Clients that are kept; the oldest are forgotten first. */
const MOST = 100_000

export interface Backoff {
  /** Notes a try as wrong until `passed` says otherwise. Returns the milliseconds to wait, 0 for a try that is let in. */
  begin(key: string): number
  /** Forgets the tries of a client that knew. */
  passed(key: string): void
}

/**
 * Delays the wrong tries of each client: five at once, then after a second, two, four, and at most a minute each. Refused
 * tries are not counted, so that nobody waits longer than that.
 */
export function createBackoff(clock: Clock): Backoff {
  const tries = new Map<string, { wrong: number; at: number }>()
  return {
    begin(key) {
      const now = clock.monotonic()
      const found = tries.get(key)
      const last = found && now - found.at < FORGOTTEN_MS ? found : { wrong: 0, at: now }
      const wait =
        last.wrong < FREE ? 0 : last.at + Math.min(LONGEST_MS, 1_000 * 2 ** (last.wrong - FREE)) - now
      if (wait > 0) return wait
      // Entries are kept in the order of their last try.
      tries.delete(key)
      tries.set(key, { wrong: last.wrong + 1, at: now })
      if (tries.size > MOST) tries.delete(tries.keys().next().value!)
      return 0
    },
    passed: (key) => void tries.delete(key),
  }
}
