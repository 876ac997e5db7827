import { spyOn } from "bun:test"
import type { Clock } from "../../src/runtime/clock.ts"

/** Time that stands still until it is told to move. */
export interface HeldClock extends Clock {
  /** Both times go on. */
  advance(milliseconds: number): void
  /** Wall time alone jumps, as when somebody sets the machine's clock. */
  jump(milliseconds: number): void
  /** Wall time in whole Unix seconds. */
  seconds(): number
}

/** A clock held at a wall time, 2026-01-01 by default; its monotonic time has another origin. */
export function heldClock(start = Date.UTC(2026, 0, 1)): HeldClock {
  let wall = start
  let passed = 5_000
  return {
    now: () => wall,
    monotonic: () => passed,
    seconds: () => Math.floor(wall / 1000),
    advance(milliseconds) {
      wall += milliseconds
      passed += milliseconds
    },
    jump(milliseconds) {
      wall += milliseconds
    },
  }
}

/** Does work while this process's monotonic time stands still: what would wait for it to pass never ends. */
export async function whileTimeStands<T>(work: () => Promise<T>): Promise<T> {
  const now = performance.now()
  const held = spyOn(performance, "now").mockImplementation(() => now)
  try {
    return await work()
  } finally {
    held.mockRestore()
  }
}
