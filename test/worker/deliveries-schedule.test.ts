import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { freeDeadLeases } from "../../src/store/sqlite/file/dead-leases.ts"
import { LEASE_MS } from "../../src/worker/deliveries/lease-book.ts"
import { openHook, openSilence } from "../support/hook.ts"
import { attempted, openOutbox, openSender } from "./deliveries-support.ts"

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** The documented waits between attempts. */
const WAITS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

describe("attempts", () => {
  test("ten of them, each after its wait and not before, then the delivery has failed", async () => {
    await using hook = openHook(() => 500)
    const outbox = await openOutbox()
    const { clock, store, addWebhook, publish, delivery } = outbox
    const webhook = await addWebhook(hook.url)
    const id = await publish(webhook)
    const sender = openSender(outbox)
    for (const [i, wait] of WAITS.entries()) {
      const { status, next_attempt_at } = await attempted(outbox, sender, webhook, id, i + 1)
      expect({ status, next_attempt_at }).toEqual({
        status: "pending",
        next_attempt_at: Math.floor((clock.now() + wait) / 1_000),
      })
      clock.advance(wait - 1)
      expect(await store.read.outbox.due(1, clock.now(), 10)).toEqual([])
      clock.advance(1)
    }
    expect(await attempted(outbox, sender, webhook, id, 10)).toMatchObject({
      status: "failed",
      code: 500,
      error: "answered 500",
      next_attempt_at: null,
    })
    clock.advance(30 * DAY)
    expect(await store.read.outbox.waiting()).toEqual([])
    expect((await delivery(webhook, id)).attempts).toBe(10)
    const [first, ...others] = hook.hits
    for (const hit of others) expect([hit.text, hit.delivery]).toEqual([first!.text, first!.delivery])
  })

  test("nobody answers even the last one: it has expired, is found as that, and starts again with the failed", async () => {
    const outbox = await openOutbox()
    const { account, clock, store, addWebhook, publish } = outbox
    const hook = openHook(() => 500)
    const webhook = await addWebhook(hook.url)
    const id = await publish(webhook)
    const sender = openSender(outbox)
    for (const [i, wait] of WAITS.entries()) {
      await attempted(outbox, sender, webhook, id, i + 1)
      clock.advance(wait)
    }
    await hook.close()
    await attempted(outbox, sender, webhook, id, 10)
    const { rows } = await store.read.deliveries.list(account, webhook, { status: "expired", limit: 10 })
    expect(rows).toMatchObject([{ id, status: "expired", code: null, attempts: 10, next_attempt_at: null }])
    const again = { since: 0, at: clock.now(), limit: 10 }
    expect(await store.writeAcross((tx) => tx.deliveries.retryFailed(account, webhook, again))).toBe(1)
    expect(await outbox.delivery(webhook, id)).toMatchObject({ status: "pending", attempts: 0 })
  })

  test("Retry-After makes a wait longer", async () => {
    await using hook = openHook(() => new Response(null, { status: 503, headers: { "Retry-After": "7" } }))
    const outbox = await openOutbox()
    const webhook = await outbox.addWebhook(hook.url)
    const id = await outbox.publish(webhook)
    const { next_attempt_at, updated_at } = await attempted(outbox, openSender(outbox), webhook, id, 1)
    expect(next_attempt_at! - updated_at).toBe(7)
  })
})

