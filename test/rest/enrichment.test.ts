import { describe, expect } from "bun:test"
import { createIds } from "../../src/runtime/clock.ts"
import { forgetOldChanges } from "../../src/worker/upkeep.ts"
import { type Call, openTestAccount, openTestApp, test } from "../support/app.ts"
import { heldClock } from "../support/clock.ts"
import { openBeside } from "../support/database.ts"
import { watchOutbox } from "../support/outbox.ts"
import { until } from "../support/until.ts"

const DAY = 86_400
const START = Date.UTC(2026, 0, 1)

async function made(call: Call, lead: object = {}): Promise<string> {
  const { status, body } = await call("POST", "/leads", { name: "Ada", source: "scrape", ...lead })
  expect(status).toBe(201)
  return body.id
}
const origins = async (call: Call, id: string) =>
  (await call("GET", `/leads/${id}?include=origins`)).body.origins

describe("an enrichment", () => {
  test("fills what is empty, leaves what is there and says both", async ({ call }) => {
    const attributes = [{ name: "seats", type: "number", value: 4 }]
    const id = await made(call, { phone: "+49 30 1", attributes })
    const fields = {
      ...{ phone: "+49 30 2", website: "ada.example", city: "", tags: ["new"] },
      attributes: [...attributes, { name: "staff", type: "number", value: 12 }],
    }
    const { status, body } = await call("POST", `/leads/${id}/enrichments`, { source: "clearbit", fields })
    expect([status, body.filled, body.kept]).toEqual([
      200,
      ["website", "tags", "attr:staff"],
      ["phone", "attr:seats"],
    ])
    const { body: lead } = await call("GET", `/leads/${id}`)
    expect(lead).toMatchObject({ phone: "+49 30 1", website: "ada.example", city: null, tags: ["new"] })
    expect(lead.attributes.map(({ name }: { name: string }) => name)).toEqual(["seats", "staff"])
    const [change] = (await call("GET", `/leads/${id}/changes`)).body.changes
    expect(change).toMatchObject({ action: "updated", reason: "enriched:clearbit" })
  })

  test("that has nothing new changes nothing", async ({ call }) => {
    const id = await made(call, { city: "Ulm" })
    const { body } = await call("GET", `/leads/${id}`)
    const sent = { source: "clearbit", fields: { city: "Bonn", name: "Eve" } }
    const answer = await call("POST", `/leads/${id}/enrichments`, sent)
    expect(answer.body).toEqual({ ...body, filled: [], kept: ["name", "city"] })
    expect((await call("GET", `/leads/${id}/changes`)).body.count).toBe(1)
  })

  test("replaces what is older than asked for, and older than itself", async () => {
    const clock = heldClock(START)
    const { call } = await openTestApp({}, clock)
    const id = await made(call, { city: "Ulm" })
    clock.advance(20 * DAY * 1000)
    await call("PUT", `/leads/${id}`, { country: "DE" })
    const sent = (more: object) => ({ source: "s", fields: { city: "Bonn", country: "AT" }, ...more })
    const enrich = async (more: object) =>
      (await call("POST", `/leads/${id}/enrichments`, sent(more))).body.filled
    expect(await enrich({ older_than_days: 30 })).toEqual([])
    expect(await enrich({ older_than_days: 10, at: START / 1000 - 1 })).toEqual([])
    expect(await enrich({ older_than_days: 10 })).toEqual(["city"])
    expect(await enrich({ older_than_days: 0, at: clock.seconds() })).toEqual([])
    clock.advance(1000)
    expect(await enrich({ older_than_days: 0 })).toEqual(["country"])
  })

  const WRONG = [
    ["no source", { source: "" }, "source is required"],
    ["a time to come", { at: "2050-01-01" }, "at must not be in the future"],
    ["a confidence above 1", { confidence: 2 }, "confidence must be a number from 0 to 1"],
    ["an unknown field", { fields: { fone: "1" } }, "fone"],
    ["a status", { fields: { status: "new" } }, "status"],
  ] as const
  test.each(WRONG)("is refused with %s", async (_, part, message) => {
    const { call } = await openTestAccount()
    const sent = { source: "s", fields: { city: "Ulm" }, ...part }
    const { status, body } = await call("POST", `/leads/${await made(call)}/enrichments`, sent)
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)])
  })
})

