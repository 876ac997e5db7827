// Says when more is asked of the service than it can do, so that the rest can be refused at once: whoever waits
// longer and longer gives up in the end, and the work done for them is lost.
import { AppError } from "../core/errors.ts"

/** Milliseconds that requests may wait for their turn. */
const TARGET_MS = 250
/** They may wait longer for so long: a burst that passes is served, however many come at once. */
const BURST_MS = 500
/** With so many requests in a turn of the event loop more may have been ready: Bun takes 1,024 events at a time. */
const FULL_TURN = 1_000

export interface Pressure {
  /**
   * The refusal of a request that has just been read; undefined when there is time for it. It comes at the end of the
   * turn of the event loop: told at once, a client that tries again at once would make the turn longer and longer.
   */
  refuse(): Promise<AppError> | undefined
}

/** What was ready together: as many turns of the event loop as it takes. */
interface Round {
  began: number
  turns: number
}

/**
 * Requests that have arrived wait in their sockets for as long as the present round has taken. Long rounds one after
 * the other, or of several turns, mean that more comes than goes; a single long turn is a slow disk.
 */
export function createPressure(): Pressure {
  let round: Round | undefined
  let turnOver: Promise<void> | undefined
  let requests = 0
  let ended = Number.NEGATIVE_INFINITY
  let wasLong = false
  /** When requests did not wait too long for the last time. */
  let calm = 0

  function beginTurn(now: number): Promise<void> {
    // Nobody asked for a while.
    if (now - ended > TARGET_MS) endRound(now)
    round ??= { began: now, turns: 0 }
    round.turns++
    requests = 0
    turnOver = new Promise(setImmediate).then(endTurn)
    return turnOver
  }

  function endTurn(): void {
    turnOver = undefined
    ended = performance.now()
    if (requests >= FULL_TURN) return
    if (ended - round!.began > TARGET_MS) {
      wasLong = true
      round = undefined
    } else endRound(ended)
  }

  function endRound(now: number): void {
    round = undefined
    wasLong = false
    calm = now
  }

  return {
    refuse() {
      const now = performance.now()
      const over = turnOver ?? beginTurn(now)
      requests++
      const { began, turns } = round!
      if (now - calm <= BURST_MS || now - began <= TARGET_MS) return undefined
      return wasLong || turns > 1 ? over.then(overloaded) : undefined
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
