// How much other work this thread has, measured by the CPU time that passes while a job yields.

import { threadCpuUsage } from "node:process"
import { yieldToEventLoop } from "../../runtime/event-loop.ts"

/** Milliseconds that a job may hold the thread before it yields. */
const YIELD_AFTER_MS = 1
/** Time constant of the average, and the share of it from which on the thread counts as busy. */
const WINDOW_MS = 500
const BUSY_SHARE = 0.03

export interface EventLoopLoad {
  yield(): Promise<void>
  /** Yields unless it did less than a millisecond ago. */
  yieldIfDue(): Promise<void>
  /** Whether other work took more CPU time lately than polling a job's progress does. */
  isBusy(): boolean
}

export function eventLoopLoad(): EventLoopLoad {
  let yielded = performance.now()
  let measured = yielded
  /** Milliseconds of CPU time of other work, exponentially decayed. */
  let load = 0

  async function yieldNow(): Promise<void> {
    const before = threadTime()
    await yieldToEventLoop()
    yielded = performance.now()
    load = decayed() + threadTime() - before
    measured = yielded
  }

  const decayed = () => load * Math.exp((measured - performance.now()) / WINDOW_MS)

  return {
    yield: yieldNow,
    async yieldIfDue() {
      if (performance.now() - yielded >= YIELD_AFTER_MS) await yieldNow()
    },
    isBusy: () => decayed() > BUSY_SHARE * WINDOW_MS,
  }
}

/** Milliseconds of CPU time that this thread has used. */
export function threadTime(): number {
  const { user, system } = threadCpuUsage()
  return (user + system) / 1_000
}
