// Whether others than jobs have something to do on this thread: seen by the time that they take when they have a turn.

import { threadCpuUsage } from "node:process"

/** How long the thread may be kept from others. */
const TURN_MS = 1
/** Over how long it is looked how much others do, and from which share of it on they are busy. */
const LOOK_MS = 500
const BUSY_SHARE = 0.03

export interface Others {
  /** Lets others have a turn. */
  turn(): Promise<void>
  /** The same when the last one is some time ago. */
  turnInTime(): Promise<void>
  /** Whether they have had more to do lately than somebody who asks how far a job is. */
  areBusy(): boolean
}

export function watchOthers(): Others {
  let turned = performance.now()
  let looked = turned
  /** Milliseconds that others took, the older the fewer. */
  let load = 0

  async function turn(): Promise<void> {
    const before = threadTime()
    await new Promise(setImmediate)
    turned = performance.now()
    load = faded() + threadTime() - before
    looked = turned
  }

  const faded = () => load * Math.exp((looked - performance.now()) / LOOK_MS)

  return {
    turn,
    async turnInTime() {
      if (performance.now() - turned >= TURN_MS) await turn()
    },
    areBusy: () => faded() > BUSY_SHARE * LOOK_MS,
  }
}

/** Milliseconds that this thread has worked: on a machine that has others to serve, more pass. */
export function threadTime(): number {
  const { user, system } = threadCpuUsage()
  return (user + system) / 1_000
}
