// Yielding to the event loop: the only place where work lets other work run on the same thread.
import type { Clock } from "./clock.ts"

/** Milliseconds that a loop may hold the thread before it yields, so that requests are answered meanwhile. */
const YIELD_AFTER_MS = 4

/** How operations yield; part of every operation's context. */
export interface EventLoop {
  /** Resolves in the next macrotask: what is ready to run on this thread runs first. */
  yield(): Promise<void>
  /**
   * For a loop over what a client sent: the function that it returns is awaited between items, and yields once the loop
   * has held the thread for `milliseconds`. It returns undefined, and costs no macrotask, before that.
   */
  yieldEvery(milliseconds?: number): () => Promise<void> | undefined
  /**
   * Resolves in a macrotask that no other caller of this function shares, in the order of calls: steps of several
   * milliseconds do not run back to back. Undefined when `most` callers wait already.
   */
  nextMacrotask(most?: number): Promise<void> | undefined
}

export function createEventLoop({ monotonic }: Pick<Clock, "monotonic">): EventLoop {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  return {
    yield: yieldToEventLoop,
    yieldEvery(milliseconds = YIELD_AFTER_MS) {
      let since = monotonic()
      return () => {
        if (monotonic() - since < milliseconds) return undefined
        return yieldToEventLoop().then(() => {
          since = monotonic()
        })
      }
    },
    nextMacrotask(most = Number.POSITIVE_INFINITY) {
      if (waiting >= most) return undefined
      waiting++
      const turn = last.then(yieldToEventLoop).finally(() => void waiting--)
      // The turns behind it are of others: they come whether or not its work was ended.
      last = turn.catch(() => undefined)
      return turn
    },
  }
}

/** Throws when the work of this thread is to end. */
let check: (() => void) | undefined

/** Sets what is called at each yield of this thread, and wherever `checkpoint` is: it throws to end the work under way. */
export function onCheckpoint(ends: (() => void) | undefined): void {
  check = ends
}

/** For a long loop that cannot yield: throws when the work is to end. */
export function checkpoint(): void {
  check?.()
}

/** Resolves in the next macrotask. For the store and the worker; operations use their context's `eventLoop`. */
export function yieldToEventLoop(): Promise<void> {
  const turn = new Promise<void>((resolve) => setImmediate(resolve))
  return check ? turn.then(check) : turn
}
