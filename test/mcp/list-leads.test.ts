import { describe, expect } from "bun:test"
import { openTestAccountForReading, openTestApp, type TestAccount, test } from "../support/app.ts"
import { heldClock } from "../support/clock.ts"
import { FULL } from "../support/lead.ts"
import { pluck } from "../support/pluck.ts"
import { call, rpc } from "./support.ts"

const lead = (i: number, more: object = {}) => ({
  name: `Lead ${String(i).padStart(3, "0")}`,
  source: "test",
  rating: i % 7,
  ...more,
})

async function fill(service: TestAccount, leads: object[]) {
  await service.call("POST", "/leads/batch", { leads })
}

/** All leads, page after page, as an agent reads them, and the sizes of the pages. */
async function readAll(service: TestAccount, args: object) {
  const pages: number[] = []
  const leads: { id: string; name: string }[] = []
  let cursor: string | null | undefined
  do {
    const { data } = await call(service, "list_leads", { ...args, ...(cursor && { cursor }) })
    expect(data.count).toBe(data.leads.length)
    expect(data.has_more).toBe(data.next_cursor !== null)
    expect("message" in data).toBe(data.has_more)
    pages.push(data.count)
    leads.push(...data.leads)
    cursor = data.next_cursor
  } while (cursor)
  return { pages, leads }
}

test("rows and leads say whether somebody may be written to", async (service) => {
  await service.call("POST", "/suppressions", { value: "acme.example" })
  for (const email of ["a@acme.example", "b@free.example"])
    await service.call("POST", "/leads?on_suppressed=mark", { name: email, source: "test", email })
  const { data } = await call(service, "list_leads", { fields: ["contactable", "suppressed"], sort: "email" })
  const rows = pluck(data.leads, "contactable", "suppressed")
  expect(rows).toEqual([
    [false, true],
    [true, false],
  ])
  expect((await call(service, "get_lead", { id: data.leads[0].id })).data.contactable).toBe(false)
})

describe("pages", () => {
  const app = openTestAccountForReading((service) =>
    fill(
      service,
      Array.from({ length: 60 }, (_, i) => lead(i)),
    ),
  )

  test("hold 25 leads unless told, and say how to go on", async () => {
    const { data } = await call(app(), "list_leads")
    expect(data).toMatchObject({ count: 25, has_more: true })
    expect(data.message).toContain("next_cursor")
    expect((await readAll(app(), {})).pages).toEqual([25, 25, 10])
  })

  test("are those of REST for the same filter, sort and limit", async () => {
    const args = { filter: ["and.gte.rating.3"], sort: "rating", sort_order: "DESC", limit: 10 }
    const { message, ...page } = (await call(app(), "list_leads", args)).data
    const rest = await app().call(
      "GET",
      "/leads?filter=and.gte.rating.3&sort_by=rating&sort_order=DESC&limit=10",
    )
    const ids = (leads: { id: string }[]) => leads.map(({ id }) => id)
    expect({ ...page, leads: ids(page.leads) }).toEqual({ ...rest.body, leads: ids(rest.body.leads) })
  })

  test("take cursors of REST, and REST takes theirs", async () => {
    const { data } = await call(app(), "list_leads", { limit: 30, sort: "name" })
    const rest = await app().call("GET", `/leads?limit=30&sort_by=name&cursor=${data.next_cursor}`)
    expect(rest.body.leads[0].name).toBe("Lead 030")
    const first = await app().call("GET", "/leads?limit=30&sort_by=name")
    const next = await call(app(), "list_leads", { cursor: first.body.next_cursor, limit: 30, sort: "name" })
    expect(pluck(next.data.leads, "id")).toEqual(pluck(rest.body.leads, "id"))
  })

  test("a cursor of another sort is refused", async () => {
    const { data } = await call(app(), "list_leads", { sort: "name" })
    const { error } = await call(app(), "list_leads", { sort: "rating", cursor: data.next_cursor })
    expect(error.message).toContain("same filter, sort and sort_order")
  })
})

describe("pages of large leads", () => {
  test("are cut between two leads so that they fit, and the cursor goes on there", async (service) => {
    await fill(
      service,
      Array.from({ length: 40 }, (_, i) => lead(i, { description: "ä".repeat(4_000) })),
    )
    const { pages, leads } = await readAll(service, { sort: "name", limit: 1_000, fields: ["*"] })
    expect(leads.map(({ name }) => name)).toEqual(Array.from({ length: 40 }, (_, i) => lead(i).name))
    expect(Math.max(...pages)).toBe(3)
    expect(pages.length).toBe(14)
    const { data } = await call(service, "list_leads", { limit: 40, fields: ["*"] })
    expect(data.message).toContain("3 of the 40 leads that were asked for")
  })

  test("of changes say when they end early", async (service) => {
    const text = "x".repeat(5_000)
    await fill(
      service,
      Array.from({ length: 12 }, (_, i) => lead(i, { description: text })),
    )
    const { data } = await call(service, "list_changes", { limit: 12 }, { "X-MCP-Toolsets": "audit" })
    expect(data.count).toBeLessThan(12)
    expect(data.message).toContain(`${data.count} of the 12 changes`)
    const rest = { limit: 12 - data.count, cursor: data.next_cursor }
    const { data: next } = await call(service, "list_changes", rest, { "X-MCP-Toolsets": "audit" })
    expect(next.count).toBeGreaterThan(0)
  })

  test("hold at least one lead, however large", async (service) => {
    await fill(
      service,
      Array.from({ length: 3 }, (_, i) => lead(i, { description: "x".repeat(99_000) })),
    )
    expect((await readAll(service, { fields: ["*"] })).pages).toEqual([1, 1, 1])
  })

  test("an attribute cannot pass for has_more", async (service) => {
    const value = { has_more: true, count: 5 }
    await fill(service, [lead(1, { attributes: [{ name: "a", type: "object", value }] })])
    expect((await call(service, "list_leads")).data).toMatchObject({ has_more: false, count: 1 })
    expect((await call(service, "list_leads")).data.message).toBeUndefined()
  })
})

