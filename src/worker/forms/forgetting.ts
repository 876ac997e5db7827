import { unixSeconds } from "../../core/clock.ts"
import type { Log } from "../../core/log.ts"
import type { Services } from "../../domain/operation.ts"
import { repeatedly } from "../repeatedly.ts"

const EVERY_MS = 10 * 60 * 1_000

/** At the start and every 10 minutes: forgets spam of forms, and posts that were never confirmed, once their time is over. */
export function forgetFormPosts(
  { store, clock }: Pick<Services, "store" | "clock">,
  log: Log,
): { stop(): Promise<void> } {
  async function work(isStopped: () => boolean): Promise<void> {
    for (let more = true; more && !isStopped(); ) {
      const began = performance.now()
      more = await store.writeAcross((tx) => tx.forms.forgetPosts(unixSeconds(clock.now())))
      await Bun.sleep(performance.now() - began)
    }
  }
  return repeatedly({ everyMs: EVERY_MS, failure: "could not forget posts to forms", work }, log)
}
