import type { Clock } from "../core/clock.ts"
import { AppError } from "../core/errors.ts"
import type { Account } from "../core/operation.ts"

/** The window of an account's request limit (SPEC "Limits"). */
const TEN_MINUTES = 600_000
/** Windows that are kept before the idle ones are dropped. */
const SWEEP_AT = 10_000

export interface Taken {
  allowed: boolean
  /** `X-RateLimit-*`, and `Retry-After` when not allowed. Reset is the Unix second in which a request frees up. */
  headers: Record<string, string>
}

export interface SlidingWindows<Key> {
  /** Counts a request against the last window when there is room for it; a refused one is not counted. */
  take(key: Key, limit: number): Taken
}

/** The times of the requests in one window, oldest first. */
interface Window {
  times: number[]
  head: number
}

/**
 * Exact sliding windows: in any stretch of `length` milliseconds at most the limit is allowed. On monotonic time,
 * so that a clock that jumps neither opens nor locks them.
 */
export function createSlidingWindows<Key>(clock: Clock, length: number): SlidingWindows<Key> {
  const windows = new Map<Key, Window>()

  function take(key: Key, limit: number): Taken {
    const now = clock.monotonic()
    let window = windows.get(key)
    if (!window) {
      if (windows.size >= SWEEP_AT) sweep(now)
      window = { times: [], head: 0 }
      windows.set(key, window)
    }
    forget(window, now - length)
    const allowed = window.times.length - window.head < limit
    if (allowed) window.times.push(now)
    const remaining = Math.max(0, limit - (window.times.length - window.head))
    const wait = Math.max(0, (window.times[window.head] ?? now) + length - now)
    const headers: Record<string, string> = {
      "X-RateLimit-Limit": String(limit),
      "X-RateLimit-Remaining": String(remaining),
      "X-RateLimit-Reset": String(Math.ceil((clock.now() + wait) / 1000)),
    }
    if (!allowed) headers["Retry-After"] = String(Math.max(1, Math.ceil(wait / 1000)))
    return { allowed, headers }
  }

  function sweep(now: number): void {
    for (const [key, window] of windows) {
      forget(window, now - length)
      if (window.head === window.times.length) windows.delete(key)
    }
  }

  return { take }
}

function forget(window: Window, before: number): void {
  const { times } = window
  while (window.head < times.length && times[window.head]! <= before) window.head++
  if (window.head > 1_000 && window.head * 2 > times.length) {
    times.splice(0, window.head)
    window.head = 0
  }
}

export interface RateLimit {
  /** Counts a request of an account, over REST or tools. Throws `rate_limit_exceeded`. Returns headers to send. */
  admit(account: Account): Record<string, string>
}

export function createRateLimit(clock: Clock): RateLimit {
  const windows = createSlidingWindows<number>(clock, TEN_MINUTES)
  const unlimited = {
    "X-RateLimit-Limit": "unlimited",
    "X-RateLimit-Remaining": "unlimited",
    "X-RateLimit-Reset": "0",
  }
  return {
    admit(account) {
      const limit = account.limits.requests
      if (limit === null) return unlimited
      const { allowed, headers } = windows.take(account.key, limit)
      if (allowed) return headers
      const message = `The ${account.plan} plan takes ${limit} requests per 10 minutes; try again in ${headers["Retry-After"]} s`
      throw new AppError("rate_limit_exceeded", message, { headers })
    },
  }
}
