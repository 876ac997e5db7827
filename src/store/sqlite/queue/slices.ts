// Sizes the slices of a long search, which yields to the event loop between them so that requests are answered.
import { type Clock, systemClock } from "../../../runtime/clock.ts"
import { yieldToEventLoop } from "../../../runtime/event-loop.ts"

/** Rows of the first slice: they may come from memory or, a page each, from the disk. */
const FIRST = 250
/** Smaller slices cost more than they save, however slow the machine is. */
const LEAST = 250
const MOST = 50_000
/** Milliseconds that a slice should take. */
const SLICE_MS = 5
/** Milliseconds between two yields at least: on a busy server each one waits for all other requests. */
const YIELD_AFTER_MS = 2

export interface Slices {
  /** Rows that the next slice should look at. */
  size(): number
  /** Awaited after each slice: fits the size to the time that it took, and yields to the event loop when that is due. */
  yieldIfDue(): Promise<void>
}

/** Makes the slices of a search; a heavy one takes milliseconds a row. */
export type SlicesOf = (isHeavy?: boolean) => Slices

export const slicesFor: SlicesOf = (isHeavy) => createSlices(systemClock, isHeavy)

export function createSlices({ monotonic }: Pick<Clock, "monotonic"> = systemClock, isHeavy = false): Slices {
  const least = isHeavy ? 1 : LEAST
  let size = isHeavy ? 1 : FIRST
  let began = monotonic()
  let yielded = began
  return {
    size: () => size,
    async yieldIfDue() {
      const now = monotonic()
      const factor = SLICE_MS / Math.max(now - began, 0.01)
      size = Math.round(Math.min(MOST, Math.max(least, size * Math.min(4, Math.max(0.25, factor)))))
      began = now
      if (now - yielded < YIELD_AFTER_MS) return
      await yieldToEventLoop()
      began = yielded = monotonic()
    },
  }
}