describe("format", () => {
  const app = openTestAccountForReading((service) =>
    fill(service, [
      lead(0, { ...FULL, attributes: [{ name: "size", type: "number", value: 5 }] }),
      ...Array.from({ length: 59 }, (_, i) => lead(i)),
    ]),
  )

  /** What an export tells of itself, and its file as a client reads it. */
  async function exported(format: string, more: object = {}) {
    const { data, content } = await call(app(), "list_leads", { format, ...more })
    const link = content.at(-1)
    expect(link).toMatchObject({ type: "resource_link", uri: data.resource, mimeType: data.mime_type })
    expect(data.file_name).toEndWith(`.${format}`)
    const { contents } = (await rpc(app(), "resources/read", { uri: link.uri })).result
    return { data, resource: contents[0] }
  }

  test("csv is all leads as text, as REST exports them", async () => {
    const { resource, data } = await exported("csv")
    expect(resource).toMatchObject({
      mimeType: "text/csv",
      text: (await app().call("GET", "/leads/export?format=csv")).body,
    })
    expect(resource.text.trim().split("\n").length).toBeGreaterThan(60)
    expect(data).toMatchObject({ rows: 60, sample: [{ name: FULL.name }, {}, {}] })
    expect(data.columns).toEqual(resource.text.split(/\r?\n/, 1)[0].split(","))
  })

  test("json is all leads as text, without pages", async () => {
    const { resource } = await exported("json", { limit: 1, sort: "name" })
    expect(resource.mimeType).toBe("application/json")
    expect(JSON.parse(resource.text)).toEqual(
      (await app().call("GET", "/leads/export?format=json&sort_by=name")).body,
    )
  })

  test("xlsx is a blob, and no text holds base64", async () => {
    const { resource } = await exported("xlsx")
    expect(resource.mimeType).toContain("spreadsheetml")
    expect(Buffer.from(resource.blob, "base64").subarray(0, 2).toString()).toBe("PK")
    expect(resource.text).toBeUndefined()
  })

  test("exports only the fields that are asked for", async () => {
    const csv = await exported("csv", { fields: ["name", "rating"] })
    expect(csv.data.columns).toEqual(["name", "rating"])
    expect(Object.keys(csv.data.sample[1])).toEqual(["id", "name", "rating"])
    expect(csv.resource.text.split(/\r?\n/, 1)[0]).toBe("name,rating")
    const json = await exported("json", { fields: ["name"] })
    expect(Object.keys(JSON.parse(json.resource.text)[0])).toEqual(["id", "name"])
    const wrong = await call(app(), "list_leads", { format: "csv", fields: ["nmae"] })
    expect(wrong.error.message).toContain("name")
  })

  test("exports only what the filter selects", async () => {
    const { resource } = await exported("json", { filter: ["and.eq.city.berlin"] })
    expect(JSON.parse(resource.text)).toHaveLength(1)
  })

  test("a viewer may export", async () => {
    const { isError } = await call(app(), "list_leads", { format: "csv" }, { "X-Member-Role": "viewer" })
    expect(isError).toBe(false)
  })
})

describe("a large export", () => {
  const app = openTestAccountForReading(async (service) => {
    const leads = Array.from({ length: 40 }, (_, i) => lead(i, { description: "x".repeat(1_000) }))
    await fill(service, leads)
  })

  test("is told of in few words, and its address works for 15 minutes without a key", async () => {
    const { data, content } = await call(app(), "list_leads", { format: "csv", filter: ["and.gte.rating.3"] })
    expect(pluck(content, "type")).toEqual(["text", "text", "resource_link"])
    expect(content[0].text.length).toBeLessThan(8_000)
    const response = await fetch(data.url)
    expect(response.headers.get("content-disposition")).toContain(data.file_name)
    expect((await response.text()).match(/^cl_/gm)).toHaveLength(data.rows)
    expect(data.expires_at).toBeGreaterThan(Date.now() / 1000 + 800)
    expect(data.url.length).toBeLessThan(80)
    expect((await fetch(data.url.slice(0, -3))).status).toBe(404)
  })

  test("is none of another account's", async () => {
    const { data } = await call(app(), "list_leads", { format: "csv" })
    const { key } = await app().addAccount({ plan: "pro" })
    const other = { app: app().app, key }
    expect((await rpc(other, "resources/read", { uri: data.resource })).body.error.code).toBe(-32602)
  })
})

test("an export's address ends with its key and after 15 minutes", async () => {
  const clock = heldClock()
  const service = await openTestApp({}, clock)
  await fill(service, [lead(1)])
  const made = (await service.call("POST", "/api-keys", { name: "agent" })).body
  const asAgent = { app: service.app, key: made.key }
  const { data: first } = await call(asAgent, "list_leads", { format: "json" })
  expect((await fetch(first.url)).status).toBe(200)
  await service.call("DELETE", `/api-keys/${made.id}`)
  expect((await fetch(first.url)).status).toBe(404)
  const { data: second } = await call(service, "list_leads", { format: "json" })
  clock.advance(16 * 60_000)
  expect((await fetch(second.url)).status).toBe(404)
})
