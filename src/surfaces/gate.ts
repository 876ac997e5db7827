// Lets requests in one after the other while there are more than can be answered at once, and refuses them when the
// wait would become long: whoever waits longer and longer gives up in the end, and the work done for them is lost.
import { AppError } from "../core/errors.ts"

/** Milliseconds of a turn of the event loop that requests may take before others are read. */
const SLICE_MS = 20
/** Milliseconds that a request may wait to be let in. */
const TARGET_MS = 500
/** They may wait longer for so long: a burst that passes is served, however many come at once. */
const BURST_MS = 1_000
/** Steps that a request takes at most until it is answered or waits for something else, such as a commit. */
const STEPS = 32

export interface Gate {
  /**
   * Undefined for a request that can go on at once. Else a promise of its turn, with the refusal when it will not
   * have one.
   */
  enter(): Promise<AppError | undefined> | undefined
}

interface Waiting {
  /** When it was read. */
  since: number
  goOn: (refusal?: AppError) => void
}

/**
 * Left alone, Bun reads and answers request after request, and what has arrived meanwhile waits unread in its socket,
 * nobody knows for how long. So a turn of the event loop answers for `SLICE_MS`, and what else it reads waits here.
 */
export function createGate(): Gate {
  const waiting = createQueue<Waiting>()
  let refused: Waiting[] = []
  let isOpen = true
  let began = 0
  let isInTurn = false
  /** When nobody had waited too long for the last time. */
  let calm = 0

  function beginTurn(now: number): void {
    isInTurn = true
    began = now
    if (waiting.first() === undefined) calm = now
    setImmediate(endTurn)
  }

  /** Refusals leave at the end of a turn: told at once, clients that try again at once would make it ever longer. */
  async function endTurn(): Promise<void> {
    isInTurn = false
    const all = refused
    refused = []
    for (const { goOn } of all) goOn(overloaded())
    if (!isOpen) return
    isOpen = false
    const end = performance.now() + SLICE_MS
    for (let next = waiting.first(); next; next = waiting.first()) {
      const now = performance.now()
      if (now - next.since <= TARGET_MS) calm = now
      if (now > end) break
      waiting.drop()
      next.goOn()
      for (let step = 0; step < STEPS; step++) await undefined
    }
    isOpen = true
    if (waiting.first() && !isInTurn) beginTurn(performance.now())
  }

  return {
    enter() {
      const now = performance.now()
      if (!isInTurn) beginTurn(now)
      const oldest = waiting.first()
      if (!oldest && now - began <= SLICE_MS) return undefined
      const isTooMuch = oldest && now - oldest.since > TARGET_MS && now - calm > BURST_MS
      return new Promise((goOn) => {
        if (isTooMuch) refused.push({ since: now, goOn })
        else waiting.add({ since: now, goOn })
      })
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

/** First in, first out, without moving thousands for each. */
function createQueue<T>() {
  let items: T[] = []
  let head = 0
  return {
    first: (): T | undefined => items[head],
    add: (item: T) => void items.push(item),
    drop() {
      head++
      if (head < 1_000 || head * 2 < items.length) return
      items = items.slice(head)
      head = 0
    },
  }
}
