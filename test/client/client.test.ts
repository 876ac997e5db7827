// The service as users of its TypeScript client see it: a black box behind real HTTP.
import { describe, expect } from "bun:test"
import {
  type ClientOptions,
  createLeaddbClient,
  type Lead,
  type LeaddbClient,
  LeaddbError,
  verifyWebhook,
} from "../../src/client/index.ts"
import { openTestAccount } from "../support/app.ts"
import { openHook } from "../support/hook.ts"
import { testWith } from "../support/test-with.ts"

const test = testWith(openClient)

async function openClient(options: Partial<ClientOptions> = {}) {
  const service = await openTestAccount()
  const client = createLeaddbClient({ baseUrl: service.app.url, apiKey: service.key, ...options })
  return { service, client }
}

/** What a call fails with. */
async function failure(call: Promise<unknown>): Promise<LeaddbError> {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (thrown instanceof LeaddbError) return thrown
  throw new Error(`expected a LeaddbError, got ${thrown}`)
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  return Array.fromAsync(items)
}
const at = (id: string) => ({ params: { path: { id } } })

/** Twelve leads with ratings 1 to 12, those with an even one in Berlin. */
async function fill(client: LeaddbClient): Promise<void> {
  const leads = Array.from({ length: 12 }, (_, i) => ({
    ...{ name: `Lead ${i + 1}`, source: "test", email: `lead${i + 1}@example.com`, rating: i + 1 },
    city: i % 2 === 1 ? "Berlin" : "Hamburg",
  }))
  const { success, failed } = await client.post("/leads/batch", { body: { leads } })
  expect([success, failed]).toEqual([12, 0])
}

