import type { Log } from "../../core/log.ts"
import type { Services } from "../../domain/operation.ts"
import { ANSWERS_KEPT_S } from "../../store/contract/idempotency.ts"
import { repeatedly } from "../repeatedly.ts"

const EVERY_MS = 10 * 60 * 1_000

/** At the start and every 10 minutes: forgets answers of requests with an `Idempotency-Key` that are no longer kept. */
export function forgetOldAnswers(
  services: Pick<Services, "store" | "clock">,
  log: Log,
): { stop(): Promise<void> } {
  const work = (isStopped: () => boolean) => forgetAnswers(services, isStopped)
  return repeatedly({ everyMs: EVERY_MS, failure: "could not forget old answers", work }, log)
}

/** Forgets every account's expired answers, with half of the time for others. */
export async function forgetAnswers(
  { store, clock }: Pick<Services, "store" | "clock">,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const since = Math.floor(clock.now() / 1000) - ANSWERS_KEPT_S
  for (;;) {
    const accounts = await store.read.idempotency.accountsBefore(since)
    if (accounts.length === 0) return
    for (const account of accounts)
      for (let more = true; more; ) {
        if (isStopped()) return
        const began = performance.now()
        more = await store.write(account, (tx) => tx.idempotency.forget(account, since))
        await Bun.sleep(performance.now() - began)
      }
  }
}
