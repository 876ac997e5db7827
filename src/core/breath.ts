import type { Clock } from "./clock.ts"

/** Milliseconds that one piece of work may keep the thread from everybody else. */
const HELD_MS = 4

/**
 * For a loop over what a client sent: awaited after each item, it lets others have a turn whenever the loop has held the
 * thread for some milliseconds.
 */
export function createBreath({ monotonic }: Pick<Clock, "monotonic">): () => Promise<void> | undefined {
  let since = monotonic()
  return () => {
    if (monotonic() - since < HELD_MS) return undefined
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      since = monotonic()
    })
  }
}
