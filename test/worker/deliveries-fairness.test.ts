import { expect, test } from "bun:test"
import { type Hook, openHook, openSilence } from "../support/hook.ts"
import { until } from "../support/until.ts"
import { openOutbox, openSender } from "./deliveries-support.ts"

const SILENT = 64

test("64 endpoints that never answer hold up nobody else, and get four attempts at most", async () => {
  const outbox = await openOutbox()
  const silent = Array.from({ length: SILENT }, openSilence)
  await using healthy = openHook()
  try {
    const webhooks = await Promise.all(silent.map(({ url }) => outbox.addWebhook(url)))
    const good = await outbox.addWebhook(healthy.url)
    // More for each of the silent ones than it can hold. None is given up while the test runs.
    for (let i = 0; i < 6; i++) for (const webhook of webhooks) await outbox.publish(webhook)
    const sender = openSender(outbox, { answerWithinMs: 600_000, stopPatienceMs: 0 })
    sender.wake()
    await until("every endpoint has something to be silent about", () =>
      silent.every(({ hits }) => hits.length > 0),
    )
    for (let i = 1; i <= 20; i++) {
      await outbox.publish(good)
      sender.wake()
      await healthy.arrived(i)
    }
    for (const { hits } of silent) expect(hits.length).toBeLessThanOrEqual(4)
    await sender.stop()
  } finally {
    await Promise.all(silent.map((hook: Hook) => hook.close()))
  }
})
