import type { Clock } from "../../runtime/clock.ts"
import type { Log } from "../../runtime/log.ts"
import type { Store } from "../../store/contract/store.ts"
import { boundWaits, prune } from "./outbox.ts"

/**
 * Delay before deliveries left from earlier are looked at: it takes 6 ms, which the first request should not wait for.
 */
const START_MS = 50
/** How often it is asked whether another process has written. */
const LOOK_MS = 1_000
/** How often old deliveries are cleared away. */
const PRUNE_MS = 10 * 60 * 1_000

export interface OutboxWatch {
  stop(): Promise<void>
}

/**
 * Wakes the sender for what it is not told of: deliveries that are left from earlier, that other processes queue, or
 * that a worker which died had to do. Clears old deliveries away now and then.
 */
export function watchOutbox(
  store: Store,
  sender: { wake(): void; isRunning(): boolean },
  { clock, log }: { clock: Clock; log: Log },
): OutboxWatch {
  let last: Promise<void> = Bun.sleep(START_MS)
  /** One piece of work after the other; none may end the process. */
  function later(what: string, work: () => Promise<void>): void {
    last = last.then(work).catch((error) => log.error(`could not ${what}`, {}, error))
  }

  async function look(): Promise<void> {
    // A running sender looks again by itself while anything waits.
    if (!(await store.changedElsewhere()) && sender.isRunning()) return
    if ((await store.read.outbox.waiting()).length > 0) sender.wake()
  }

  later("put the schedule of deliveries in order", () => boundWaits(store, clock))
  later("look for deliveries", look)
  later("clear old deliveries away", () => prune(store, clock))
  const looking = setInterval(() => later("look for deliveries", look), LOOK_MS)
  const pruning = setInterval(() => later("clear old deliveries away", () => prune(store, clock)), PRUNE_MS)
  return {
    async stop() {
      clearInterval(looking)
      clearInterval(pruning)
      await last
    },
  }
}
