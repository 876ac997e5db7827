// The main thread's half of deliveries: it writes what the sender tells, and keeps the table in order.

import { MAKER_ENDED } from "../../domain/access/makers.ts"
import { type Clock, unixSeconds } from "../../runtime/clock.ts"
import type { Log } from "../../runtime/log.ts"
import type { AttemptRecord, Store, Transaction } from "../../store/contract/store.ts"
import type { DeliveryNews } from "../messages.ts"
import { LEASE_MS, type WriteNews } from "./lease-book.ts"
import { LONGEST_WAITS, shouldDisable } from "./schedule.ts"

/** Deliveries are listed for 30 days. */
const KEPT_SECONDS = 30 * 24 * 60 * 60
/** Rows deleted in one transaction, which takes a few milliseconds of the writer. */
const PRUNED_AT_ONCE = 500

interface TurnedOff {
  webhook: string
  reason: string
}

/** Writes the sender's news, in one transaction of the ordinary queue. */
export function createNewsWriter(store: Store, log: Log): WriteNews {
  return async (news) => {
    try {
      const { claimed, off } = await store.writeAcross((tx) => write(tx, news))
      for (const { webhook, reason } of off) log.warn("webhook turned off", { webhook, reason })
      return claimed
    } catch (error) {
      log.error("could not write down what became of deliveries; trying again", {}, error)
      return undefined
    }
  }
}

async function write(tx: Transaction, { now, back, attempts, releases, claims }: DeliveryNews) {
  const off: TurnedOff[] = []
  for (const attempt of attempts) {
    const turnedOff = await record(tx, attempt)
    if (turnedOff) off.push(turnedOff)
  }
  await tx.outbox.release(releases)
  if (back > 0) await tx.outbox.reschedule({ now, back, longest: LONGEST_WAITS, lease: LEASE_MS })
  if (claims.refs.length === 0) return { claimed: [], off }
  for (const webhook of await tx.outbox.endWebhooks(claims.refs, MAKER_ENDED, now))
    off.push({ webhook, reason: MAKER_ENDED })
  return { claimed: await tx.outbox.claim(claims.refs, { ...claims, now }), off }
}

/** Records an attempt and how the webhook is doing since. */
async function record(tx: Transaction, attempt: AttemptRecord): Promise<TurnedOff | undefined> {
  const webhook = await tx.outbox.record(attempt)
  // The webhook has another URL by now: the outcome says nothing about it.
  if (!webhook || webhook.url !== attempt.url) return undefined
  const { ref, failing_since: failingSince } = webhook
  if (attempt.status === "succeeded") {
    if (failingSince !== null) await tx.outbox.setFailing(ref, null)
    return undefined
  }
  if (failingSince === null) await tx.outbox.setFailing(ref, attempt.at)
  const reason = shouldDisable({ status: attempt.code, failingSince, now: attempt.at })
  if (reason === undefined || !webhook.active) return undefined
  await tx.outbox.disable(ref, reason, attempt.at)
  return { webhook: webhook.id, reason }
}

/**
 * After the clock may have been set back while no service was there to see it: no delivery waits longer than its
 * schedule says.
 */
export async function boundWaits(store: Store, clock: Clock): Promise<void> {
  const now = clock.now()
  await store.writeAcross((tx) =>
    tx.outbox.reschedule({ now, back: 0, longest: LONGEST_WAITS, lease: LEASE_MS }),
  )
}

/** Deletes deliveries that are over for 30 days and those of removed webhooks, a few at a time. */
export async function prune(store: Store, clock: Clock): Promise<void> {
  const before = unixSeconds(clock.now()) - KEPT_SECONDS
  for (let turn: number | undefined = 0; turn !== undefined; ) {
    const after: number = turn
    turn = await store.writeAcross((tx) => tx.outbox.prune({ before, after, limit: PRUNED_AT_ONCE }))
  }
  while (await store.writeAcross((tx) => tx.outbox.pruneRemoved(PRUNED_AT_ONCE)));
}
