// Webhooks as receivers see them: a real service with its worker thread, real receivers.
import { describe, expect } from "bun:test"
import { createHmac } from "node:crypto"
import { Webhook } from "standardwebhooks"
import { EVENTS } from "../../src/domain/events.ts"
import { type Call, openTestAccount } from "../support/app.ts"
import { type Answering, openHook } from "../support/hook.ts"
import { testWith } from "../support/test-with.ts"
import { until } from "../support/until.ts"

const test = testWith(openBoth)

/** A service and a receiver that gets its events. */
async function openBoth(answer?: Answering, fields: object = {}) {
  const hook = openHook(answer)
  const service = await openTestAccount()
  const { body } = await service.call("POST", "/webhooks", { url: hook.url, ...fields })
  const deliveries = async (query = "") =>
    (await service.call("GET", `/webhooks/${body.id}/deliveries${query}`)).body.deliveries
  return { ...service, hook, id: body.id as string, deliveries, [Symbol.asyncDispose]: hook.close }
}

const lead = async (call: Call, fields: object = {}) =>
  (await call("POST", "/leads", { name: "Acme", source: "web", ...fields })).body

/** The recorded outcome of the newest delivery, once it has had so many attempts. */
function outcome(deliveries: () => Promise<{ attempts: number }[]>, attempts = 1) {
  return until(`${attempts} attempts recorded`, async () => {
    const [newest] = await deliveries()
    return newest?.attempts === attempts && newest
  })
}

test("every event is sent, in the order of the changes, with the documented data", async (both) => {
  const { call, hook } = both
  const expected: [string, unknown][] = []
  const get = async (id: string) => (await call("GET", `/leads/${id}`)).body

  const { id } = await lead(call, { email: "a@example.com", rating: 4, tags: ["x"] })
  expected.push(["lead.created", await get(id)])
  await call("PUT", `/leads/${id}`, { city: "Berlin" })
  expected.push(["lead.updated", await get(id)])
  await lead(call, { email: "a@example.com", city: "Bonn" })
  expected.push(["lead.updated", await get(id)])
  await call("POST", "/scoring-rules", { name: "r", expression: "rating * 10" })
  await call("POST", `/leads/${id}/score`)
  expected.push(["lead.scored", await get(id)])
  await call("PUT", `/leads/${id}`, { rating: 5 })
  expected.push(["lead.updated", await get(id)], ["lead.scored", await get(id)])

  const note = (await call("POST", `/leads/${id}/notes`, { content: "one" })).body
  expected.push(["note.created", note])
  const edited = (await call("PUT", `/notes/${note.id}`, { content: "two" })).body
  expected.push(["note.updated", edited])
  await call("DELETE", `/notes/${note.id}`)
  expected.push(["note.deleted", edited])

  const leads = [{ name: "B", source: "s" }, { name: "C", source: "s" }, { source: "no name" }]
  const merged = { name: "A again", source: "s", email: "A@example.com" }
  const { created } = (await call("POST", "/leads/batch", { leads: [...leads, merged] })).body
  const ids = created.slice(0, 2).map((one: { id: string }) => one.id)
  expected.push(["leads.created", { ids, count: 2 }], ["leads.updated", { ids: [id], count: 1 }])
  await call("PUT", "/leads/batch", { ids: [...ids, "cl_none"], data: { city: "Ulm" } })
  expected.push(["leads.updated", { ids, count: 2 }])
  await call("POST", "/leads/score/batch")
  const scored = [{ id, score: 50 }, ...ids.map((one: string) => ({ id: one, score: 0 }))]
  expected.push(["leads.scored", { leads: scored, count: 3 }])
  await call("DELETE", "/leads/batch", { ids })
  expected.push(["leads.deleted", { ids, count: 2 }])
  await call("PUT", `/leads/${id}`, { next_step_at: Math.floor(Date.now() / 1_000) - 10 })
  const last = await get(id)
  await hook.event("lead.due")
  expected.push(["lead.updated", last], ["lead.due", last])
  await call("DELETE", `/leads/${id}`)
  expected.push(["lead.deleted", last])

  const hits = await hook.arrived(expected.length)
  const sent = hits.toSorted((a, b) => (a.delivery < b.delivery ? -1 : 1))
  expect(sent.map(({ json }) => [json.event, json.data])).toEqual(expected)
  expect(new Set(sent.map(({ event }) => event))).toEqual(
    // Merges, segments, forms and enrichment have tests of their own.
    new Set(EVENTS.filter((event) => !/merged$|^segment\.|^form\.|enrichment$/.test(event))),
  )
  const now = Date.now() / 1_000
  for (const { json, event } of sent) {
    expect(Object.keys(json)).toEqual(["event", "timestamp", "data"])
    expect(json.event).toBe(event)
    expect(Number.isInteger(json.timestamp) && Math.abs(now - json.timestamp) < 60).toBe(true)
  }
})