describe("turning a webhook off", () => {
  test("410 does at once; the delivery waits", async () => {
    await using hook = openHook(() => 410)
    const outbox = await openOutbox()
    const webhook = await outbox.addWebhook(hook.url)
    const id = await outbox.publish(webhook)
    const second = await outbox.publish(webhook)
    const sender = openSender(outbox)
    await attempted(outbox, sender, webhook, id, 1)
    outbox.clock.advance(DAY)
    sender.wake()
    expect(await outbox.webhook(webhook)).toMatchObject({
      active: false,
      disabled_reason: "the endpoint answered 410 Gone",
    })
    await sender.stop()
    expect(hook.hits.length).toBe(1)
    expect(await outbox.delivery(webhook, second)).toMatchObject({ status: "pending", attempts: 0 })
  })

  test("410 of an endpoint that the webhook no longer has does not", async () => {
    const { promise, resolve } = Promise.withResolvers<number>()
    await using old = openHook(() => promise)
    const outbox = await openOutbox()
    const webhook = await outbox.addWebhook(old.url)
    const id = await outbox.publish(webhook)
    const sender = openSender(outbox)
    sender.wake()
    await old.arrived(1)
    const row = await outbox.webhook(webhook)
    await outbox.store.writeAcross((tx) =>
      tx.webhooks.update(outbox.account, { ...row, url: "http://127.0.0.1:9/" }),
    )
    resolve(410)
    expect(await attempted(outbox, sender, webhook, id, 1)).toMatchObject({ status: "pending", code: 410 })
    expect((await outbox.webhook(webhook)).active).toBe(true)
  })

  test("five days of nothing but failures do, and a success in between starts the count again", async () => {
    let status = 500
    await using hook = openHook(() => status)
    const outbox = await openOutbox()
    const { clock } = outbox
    const webhook = await outbox.addWebhook(hook.url)
    const sender = openSender(outbox)
    const fail = async () => attempted(outbox, sender, webhook, await outbox.publish(webhook), 1)
    await fail()
    clock.advance(5 * DAY - 1)
    await fail()
    status = 200
    await fail()
    status = 500
    await fail()
    clock.advance(5 * DAY - 1)
    await fail()
    // Other changes do not start it again.
    const on = await outbox.webhook(webhook)
    await outbox.store.writeAcross((tx) =>
      tx.webhooks.update(outbox.account, { ...on, events: ["lead.created"] }),
    )
    expect(on.active).toBe(true)
    clock.advance(1)
    await fail()
    const off = await outbox.webhook(webhook)
    expect(off).toMatchObject({ active: false, disabled_reason: "every delivery failed for 5 days" })
    // Turned on again, it starts with a clean record.
    await outbox.store.writeAcross((tx) => tx.webhooks.update(outbox.account, { ...off, active: true }))
    await fail()
    expect((await outbox.webhook(webhook)).active).toBe(true)
  })
})

describe("leases", () => {
  test("while one lives nobody else makes the attempt; when it runs out somebody does", async () => {
    await using hook = openSilence()
    const outbox = await openOutbox()
    const { clock, store } = outbox
    const webhook = await outbox.addWebhook(hook.url)
    await outbox.publish(webhook)
    openSender(outbox).wake()
    await hook.arrived(1)
    const { read } = store
    const other = { lease: "another/1", until: clock.now() + 3 * LEASE_MS }
    const claim = (now: number) => store.writeAcross((tx) => tx.outbox.claim([1], { ...other, now }))
    clock.advance(LEASE_MS - 1)
    expect(await read.outbox.due(1, clock.now(), 10)).toEqual([])
    expect(await claim(clock.now())).toEqual([])
    clock.advance(1)
    expect(await read.outbox.due(1, clock.now(), 10)).toEqual([1])
    expect(await claim(clock.now())).toEqual([1])
  })

  test("an outcome whose lease was lost is dropped", async () => {
    const { promise, resolve } = Promise.withResolvers<number>()
    await using hook = openHook((_, nth) => (nth === 1 ? promise : 200))
    const outbox = await openOutbox()
    const webhook = await outbox.addWebhook(hook.url)
    const id = await outbox.publish(webhook)
    const first = openSender(outbox)
    first.wake()
    await hook.arrived(1)
    outbox.clock.advance(LEASE_MS)
    expect(await attempted(outbox, openSender(outbox), webhook, id, 1)).toMatchObject({ status: "succeeded" })
    resolve(500)
    await first.stop()
    expect(await outbox.delivery(webhook, id)).toMatchObject({ status: "succeeded", attempts: 1, code: 200 })
  })

  test("those of a dead process are freed at the start, unless another process has the file open", async () => {
    const outbox = await openOutbox()
    const { file, store, clock } = outbox
    await outbox.publish(await outbox.addWebhook("http://127.0.0.1:9/"))
    await store.writeAcross((tx) =>
      tx.outbox.claim([1], { lease: "dead/1", now: clock.now(), until: clock.now() + LEASE_MS }),
    )
    const isFree = async () => (await store.read.outbox.due(1, clock.now(), 10)).length === 1
    const program = `
      import { freeDeadLeases } from ${JSON.stringify(Bun.resolveSync("../../src/store/sqlite/file/dead-leases.ts", import.meta.dir))}
      freeDeadLeases(${JSON.stringify(file)})`
    const run = () => Bun.spawn([process.execPath, "-e", program]).exited
    expect(await run()).toBe(0)
    expect(await isFree()).toBe(false)
    const copy = `${file}.copy`
    await store.writeAcross(async () => {})
    new Database(file).run("VACUUM INTO ?", [copy])
    freeDeadLeases(copy)
    const db = new Database(copy)
    expect(db.query("SELECT lease, leased_until, status FROM deliveries").all()).toEqual([
      { lease: null, leased_until: null, status: "pending" },
    ])
    db.close()
  })
})