describe("leads", () => {
  test("are pushed, merged, read, changed, sent back and deleted", async ({ client }) => {
    const created = await client.post("/leads", {
      body: { name: "Da Nino", source: "maps", email: "nino@example.com", rating: 4.6, tags: ["italian"] },
    })
    expect(created.duplicate).toBeUndefined()
    const merged = await client.post("/leads", {
      body: { name: "Da Nino", source: "form", email: "NINO@example.com", phone: "+49 30 1" },
    })
    expect(merged).toMatchObject({ id: created.id, duplicate: true, phone: "+49 30 1", rating: 4.6 })

    const lead = await client.get("/leads/{id}", at(created.id))
    expect(lead).toMatchObject({ source: "form", status: "new", city: null })
    const changed = await client.put("/leads/{id}", {
      ...at(lead.id),
      body: { ...lead, status: "qualified", city: "Berlin" },
    })
    expect(changed).toMatchObject({ id: lead.id, status: "qualified", city: "Berlin" })
    const { changes } = await client.get("/leads/{id}/changes", at(lead.id))
    expect(changes.map(({ action, reason }) => reason ?? action)).toEqual([
      "updated",
      "dedup:email",
      "created",
    ])
    expect(await client.delete("/leads/{id}", at(lead.id))).toBeUndefined()
    expect(await failure(client.get("/leads/{id}", at(lead.id)))).toMatchObject({
      ...{ status: 404, code: "not_found", message: "Lead not found" },
    })
  })

  test("are read page after page, with filters and a sort", async ({ client }) => {
    await fill(client)
    const filter = ["and.eq.city.berlin", "and.gt.rating.2"]
    const found = await all(client.leads({ filter, sort_by: "rating", sort_order: "DESC", limit: 2 }))
    expect(found.map(({ rating }) => rating)).toEqual([12, 10, 8, 6, 4])
    expect(await all(client.leads({ filter: ["and.eq.city.nowhere"] }))).toEqual([])

    const first: Lead[] = []
    for await (const lead of client.leads({ limit: 3 })) {
      first.push(lead)
      if (first.length === 4) break
    }
    expect(first.map(({ name }) => name)).toEqual(["Lead 1", "Lead 2", "Lead 3", "Lead 4"])
  })

  test("are changed, deleted and exported in bulk", async ({ client }) => {
    await fill(client)
    const ids = (await all(client.leads({ filter: ["and.lte.rating.3"] }))).map(({ id }) => id)
    const contacted = await client.put("/leads/batch", { body: { ids, data: { status: "contacted" } } })
    expect(contacted).toMatchObject({ total: 3, success: 3, failed: 0 })
    const partly = await client.delete("/leads/batch", { body: { ids: [...ids.slice(1), "cl_none"] } })
    expect(partly.results.map(({ success, message }) => message ?? success)).toEqual([
      true,
      true,
      "Lead not found",
    ])
    const filter = ["and.eq.status.contacted"]
    const csv = await new Response(await client.exportLeads({ format: "csv", filter })).text()
    expect(csv.trim().split("\n")).toHaveLength(2)
    expect(csv).toContain("lead1@example.com")
    const json = await new Response(await client.exportLeads({ format: "json" })).json()
    expect(json).toHaveLength(10)
  })

  test("come in from a file, as text or as a stream", async ({ client }) => {
    const csv = "name,source,email,rating\nAda,file,ada@example.com,4\n,file,,1\n"
    const report = await client.importLeads(csv, { format: "csv" })
    expect(report).toMatchObject({ total: 2, created: 1, rejected: 1, errors: [{ line: 3 }] })
    const ndjson = new Blob([JSON.stringify({ name: "Bob", source: "file" }), "\n"]).stream()
    expect(await client.importLeads(ndjson, { format: "ndjson" })).toMatchObject({ created: 1, merged: 0 })
    const again = client.importLeads("nothing,known\n1,2\n", { format: "csv" })
    expect(await failure(again)).toMatchObject({ status: 400, code: "bad_request" })
    expect((await all(client.leads())).map(({ name }) => name)).toEqual(["Ada", "Bob"])
  })

  test("carry notes and typed attributes", async ({ client }) => {
    const { id } = await client.post("/leads", { body: { name: "Ada", source: "test" } })
    const note = await client.post("/leads/{lead_id}/notes", {
      params: { path: { lead_id: id } },
      body: { content: "Call back" },
    })
    const edited = await client.put("/notes/{id}", { ...at(note.id), body: { content: "Called" } })
    expect(edited).toMatchObject({ id: note.id, lead_id: id, content: "Called" })
    expect(await client.get("/leads/{lead_id}/notes", { params: { path: { lead_id: id } } })).toEqual([
      edited,
    ])
    expect(await client.delete("/notes/{id}", at(note.id))).toBeUndefined()

    const seats = await client.post("/leads/{lead_id}/attributes", {
      params: { path: { lead_id: id } },
      body: { name: "seats", type: "number", value: 40 },
    })
    const path = { lead_id: id, id: seats.id }
    const changed = await client.put("/leads/{lead_id}/attributes/{id}", {
      params: { path },
      body: { value: 41 },
    })
    expect(changed).toMatchObject({ id: seats.id, name: "seats", type: "number", value: 41 })
    const wrong = client.put("/leads/{lead_id}/attributes/{id}", {
      params: { path },
      body: { value: "many" },
    })
    expect((await failure(wrong)).message).toBe("value must be a number, as its type is number")
    expect((await client.get("/leads/{id}", at(id))).attributes).toEqual([changed])
    await client.delete("/leads/{lead_id}/attributes/{id}", { params: { path } })
    expect(await client.get("/leads/{lead_id}/attributes", { params: { path: { lead_id: id } } })).toEqual([])
  })

  test("are scored by rules, one or all of them", async ({ client }) => {
    await fill(client)
    const rule = await client.post("/scoring-rules", { body: { name: "rated", expression: "rating * 5" } })
    expect(rule).toMatchObject({ weight: 1, priority: 0 })
    expect(await client.post("/leads/score/batch")).toEqual({ count: 12, changed: 12 })
    const [best] = await all(client.leads({ sort_by: "score", sort_order: "DESC" }))
    expect(best).toMatchObject({ rating: 12, score: 60 })
    await client.patch("/scoring-rules/{id}", { ...at(rule.id), body: { weight: 0.5 } })
    const explained = await client.post("/leads/{id}/score", {
      params: { path: { id: best!.id }, query: { explain: true } },
    })
    expect(explained.rules).toEqual([
      { id: rule.id, name: "rated", value: 60, weight: 0.5, contribution: 30 },
    ])
    const bad = client.post("/scoring-rules", { body: { name: "bad", expression: "rating *" } })
    expect(await failure(bad)).toMatchObject({ status: 400, code: "bad_request" })
    expect(await client.get("/stats")).toMatchObject({
      total_leads: 12,
      by_status: { new: 12, converted: 0 },
    })
  })
})