test("several webhooks: each gets the events it asked for", async (all) => {
  await using notes = openHook()
  await using off = openHook()
  await all.call("POST", "/webhooks", { url: notes.url, events: ["note.created"] })
  await all.call("POST", "/webhooks", { url: off.url, active: false })
  const { id } = await lead(all.call)
  await all.call("POST", `/leads/${id}/notes`, { content: "x" })
  const [note] = await notes.arrived(1)
  const [, same] = await all.hook.arrived(2)
  expect(note!.text).toBe((await all.hook.event("note.created")).text)
  expect(note!.delivery).not.toBe(same!.delivery)
  expect([notes.hits.length, off.hits.length]).toEqual([1, 0])
})

describe("signatures", () => {
  test.each([
    ["any text", "geheim"],
    ["a Standard Webhooks secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  ])("verify with %s; retries are signed anew over the same bytes", async (_, secret) => {
    await using both = await openBoth((_, nth) => (nth === 1 ? 500 : 200), { secret })
    const { call, hook, id, deliveries } = both
    await lead(call, { name: "Zoë 😀" })
    const { id: delivery } = (await outcome(deliveries)) as unknown as { id: string }
    expect((await call("POST", `/webhooks/${id}/deliveries/${delivery}/retry`)).status).toBe(202)
    const hits = await hook.arrived(2)
    const standard = new Webhook(
      secret.startsWith("whsec_") ? secret : Buffer.from(secret).toString("base64"),
    )
    for (const { headers, text } of hits) {
      expect(headers.get("x-service-signature")).toBe(createHmac("sha256", secret).update(text).digest("hex"))
      expect(standard.verify(text, headers.toJSON())).toMatchObject({ event: "lead.created" })
      expect(headers.get("webhook-id")).toBe(delivery)
      expect(headers.get("x-service-delivery")).toBe(delivery)
      expect(headers.get("content-type")).toBe("application/json")
    }
    expect(hits[1]!.text).toBe(hits[0]!.text)
  })

  test("none without a secret", async (both) => {
    await lead(both.call)
    const [hit] = await both.hook.arrived(1)
    expect(hit!.headers.has("x-service-signature") || hit!.headers.has("webhook-signature")).toBe(false)
  })
})

describe("what is sent", () => {
  test("is committed: whoever asks at once finds it", async () => {
    let ask: (id: string) => Promise<number> = async () => 0
    const found: number[] = []
    await using both = await openBoth(async ({ json }) => {
      found.push(await ask(json.data.id))
      return 200
    })
    ask = async (id) => (await both.call("GET", `/leads/${id}`)).status
    await Promise.all(Array.from({ length: 40 }, (_, i) => lead(both.call, { name: `L${i}` })))
    await until("all asked", () => found.length === 40)
    expect(new Set(found)).toEqual(new Set([200]))
  })

  test("is nothing of what was refused", async (both) => {
    const { call, hook } = both
    await lead(call, { email: "a@example.com" })
    const { id } = await lead(call, { name: "Bee", email: "b@example.com" })
    expect((await call("PUT", `/leads/${id}`, { email: "a@example.com" })).status).toBe(409)
    await lead(call, { name: "C" })
    const hits = await hook.arrived(3)
    expect(hits.map(({ event }) => event)).toEqual(["lead.created", "lead.created", "lead.created"])
  })

  test("keeps the bytes of its time, whatever became of the lead", async () => {
    await using both = await openBoth((_, nth) => (nth === 1 ? 500 : 200), { events: ["lead.created"] })
    const { call, hook, id, deliveries } = both
    const { id: leadId } = await lead(call)
    await outcome(deliveries)
    await call("PUT", `/leads/${leadId}`, { name: "Other" })
    await call("DELETE", `/leads/${leadId}`)
    expect((await call("POST", `/webhooks/${id}/deliveries/retry`, { since: 0 })).body).toEqual({
      retried: 1,
    })
    const [first, second] = await hook.arrived(2)
    expect(second!.text).toBe(first!.text)
  })
})

test("POST /webhooks/{id}/test sends webhook.test, whatever the webhook subscribes to", async () => {
  await using both = await openBoth(undefined, { events: ["note.deleted"] })
  const { call, hook, id, deliveries } = both
  const { status, body } = await call("POST", `/webhooks/${id}/test`)
  expect(status).toBe(202)
  expect(body).toMatchObject({ event: "webhook.test", status: "pending", attempts: 0 })
  const [hit] = await hook.arrived(1)
  expect(hit!.json.data).toEqual({ message: "This is a test event from leaddb", webhook_id: id })
  expect(await outcome(deliveries)).toMatchObject({ id: body.id, status: "succeeded", code: 200 })
})

describe("POST .../retry", () => {
  test("sends again what succeeded, and hurries what waits; what is under way is left alone", async () => {
    const { promise: held, resolve } = Promise.withResolvers<number>()
    await using both = await openBoth((_, nth) => (nth === 1 ? held : nth === 2 ? 500 : 200))
    const { call, hook, id, deliveries } = both
    await lead(call)
    await hook.arrived(1)
    const [{ id: delivery }] = await deliveries()
    const retry = () => call("POST", `/webhooks/${id}/deliveries/${delivery}/retry`)
    const busy = await retry()
    expect(busy).toMatchObject({ status: 409, body: { code: "conflict" } })
    resolve(200)
    await outcome(deliveries)
    expect(await retry()).toMatchObject({
      status: 202,
      body: { id: delivery, status: "pending", attempts: 0 },
    })
    expect(await outcome(deliveries)).toMatchObject({ status: "pending", code: 500 })
    expect((await retry()).status).toBe(202)
    expect(await outcome(deliveries, 2)).toMatchObject({ status: "succeeded" })
    expect(new Set(hook.hits.map((hit) => hit.delivery)).size).toBe(1)
  })

  test("of all since a time: the failed and the waiting, not the others", async () => {
    let status = 500
    await using both = await openBoth(() => status)
    const { call, hook, id, deliveries } = both
    await Promise.all(Array.from({ length: 5 }, (_, i) => lead(call, { name: `L${i}` })))
    await until("five failures", async () => {
      const all: { attempts: number }[] = await deliveries()
      return all.length === 5 && all.every(({ attempts }) => attempts === 1)
    })
    status = 200
    await lead(call, { name: "fine" })
    await until("one success", async () => (await deliveries("?status=succeeded")).length === 1)
    const retry = (body: object) => call("POST", `/webhooks/${id}/deliveries/retry`, body)
    const tomorrow = Math.floor(Date.now() / 1_000) + 86_400
    expect((await retry({ since: tomorrow })).body).toEqual({ retried: 0 })
    expect(await retry({ since: 0 })).toMatchObject({ status: 202, body: { retried: 5 } })
    await until("all of them", async () => (await deliveries("?status=succeeded")).length === 6)
    expect((await retry({ since: 0 })).body).toEqual({ retried: 0 })
    expect(hook.hits.length).toBe(11)
    expect((await retry({})).status).toBe(400)
  })

  test("of a delivery that is not there: 404", async (both) => {
    const { status, body } = await both.call("POST", `/webhooks/${both.id}/deliveries/dlv_none/retry`)
    expect({ status, message: body.message }).toEqual({ status: 404, message: "Delivery not found" })
  })
})

describe("an endpoint that", () => {
  test("redirects is not followed", async () => {
    await using other = openHook()
    await using both = await openBoth(() => Response.redirect(other.url, 307))
    await lead(both.call)
    const told = await outcome(both.deliveries)
    expect(told).toMatchObject({
      status: "pending",
      code: 307,
      error: "answered 307 (redirects are not followed)",
    })
    expect(other.hits).toEqual([])
  })

  test("is gone (410) turns its webhook off, and PUT turns it on again", async () => {
    let status = 410
    await using both = await openBoth(() => status)
    const { call, hook, id } = both
    await lead(call)
    const off = await until("turned off", async () => {
      const { body } = await call("GET", `/webhooks/${id}`)
      return !body.active && body
    })
    expect(off.disabled_reason).toBe("the endpoint answered 410 Gone")
    await lead(call, { name: "nobody hears of it" })
    status = 200
    const on = (await call("PUT", `/webhooks/${id}`, { active: true })).body
    expect(on.active).toBe(true)
    expect(on).not.toHaveProperty("disabled_reason")
    await lead(call, { name: "heard of" })
    await until("the new one", () => hook.hits.some(({ json }) => json.data.name === "heard of"))
    expect(hook.hits.map(({ json }) => json.data.name)).not.toContain("nobody hears of it")
  })

  test("is not there is a failure for people to read", async (both) => {
    both.hook.close()
    await lead(both.call)
    expect(await outcome(both.deliveries)).toMatchObject({
      status: "pending",
      code: null,
      error: "connection refused",
    })
  })

  test("answers after its webhook was deleted harms nothing", async () => {
    const { promise, resolve } = Promise.withResolvers<number>()
    await using both = await openBoth(() => promise)
    await lead(both.call)
    await both.hook.arrived(1)
    expect((await both.call("DELETE", `/webhooks/${both.id}`)).status).toBe(204)
    await using next = openHook()
    await both.call("POST", "/webhooks", { url: next.url })
    resolve(200)
    await lead(both.call, { name: "next" })
    await next.arrived(1)
    expect(both.hook.hits.length).toBe(1)
  })
})
