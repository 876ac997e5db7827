import type { Clock } from "../../core/clock.ts"
import type { Log } from "../../core/log.ts"
import type { Store } from "../../store/contract/store.ts"

/** How often changes that are no longer kept are forgotten, and how soon after the start. */
const EVERY_MS = 10 * 60 * 1_000
const START_MS = 5_000

export interface TrailPruning {
  stop(): Promise<void>
}

/** Forgets changes that are older than they are kept: `keep` seconds unless an account has its own; 0 is for ever. */
export function pruneTrails(
  store: Store,
  keep: number,
  { clock, log }: { clock: Clock; log: Log },
): TrailPruning {
  let isStopped = false
  let running: Promise<void> | undefined
  async function prune(): Promise<void> {
    await forgetOldChanges(store, keep, Math.floor(clock.now() / 1000), () => isStopped)
  }
  function begin(): void {
    running ??= prune()
      .catch((error) => log.error("could not forget old changes", {}, error))
      .finally(() => {
        running = undefined
      })
  }
  const starting = setTimeout(begin, START_MS)
  const pruning = setInterval(begin, EVERY_MS)
  starting.unref()
  pruning.unref()
  return {
    async stop() {
      isStopped = true
      clearTimeout(starting)
      clearInterval(pruning)
      await running
    },
  }
}

/** Every account's changes that are no longer kept, with half of the time for others. */
export async function forgetOldChanges(
  store: Store,
  keep: number,
  now: number,
  isStopped: () => boolean = () => false,
): Promise<void> {
  for (const { account, keep: own } of await store.writeAcross((tx) => tx.trail.keeps())) {
    const seconds = own ?? keep
    if (seconds === 0) continue
    for (let more = true; more && !isStopped(); ) {
      const began = performance.now()
      more = await store.write(account, (tx) => tx.trail.prune(account, seconds, now))
      if (more) await Bun.sleep(performance.now() - began)
    }
  }
}
