import { setImmediate as nextMacrotask } from "node:timers/promises"

let last: Promise<unknown> = Promise.resolve()
let waiting = 0

/**
 * Resolves in a turn of the event loop for one piece of work that takes milliseconds, however many want one: others
 * wait for one at most. Undefined when `most` wait already: who is not let wait any longer is held back by backpressure.
 */
export function ownTurn(most = Number.POSITIVE_INFINITY): Promise<void> | undefined {
  if (waiting >= most) return undefined
  waiting++
  const turn = last.then(() => nextMacrotask()).then(() => void waiting--)
  last = turn
  return turn
}