describe("webhooks", () => {
  test("bring events that verifyWebhook takes, and refuses when anything is changed", async ({ client }) => {
    await using hook = openHook()
    const secret = "between us"
    const webhook = await client.post("/webhooks", {
      body: { url: hook.url, events: ["lead.created"], secret },
    })
    expect(webhook).toMatchObject({ has_secret: true, active: true })
    const { id } = await client.post("/leads", { body: { name: "Ada", source: "test" } })
    const { headers, text } = await hook.event("lead.created")

    const event = await verifyWebhook(secret, headers, text)
    if (event.event !== "lead.created") throw new Error(event.event)
    expect(event.data).toEqual(await client.get("/leads/{id}", at(id)))
    const asNode = Object.fromEntries(headers)
    expect(await verifyWebhook(secret, asNode, Buffer.from(text))).toEqual(event)

    const refused = (...given: Parameters<typeof verifyWebhook>) => expect(verifyWebhook(...given)).rejects
    await refused("another", headers, text).toThrow("not of this body and secret")
    await refused(secret, headers, `${text} `).toThrow("not of this body and secret")
    await refused(secret, {}, text).toThrow("carries webhook-id, webhook-timestamp and")
    await refused(secret, { ...asNode, "webhook-signature": "v1,AA== v2,%" }, text).toThrow(
      "not of this body",
    )
    await refused(secret, headers, text, { tolerance: -1 }).toThrow(/webhook-timestamp \d+ is more than/)
    const later = { ...asNode, "webhook-timestamp": String(Number(asNode["webhook-timestamp"]) + 1) }
    await refused(secret, later, text).toThrow("not of this body and secret")
  })

  test("take a whsec_ secret as Standard Webhooks does", async ({ client }) => {
    await using hook = openHook()
    const secret = `whsec_${Buffer.from("a key of some bytes").toString("base64")}`
    const { id } = await client.post("/webhooks", { body: { url: hook.url, secret } })
    await client.post("/webhooks/{id}/test", at(id))
    const { headers, text } = await hook.event("webhook.test")
    const event = await verifyWebhook(secret, headers, text)
    expect(event).toMatchObject({ event: "webhook.test", data: { webhook_id: id } })
  })

  test("show their deliveries, page after page", async ({ client }) => {
    await using hook = openHook()
    const { id } = await client.post("/webhooks", { body: { url: hook.url, events: ["lead.created"] } })
    await fill(client)
    for (const name of ["Ada", "Bob", "Cyd"]) await client.post("/leads", { body: { name, source: "test" } })
    await hook.arrived(3)
    const sent = await all(client.deliveries(id, { limit: 2 }))
    expect(sent.map(({ event }) => event)).toEqual(["lead.created", "lead.created", "lead.created"])
    await client.delete("/webhooks/{id}", at(id))
    expect((await failure(all(client.deliveries(id)))).code).toBe("not_found")
  })
})

test("keys are made, used in their role, and revoked at once", async ({ client, service }) => {
  const { key, ...record } = await client.post("/api-keys", { body: { name: "screen", role: "viewer" } })
  const viewer = createLeaddbClient({ baseUrl: service.app.url, apiKey: key })
  expect(await all(viewer.leads())).toEqual([])
  const push = viewer.post("/leads", { body: { name: "Ada", source: "test" } })
  expect(await failure(push)).toMatchObject({
    ...{ status: 403, code: "forbidden", message: "viewer role cannot modify data" },
  })
  expect((await client.get("/api-keys")).map(({ id }) => id)).toContain(record.id)
  await client.delete("/api-keys/{id}", at(record.id))
  expect(await failure(viewer.get("/leads"))).toMatchObject({ status: 401, code: "unauthorized" })
})

describe("errors", () => {
  test("carry status, code, message, each field, and the request's id", async () => {
    const { client } = await openClient({ headers: { "X-Request-Id": "mine-1" } })
    const error = await failure(client.post("/leads", { body: { name: "", source: "" } }))
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({
      name: "LeaddbError",
      status: 400,
      code: "bad_request",
      requestId: "mine-1",
    })
    expect(error.message).toBe("name is required")
    expect(error.details.map(({ field }) => field)).toEqual(["name", "source"])
  })

  test("that are not the service's have the code unknown", async () => {
    const page = () => Promise.resolve(new Response("<h1>Bad gateway</h1>", { status: 502 }))
    const client = createLeaddbClient({ baseUrl: "http://127.0.0.1:1", apiKey: "", fetch: page })
    expect(await failure(client.get("/leads"))).toMatchObject({
      status: 502,
      code: "unknown",
      message: "502",
    })
  })

  test("of the plan are told: a used up account is refused at once", async ({ client, service }) => {
    const { key } = await service.addAccount({ plan: "free", limits: { requests_limit: 2 } })
    const poor = createLeaddbClient({ baseUrl: service.app.url, apiKey: key })
    await poor.get("/stats")
    await poor.get("/stats")
    const error = await failure(poor.get("/stats"))
    expect(error).toMatchObject({ status: 429, code: "rate_limit_exceeded" })
    expect(error.retryAfter).toBeGreaterThan(500)
    expect(await client.get("/leads")).toMatchObject({ count: 0 })
  })
})