describe("origins", () => {
  test("name push, import, enrichment and change with actor, time and confidence", async () => {
    const clock = heldClock(START)
    const app = await openTestApp({}, clock)
    const { call } = app
    const at = START / 1000
    const id = await made(call, { email: "ada@example.com", city: "Ulm" })
    const actor_id = (await call("GET", "/api-keys")).body[0].id
    const base = { actor_id, import_id: null, confidence: null }
    clock.advance(1000)
    const csv = "name,email,phone\nAda,ada@example.com,+49 30 1\n"
    const headers = { "Content-Type": "text/csv" }
    const imported = await call("POST", "/leads/import?source=fair&on_duplicate=fill", csv, headers)
    clock.advance(1000)
    const enrichment = {
      source: "clearbit",
      at: at - 5 * DAY,
      confidence: 0.75,
      fields: { website: "a.example" },
    }
    await call("POST", `/leads/${id}/enrichments`, enrichment)
    clock.advance(1000)
    await call("PUT", `/leads/${id}`, { country: "DE" })
    const found = await origins(call, id)
    expect(found).toMatchObject({
      email: { kind: "push", source: "scrape", at, ...base },
      city: { kind: "push", source: "scrape", at, ...base },
      phone: { kind: "import", source: "fair", at: at + 1, ...base, import_id: imported.body.id },
      website: { kind: "enrichment", source: "clearbit", at: at - 5 * DAY, ...base, confidence: 0.75 },
      country: { kind: "change", source: null, at: at + 3, ...base },
    })
    expect(found.logo_url).toBeUndefined()
    expect((await call("GET", `/leads/${id}`)).body.origins).toBeUndefined()
  })

  test("follow a value that is changed after its enrichment", async ({ call }) => {
    const id = await made(call)
    await call("POST", `/leads/${id}/enrichments`, {
      source: "clearbit",
      fields: { city: "Ulm", state: "BW" },
    })
    await call("PUT", `/leads/${id}`, { city: "Bonn" })
    expect(await origins(call, id)).toMatchObject({
      city: { kind: "change", source: null },
      state: { kind: "enrichment", source: "clearbit" },
    })
  })

  test("are kept by the lead where the trail is pruned", async () => {
    const clock = heldClock(START)
    const { call, config } = await openTestApp({}, clock)
    const id = await made(call, { city: "Ulm" })
    const sent = { source: "clearbit", confidence: 0.5, fields: { phone: "1", website: "a.example" } }
    await call("POST", `/leads/${id}/enrichments`, sent)
    await call("PUT", `/leads/${id}`, { phone: "2" })
    clock.advance(20 * DAY * 1000)
    await call("PUT", `/leads/${id}`, { country: "DE" })
    const store = await openBeside(config.file, createIds(clock))
    await forgetOldChanges(store, 10 * DAY, clock.seconds())
    await store.close()
    expect((await call("GET", `/leads/${id}/changes`)).body.count).toBe(1)
    const at = START / 1000
    const unknown = { actor_id: null, import_id: null }
    expect(await origins(call, id)).toMatchObject({
      city: { kind: "push", source: "scrape", at, ...unknown, confidence: null },
      phone: { kind: "push", source: "scrape", at, ...unknown, confidence: null },
      website: { kind: "enrichment", source: "clearbit", at, ...unknown, confidence: 0.5 },
      country: { kind: "change", at: at + 20 * DAY },
    })
  })

  test("of a value of attributes go by its name", async ({ call }) => {
    const id = await made(call, { attributes: [{ name: "seats", type: "number", value: 4 }] })
    const attributes = [{ name: "staff", type: "number", value: 9 }]
    await call("POST", `/leads/${id}/enrichments`, { source: "clearbit", fields: { attributes } })
    expect(await origins(call, id)).toMatchObject({
      "attr:seats": { kind: "push", source: "scrape" },
      "attr:staff": { kind: "enrichment", source: "clearbit" },
    })
  })
})

describe("lead.needs_enrichment", () => {
  test("is sent once for each lead of a segment with enrich, those of now and those that enter", async () => {
    const app = await openTestApp()
    const { call, config } = app
    const sent = await watchOutbox(config.file)
    const told = async () =>
      (await sent()).filter(({ event }) => event === "lead.needs_enrichment").map(({ data }) => data.name)
    const add = (name: string, city: string) => made(call, { name, city })
    await add("Now", "Ulm")
    const filter = ["and.eq.city.ulm"]
    const { body } = await call("POST", "/segments", { name: "Ulm", filter, enrich: true })
    expect(body.enrich).toBe(true)
    await call("POST", "/segments", { name: "Also Ulm", filter, enrich: true })
    await call("POST", "/segments", { name: "Quiet", filter: ["and.eq.city.bonn"] })
    await until("the lead of now is told of", async () => (await told()).length === 1)
    const later = await add("Later", "Bonn")
    await call("PUT", `/leads/${later}`, { city: "Ulm" })
    await call("POST", "/leads/batch", { leads: [{ name: "Batch", source: "s", city: "Ulm" }] })
    await until("those that entered are told of", async () => (await told()).length === 3)
    await call("PUT", `/leads/${later}`, { city: "Bonn" })
    await call("PUT", `/leads/${later}`, { city: "Ulm" })
    await add("Last", "Ulm")
    await until("the last one is told of", async () => (await told()).includes("Last"))
    expect((await told()).toSorted()).toEqual(["Batch", "Last", "Later", "Now"])
  })

  test("is for no segment without enrich", async ({ call }) => {
    const { body } = await call("POST", "/segments", { name: "Ulm", filter: ["and.eq.city.ulm"] })
    expect(body.enrich).toBeUndefined()
    expect((await call("PUT", `/segments/${body.id}`, { enrich: true })).body.enrich).toBe(true)
    expect((await call("PUT", `/segments/${body.id}`, { name: "U" })).body.enrich).toBe(true)
    expect((await call("PUT", `/segments/${body.id}`, { enrich: false })).body.enrich).toBeUndefined()
  })
})
