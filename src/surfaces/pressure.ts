// Says when more is asked of the service than it can do, so that the rest can be refused at once: whoever waits
// longer and longer gives up in the end, and the work done for them is lost.
import { AppError } from "../core/errors.ts"

/** Milliseconds that requests may wait for their turn. */
const TARGET_MS = 250
/** They may wait longer for so long: a burst that passes is served, however many come at once. */
const BURST_MS = 500

export interface Pressure {
  /**
   * The refusal of a request that has just been read; undefined when there is time for it. It comes at the end of the
   * turn of the event loop: told at once, a client that tries again at once would make the turn longer and longer.
   */
  refuse(method: string): Promise<AppError> | undefined
}

/**
 * `oldestWrite` says for how many milliseconds the first write in the queue has waited. Reads are answered as they
 * come and never queue here: those that have arrived wait in their sockets, for as long as the present turn of the
 * event loop has taken.
 */
export function createPressure(oldestWrite: () => number): Pressure {
  let turn: { began: number; over: Promise<void> } | undefined
  let ended = Number.NEGATIVE_INFINITY
  /** When requests did not wait too long for the last time. */
  let calm = 0

  function beginTurn(began: number) {
    // Nobody asked for a while, and nobody waits.
    if (began - ended > TARGET_MS && oldestWrite() <= TARGET_MS) calm = began
    const over = new Promise(setImmediate).then(() => {
      turn = undefined
      ended = performance.now()
      if (ended - began <= TARGET_MS && oldestWrite() <= TARGET_MS) calm = ended
    })
    turn = { began, over }
    return turn
  }

  return {
    refuse(method) {
      const now = performance.now()
      const { began, over } = turn ?? beginTurn(now)
      if (now - calm <= BURST_MS) return undefined
      const isRead = method === "GET" || method === "HEAD"
      const waited = Math.max(now - began, isRead ? 0 : oldestWrite())
      return waited > TARGET_MS ? over.then(overloaded) : undefined
    },
  }
}

function overloaded(): AppError {
  return new AppError(
    "unavailable",
    "More is asked of the service than it can do now; try again in a moment",
    {
      headers: { "Retry-After": "1" },
    },
  )
}
