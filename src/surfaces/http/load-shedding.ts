// Refusals that wait a moment before they go out. Most who are refused ask again at once, and a refusal takes a good part
// of what a short answer takes: when each waits, a connection asks no more than once or twice a second.

import { createQueue } from "../../runtime/queue.ts"

/** Milliseconds. */
const WAIT_MS = 500
/** How often those whose time has come are let go, many together. */
const EVERY_MS = 50
/** When nobody else was refused for so long, it is over. */
const QUIET_MS = 250
/** With so many waiting, who comes then does not wait. */
const MOST = 10_000

interface Shedding {
  /** Resolves when it is time; undefined where there is no waiting. */
  wait(): Promise<void> | undefined
}

/**
 * At three times what the service can do, a tenth more is answered well than when refusals go out at once. Nobody is
 * held up any longer once `isBusy` denies it or the refusals have ended.
 */
export function createShedding(isBusy: () => boolean, wait = WAIT_MS, most = MOST): Shedding {
  const waiting = createQueue<{ until: number; goOn: () => void }>()
  let isTimed = false
  let last = 0

  function look(): void {
    isTimed = true
    setTimeout(letGo, EVERY_MS)
  }

  function letGo(): void {
    const now = performance.now()
    const isOver = !isBusy() || now - last > QUIET_MS
    for (let next = waiting.first(); next && (isOver || next.until <= now); next = waiting.first()) {
      waiting.drop()
      next.goOn()
    }
    isTimed = false
    if (waiting.size() > 0) look()
  }

  return {
    wait() {
      if (waiting.size() >= most) return undefined
      if (!isTimed) look()
      last = performance.now()
      return new Promise((goOn) => waiting.add({ until: last + wait, goOn }))
    },
  }
}
