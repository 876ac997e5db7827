import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { inAnotherProcess } from "../support/child.ts"
import { onPostgres } from "../support/database.ts"
import { type Hook, openHook } from "../support/hook.ts"
import { openPlace } from "../support/service.ts"
import { until } from "../support/until.ts"
import { attempted, openOutbox, openSender } from "./deliveries-support.ts"

async function openBoth(hook: Hook) {
  const place = openPlace()
  const service = await place.serve()
  const { call } = service
  const { id } = (await call("POST", "/webhooks", { url: hook.url, events: ["lead.created"] })).body
  const create = (name: string) => call("POST", "/leads", { name, source: "s" })
  const file = join(place.folder, "data/leads.db")
  return {
    ...{ place, service, call, create, id: id as string, file },
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  }
}

function rows(file: string) {
  using db = new Database(file, { readonly: true })
  return db
    .query<{ status: string; attempts: number; lease: string | null }, []>(
      "SELECT status, attempts, lease FROM deliveries",
    )
    .all()
}

test("kill -9 loses nothing: what was under way is sent again at the next start, as the same delivery", async () => {
  let isSilent = true
  await using hook = openHook(() => (isSilent ? new Promise<Response>(() => {}) : 200))
  await using both = await openBoth(hook)
  for (let i = 0; i < 10; i++) expect((await both.create(`Lead ${i}`)).status).toBe(201)
  const [cut] = await hook.arrived(1)
  await both.service.kill()
  isSilent = false
  const before = hook.hits.length
  await both.place.serve()
  const again = () => hook.hits.slice(before)
  await until("all of them", () => new Set(again().map(({ json }) => json.data.name)).size === 10)
  expect(again().map(({ delivery }) => delivery)).toContain(cut!.delivery)
  await until("all recorded", () => rows(both.file).every(({ status }) => status === "succeeded"))
})

describe("SIGTERM", () => {
  test("lets an attempt in flight end and records it", async () => {
    const { promise, resolve } = Promise.withResolvers<number>()
    await using hook = openHook(() => promise)
    await using both = await openBoth(hook)
    await both.create("A")
    await hook.arrived(1)
    both.service.signal("SIGTERM")
    await until("it takes no more requests", () =>
      both.call("GET", "/leads").then(
        () => false,
        () => true,
      ),
    )
    resolve(200)
    expect((await both.service.ended).code).toBe(0)
    expect(rows(both.file)).toEqual([{ status: "succeeded", attempts: 1, lease: null }])
  })

  test("cuts attempts that do not: they do not count, and whoever comes next makes them at once", async () => {
    let isSilent = true
    await using hook = openHook(() => (isSilent ? new Promise<Response>(() => {}) : 200))
    const outbox = await openOutbox()
    const webhook = await outbox.addWebhook(hook.url)
    const held = [await outbox.publish(webhook, '"held"'), await outbox.publish(webhook, '"held"')]
    const sender = openSender(outbox, { stopPatienceMs: 50 })
    sender.wake()
    await hook.arrived(1)
    await sender.stop()
    for (const id of held)
      expect(await outbox.delivery(webhook, id)).toMatchObject({ status: "pending", attempts: 0 })
    expect((await outbox.store.read.outbox.due(1, outbox.clock.now(), 10)).length).toBe(2)
    isSilent = false
    const next = openSender(outbox)
    for (const id of held) await attempted(outbox, next, webhook, id, 1)
  })
})

test("two services on one file send every event once", async () => {
  await using hook = openHook()
  await using both = await openBoth(hook)
  const { call: second } = await both.place.serve()
  const create = (i: number) =>
    i % 2 ? both.create(`Lead ${i}`) : second("POST", "/leads", { name: `Lead ${i}`, source: "s" })
  await Promise.all(Array.from({ length: 100 }, (_, i) => create(i)))
  await hook.arrived(100)
  await until("all recorded", () => rows(both.file).every(({ status }) => status === "succeeded"))
  expect(hook.hits.length).toBe(100)
})

// The services of this file keep theirs in files; several on one database: test/instances.
test.skipIf(onPostgres)("a service sends what another process queued, though nobody tells it", async () => {
  await using hook = openHook()
  await using both = await openBoth(hook)
  const code = `
    await store.writeAcross((tx) => {
      const event = { id: tx.newId("evt_"), event: "lead.created", body: "{}", created_at: Math.floor(Date.now() / 1_000) }
      return tx.deliveries.publish(1, event, [input], Date.now())
    })`
  await inAnotherProcess(both.file, code, both.id)
  const [hit] = await hook.arrived(1)
  expect(hit!.text).toBe("{}")
})
