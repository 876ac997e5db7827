// Looks up whether the emails of new leads can be reached, behind the requests that brought them.

import { lookUpNext } from "../../domain/leads/email-status.ts"
import type { Services } from "../../domain/operation.ts"
import type { Log } from "../../runtime/log.ts"
import { repeatedly } from "../repeatedly.ts"
import type { MailLookup } from "./lookup.ts"

const EVERY_MS = 5_000
/** After the network gave no answer. */
const PAUSE_MS = 10 * 60 * 1_000
/** Emails that were changed, and domains that gave no answer, are looked at again. */
const AGAIN_MS = 24 * 60 * 60 * 1_000

export function watchEmails(services: Services, mail: MailLookup, log: Log): { stop(): Promise<void> } {
  const { store, clock } = services
  let pausedUntil = 0
  let again = clock.monotonic() + AGAIN_MS

  async function work(isStopped: () => boolean): Promise<void> {
    if (clock.monotonic() < pausedUntil) return
    const isAgain = clock.monotonic() >= again
    if (isAgain) again = clock.monotonic() + AGAIN_MS
    for (const account of await store.read.accounts.list()) {
      if (isAgain) await store.write(account.key, (tx) => tx.mail.setLookedUpTo(account.key, null))
      for (let outcome = "more"; outcome === "more" && !isStopped(); ) {
        const began = performance.now()
        outcome = await lookUpNext(services, account, mail.lookUp)
        if (outcome === "more") await Bun.sleep(performance.now() - began)
        if (outcome === "offline") pausedUntil = clock.monotonic() + PAUSE_MS
      }
      if (isStopped()) return
    }
  }
  const watch = repeatedly({ everyMs: EVERY_MS, failure: "could not look up emails", work }, log)
  return {
    stop() {
      mail.stop()
      return watch.stop()
    },
  }
}
