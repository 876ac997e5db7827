// What the TypeScript client has of its own: it plays the calls that all clients have in test/clients.
import { describe, expect } from "bun:test"
import {
  type ClientOptions,
  createLeaddbClient,
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

/** Seven leads with ratings 1 to 7, those with an even one in Berlin. */
async function fill({ post }: LeaddbClient): Promise<void> {
  const leads = Array.from({ length: 7 }, (_, i) => ({
    ...{ name: `Lead ${i + 1}`, source: "test", rating: i + 1, city: i % 2 === 1 ? "Berlin" : "Hamburg" },
  }))
  expect(await post("/leads/batch", { body: { leads } })).toMatchObject({ success: 7, failed: 0 })
}

describe("leads", () => {
  test("are read page after page, with filters and a sort, until enough are", async ({ client }) => {
    await fill(client)
    const filter = ["and.eq.city.berlin"]
    const found = await all(client.leads({ filter, sort_by: "rating", sort_order: "DESC", limit: 2 }))
    expect(found.map(({ rating }) => rating)).toEqual([6, 4, 2])
    expect(await all(client.leads({ filter: ["and.eq.city.nowhere"] }))).toEqual([])
    const first: string[] = []
    for await (const { name } of client.leads({ limit: 3 })) if (first.push(name) === 4) break
    expect(first).toEqual(["Lead 1", "Lead 2", "Lead 3", "Lead 4"])
  })

  test("are exported as a stream", async ({ client }) => {
    await fill(client)
    const filter = ["and.eq.city.berlin"]
    const csv = await new Response(await client.exportLeads({ format: "csv", filter })).text()
    expect(csv.trim().split("\n")).toHaveLength(4)
    expect(await new Response(await client.exportLeads({ format: "json" })).json()).toHaveLength(7)
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
})

describe("webhooks", () => {
  test("bring events that verifyWebhook takes as fetch and as Node has them", async ({ client }) => {
    await using hook = openHook()
    const secret = "between us"
    const { id } = await client.post("/webhooks", { body: { url: hook.url, secret } })
    await client.post("/webhooks/{id}/test", { params: { path: { id } } })
    const { headers, text } = await hook.event("webhook.test")
    const event = await verifyWebhook(secret, headers, text)
    expect(event).toMatchObject({ event: "webhook.test", data: { webhook_id: id } })
    expect(await verifyWebhook(secret, Object.fromEntries(headers), Buffer.from(text))).toEqual(event)
    const refused = verifyWebhook(secret, headers, text, { tolerance: -1 })
    await expect(refused).rejects.toThrow(/webhook-timestamp \d+ is more than -1 s/)
  })

  test("show their deliveries, page after page", async ({ client }) => {
    await using hook = openHook()
    const { id } = await client.post("/webhooks", { body: { url: hook.url, events: ["lead.created"] } })
    for (const name of ["Ada", "Bob", "Cyd"]) await client.post("/leads", { body: { name, source: "test" } })
    await hook.arrived(3)
    const sent = await all(client.deliveries(id, { limit: 2 }))
    expect(sent.map(({ event }) => event)).toEqual(["lead.created", "lead.created", "lead.created"])
    await client.delete("/webhooks/{id}", { params: { path: { id } } })
    expect((await failure(all(client.deliveries(id)))).code).toBe("not_found")
  })
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
})
