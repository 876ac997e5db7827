// Lets requests in one after the other while there are more than can be answered at once, and refuses them when the
// wait would become long: whoever waits longer and longer gives up in the end, and the work done for them is lost.
import { type Clock, systemClock } from "../../runtime/clock.ts"
import { AppError } from "../../runtime/errors.ts"
import { createQueue } from "../../runtime/queue.ts"

/** Milliseconds of a turn of the event loop in which requests are answered before others are read. */
const SLICE_MS = 20
/** A pause is this many times as long as reading refused requests took, so that they do not take time from admitted ones. */
const SHARE = 4
const SLICE_MAX_MS = 1_000
/** Milliseconds. */
interface Patience {
  /** How long a request may wait to be let in. */
  target: number
  /** They may wait longer for so long: a burst that passes is served, however many come at once. */
  burst: number
  /** After a refusal bursts are not borne with for so long. */
  wary: number
}
const PATIENCE: Patience = { target: 300, burst: 1_000, wary: 5_000 }
/** Steps that a request takes at most until it is answered or waits for something else, such as a commit. */
const STEPS = 32

export interface Backpressure {
  /** Undefined for a request that can go on at once, a promise of its turn when it has to wait, or its refusal. */
  enter(): undefined | Promise<void> | AppError
  /** Whether anybody waits to be let in. */
  isBusy(): boolean
}

interface Waiting {
  /** When it was read. */
  since: number
  goOn: () => void
}

const OVERLOADED = new AppError(
  "unavailable",
  "More is asked of the service than it can do now; try again in a moment",
  { headers: { "Retry-After": "1" } },
)

/**
 * Left alone, Bun reads and answers request after request, and what has arrived meanwhile waits unread in its socket,
 * nobody knows for how long. So a turn of the event loop answers for `SLICE_MS`, and what else it reads waits here.
 */
export function createBackpressure(
  { target, burst, wary } = PATIENCE,
  { monotonic }: Pick<Clock, "monotonic"> = systemClock,
): Backpressure {
  const waiting = createQueue<Waiting>()
  let began = 0
  let isInTurn = false
  let isLettingIn = false
  /** The last time that no request had waited too long. */
  let calm = 0
  let waryUntil = 0

  function beginTurn(now: number): void {
    isInTurn = true
    began = now
    if (waiting.first() === undefined) calm = now
    setImmediate(endTurn)
  }

  function endTurn(): void {
    isInTurn = false
    if (isLettingIn || waiting.first() === undefined) return
    isLettingIn = true
    const now = monotonic()
    void letIn(now + Math.min(SLICE_MAX_MS, Math.max(SLICE_MS, SHARE * (now - began)))).then(() => {
      isLettingIn = false
      if (waiting.first() && !isInTurn) beginTurn(monotonic())
    })
  }

  async function letIn(end: number): Promise<void> {
    for (let next = waiting.first(); next; next = waiting.first()) {
      const now = monotonic()
      if (now - next.since <= target) calm = now
      if (now > end) return
      waiting.drop()
      next.goOn()
      for (let step = 0; step < STEPS; step++) await undefined
    }
  }

  return {
    isBusy: () => waiting.first() !== undefined,
    enter() {
      const now = monotonic()
      if (!isInTurn) beginTurn(now)
      const oldest = waiting.first()
      if (!oldest && now - began <= SLICE_MS) return undefined
      const isBurst = now - calm <= burst && now > waryUntil
      if (oldest && now - oldest.since > target && !isBurst) {
        waryUntil = now + wary
        return OVERLOADED
      }
      return new Promise((goOn) => waiting.add({ since: now, goOn }))
    },
  }
}

// Refusals that wait a moment before they go out. Most who are refused ask again at once, and a refusal takes a good part
// of what a short answer takes: when each waits, a connection asks no more than once or twice a second.

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
