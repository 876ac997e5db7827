import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { prune } from "../../src/worker/deliveries/outbox.ts"
import { openHook } from "../support/hook.ts"
import { attempted, openOutbox, openSender } from "./deliveries-support.ts"

const DAY = 24 * 60 * 60 * 1_000
const NOWHERE = "http://127.0.0.1:9/"

/** How many rows there are. */
function rows(file: string) {
  using db = new Database(file, { readonly: true })
  const count = (table: string) => db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()!.n
  return { webhooks: count("webhooks"), deliveries: count("deliveries"), events: count("events") }
}

describe("clearing away", () => {
  test("deliveries and their events are kept for 30 days after they are over", async () => {
    const outbox = await openOutbox()
    const { clock, store, file } = outbox
    const webhook = await outbox.addWebhook(NOWHERE)
    for (let i = 0; i < 1_200; i++) await outbox.publish(webhook)
    {
      using db = new Database(file)
      db.run("UPDATE deliveries SET status = iif(rid % 2, 'succeeded', 'expired'), turn = rid, attempts = 1")
    }
    clock.advance(DAY)
    await outbox.publish(webhook)
    clock.advance(29 * DAY)
    await prune(store, clock)
    expect(rows(file)).toEqual({ webhooks: 1, deliveries: 1_201, events: 1_201 })
    clock.advance(1_000)
    await prune(store, clock)
    expect(rows(file)).toEqual({ webhooks: 1, deliveries: 1, events: 1 })
  })

  test("a clock that jumps 60 days ahead loses nothing that waits, and one that is over now counts from now", async () => {
    const outbox = await openOutbox()
    const { clock, store, file } = outbox
    await using hook = openHook()
    const off = await outbox.addWebhook(NOWHERE, { active: false })
    const failing = await outbox.addWebhook(NOWHERE)
    const working = await outbox.addWebhook(hook.url)
    const ids = await Promise.all([off, failing, working].map((webhook) => outbox.publish(webhook)))
    const sender = openSender(outbox)
    await attempted(outbox, sender, failing, ids[1]!, 1)
    await attempted(outbox, sender, working, ids[2]!, 1)
    const late = await outbox.publish(working)
    clock.advance(60 * DAY)
    await prune(store, clock)
    expect(rows(file)).toEqual({ webhooks: 3, deliveries: 3, events: 3 })
    // Sixty days late it arrives all the same, and stays in the log.
    expect(await attempted(outbox, sender, working, late, 1)).toMatchObject({ status: "succeeded" })
    await prune(store, clock)
    expect(await outbox.delivery(working, late)).toMatchObject({ status: "succeeded" })
    expect(await outbox.delivery(off, ids[0]!)).toMatchObject({ status: "pending", attempts: 0 })
    expect(await attempted(outbox, sender, failing, ids[1]!, 2)).toMatchObject({ status: "pending" })
  })

  test("a removed webhook goes with its deliveries; an event stays while another webhook has it", async () => {
    const outbox = await openOutbox()
    const { clock, store, file, account } = outbox
    const [kept, removed] = [
      await outbox.addWebhook(NOWHERE),
      await outbox.addWebhook(NOWHERE, { secret: "s" }),
    ]
    await outbox.publish(removed)
    await store.writeAcross((tx) => {
      const event = { id: "evt_both", event: "lead.created", body: "{}", created_at: clock.seconds() }
      return tx.deliveries.publish(account, event, [kept, removed], clock.now())
    })
    expect(await store.writeAcross((tx) => tx.webhooks.remove(account, removed))).toBe(true)
    expect(await store.writeAcross((tx) => tx.webhooks.remove(account, removed))).toBe(false)
    expect(await store.read.outbox.waiting()).toEqual([{ webhook: 1, due_at: clock.now() }])
    expect((await store.read.deliveries.list(account, removed, { limit: 10 })).rows).toEqual([])
    await prune(store, clock)
    expect(rows(file)).toEqual({ webhooks: 1, deliveries: 1, events: 1 })
    expect((await store.read.deliveries.list(account, kept, { limit: 10 })).rows).toMatchObject([
      { event: "lead.created" },
    ])
  })
})
