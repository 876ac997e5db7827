// Long searches are done in slices, between which other requests have their turn.
import { type Clock, systemClock } from "../../../core/clock.ts"

/** Rows that the first slice looks at: nobody knows yet whether they come from memory or, a page each, from the disk. */
const FIRST = 250
/** Fewer are not worth a slice of their own, however slow the machine is. */
const LEAST = 250
const MOST = 50_000
/** How long a slice should take. */
const SLICE_MS = 5
/** Milliseconds before which nobody is let in between: on a busy server every turn waits for all the others. */
const TURN_MS = 2

export interface Slices {
  /** Rows that the next slice should look at. */
  size(): number
  /** To be awaited after each slice: lets others have their turn in time and fits the size to the time it took. */
  rest(): Promise<void>
}

/** What makes the slices of a search; a heavy one takes milliseconds a row. */
export type SlicesOf = (isHeavy?: boolean) => Slices

export const slicesFor: SlicesOf = (isHeavy) => createSlices(systemClock, isHeavy)

export function createSlices({ monotonic }: Pick<Clock, "monotonic"> = systemClock, isHeavy = false): Slices {
  const least = isHeavy ? 1 : LEAST
  let size = isHeavy ? 1 : FIRST
  let began = monotonic()
  let turn = began
  return {
    size: () => size,
    async rest() {
      const now = monotonic()
      const factor = SLICE_MS / Math.max(now - began, 0.01)
      size = Math.round(Math.min(MOST, Math.max(least, size * Math.min(4, Math.max(0.25, factor)))))
      began = now
      if (now - turn < TURN_MS) return
      await new Promise(setImmediate)
      began = turn = monotonic()
    },
  }
}
