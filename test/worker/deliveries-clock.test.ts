import { describe, expect, test } from "bun:test"
import { LEASE_MS, watchForStepsBack } from "../../src/worker/deliveries/lease-book.ts"
import { boundWaits } from "../../src/worker/deliveries/outbox.ts"
import { heldClock } from "../support/clock.ts"
import { openHook } from "../support/hook.ts"
import { until } from "../support/until.ts"
import { attempted, type Outbox, openOutbox, openSender } from "./deliveries-support.ts"

const HOUR = 60 * 60 * 1_000

/** Whether a webhook's deliveries would be sent now. */
const due = ({ store, clock }: Outbox, webhook = 1) => store.read.outbox.due(webhook, clock.now(), 10)

describe("a clock that is set back", () => {
  test("lengthens no wait of a running service, and sends nothing twice", async () => {
    await using hook = openHook(({ text }) => (text === '"waits"' ? 500 : 200))
    const outbox = await openOutbox()
    const { clock } = outbox
    const webhook = await outbox.addWebhook(hook.url)
    const sender = openSender(outbox)
    const id = await outbox.publish(webhook, '"waits"')
    await attempted(outbox, sender, webhook, id, 1)
    clock.jump(-100 * 24 * HOUR)
    // Something happens, so that the sender looks at the clock; at the latest it does so a second later by itself.
    await attempted(outbox, sender, webhook, await outbox.publish(webhook, '"new"'), 1)
    clock.advance(4_999)
    expect(await due(outbox)).toEqual([])
    clock.advance(1)
    expect(await due(outbox)).toEqual([1])
    await attempted(outbox, sender, webhook, id, 2)
    expect(hook.hits.map(({ text }) => text)).toEqual(['"waits"', '"new"', '"waits"'])
  })

  test("while no service ran: nothing waits longer than its schedule says from now on", async () => {
    await using hook = openHook(() => 500)
    const outbox = await openOutbox()
    const { clock, store } = outbox
    const [first, second] = [await outbox.addWebhook(hook.url), await outbox.addWebhook(hook.url)]
    const sender = openSender(outbox)
    await attempted(outbox, sender, first, await outbox.publish(first), 1)
    await outbox.publish(second)
    await sender.stop()
    clock.jump(-100 * 24 * HOUR)
    await boundWaits(store, clock)
    // What was never tried is due at once, what was tried once after 5 s and what a receiver may add to it.
    expect(await due(outbox, 2)).toEqual([2])
    expect(await due(outbox)).toEqual([])
    clock.advance(12_000)
    expect(await due(outbox)).toEqual([1])
  })

  test("lengthens no lease", async () => {
    const outbox = await openOutbox()
    const { clock, store } = outbox
    await outbox.publish(await outbox.addWebhook("http://127.0.0.1:9/"))
    await store.writeAcross((tx) =>
      tx.outbox.claim([1], { lease: "dead/1", now: clock.now(), until: clock.now() + LEASE_MS }),
    )
    clock.jump(-HOUR)
    await boundWaits(store, clock)
    clock.advance(LEASE_MS - 1)
    expect(await due(outbox)).toEqual([])
    clock.advance(1)
    expect(await due(outbox)).toEqual([1])
  })
})

test("a clock that is set forward makes due what is due by it, once", async () => {
  await using hook = openHook(() => 500)
  const outbox = await openOutbox()
  const { clock } = outbox
  const webhook = await outbox.addWebhook(hook.url)
  const id = await outbox.publish(webhook)
  const sender = openSender(outbox)
  await attempted(outbox, sender, webhook, id, 1)
  clock.jump(24 * HOUR)
  const { next_attempt_at } = await attempted(outbox, sender, webhook, id, 2)
  expect(next_attempt_at).toBe(clock.seconds() + 300)
  sender.wake()
  await sender.stop()
  expect(hook.hits.length).toBe(2)
})

test("watchForStepsBack tells of a step back once, and of nothing else", () => {
  const clock = heldClock()
  const stepBack = watchForStepsBack(clock)
  const told = () => [stepBack(), stepBack()]
  clock.advance(HOUR)
  expect(told()).toEqual([0, 0])
  clock.jump(-5_000)
  expect(told()).toEqual([5_000, 0])
  clock.jump(HOUR)
  expect(told()).toEqual([0, 0])
  clock.jump(-HOUR)
  expect(told()).toEqual([HOUR, 0])
  for (let i = 0; i < 3; i++) {
    clock.jump(-400)
    clock.advance(10_000)
    expect(stepBack()).toBe(i === 2 ? 1_200 : 0)
  }
})

test("while something waits, the sender looks by itself", async () => {
  await using hook = openHook((_, nth) => (nth === 1 ? 500 : 200))
  const outbox = await openOutbox()
  const webhook = await outbox.addWebhook(hook.url)
  const id = await outbox.publish(webhook)
  const sender = openSender(outbox)
  await attempted(outbox, sender, webhook, id, 1)
  outbox.clock.advance(5_000)
  await until("the second attempt", async () => (await outbox.delivery(webhook, id)).status === "succeeded")
})
