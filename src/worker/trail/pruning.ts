import type { Clock } from "../../core/clock.ts"
import type { Log } from "../../core/log.ts"
import type { Store } from "../../store/contract/store.ts"
import { repeatedly } from "../repeatedly.ts"

/** How often changes that are no longer kept are forgotten, and how soon after the start. */
const EVERY_MS = 10 * 60 * 1_000
const START_MS = 5_000

/** Forgets changes that are older than they are kept: `keep` seconds unless an account has its own; 0 is for ever. */
export function pruneTrails(
  store: Store,
  keep: number,
  { clock, log }: { clock: Clock; log: Log },
): { stop(): Promise<void> } {
  return repeatedly(
    {
      everyMs: EVERY_MS,
      firstAfterMs: START_MS,
      failure: "could not forget old changes",
      work: (isStopped) => forgetOldChanges(store, keep, Math.floor(clock.now() / 1000), isStopped),
    },
    log,
  )
}

/** Forgets every account's changes that are no longer kept; pauses as long as each step took, so that others get half the time. */
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
