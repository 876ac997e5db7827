import { describe, expect, test } from "bun:test"
import { openTestApp, openTestAppForReading, type TestApp } from "../support/app.ts"
import { FULL } from "../support/lead.ts"
import { call } from "./support.ts"

const lead = (i: number, more: object = {}) => ({
  name: `Lead ${String(i).padStart(3, "0")}`,
  source: "test",
  rating: i % 7,
  ...more,
})

async function fill(service: TestApp, leads: object[]) {
  await service.call("POST", "/leads/batch", { leads })
}

/** All leads, page after page, as an agent reads them, and the sizes of the pages. */
async function readAll(service: TestApp, args: object) {
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

describe("pages", () => {
  const app = openTestAppForReading((service) =>
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
    expect(page).toEqual(rest.body)
  })

  test("take cursors of REST, and REST takes theirs", async () => {
    const { data } = await call(app(), "list_leads", { limit: 30, sort: "name" })
    const rest = await app().call("GET", `/leads?limit=30&sort_by=name&cursor=${data.next_cursor}`)
    expect(rest.body.leads[0].name).toBe("Lead 030")
    const first = await app().call("GET", "/leads?limit=30&sort_by=name")
    const next = await call(app(), "list_leads", { cursor: first.body.next_cursor, limit: 30, sort: "name" })
    expect(next.data.leads).toEqual(rest.body.leads)
  })

  test("a cursor of another sort is refused", async () => {
    const { data } = await call(app(), "list_leads", { sort: "name" })
    const { error } = await call(app(), "list_leads", { sort: "rating", cursor: data.next_cursor })
    expect(error.message).toContain("same filter, sort and sort_order")
  })
})

describe("pages of large leads", () => {
  test("are cut between two leads so that they fit, and the cursor goes on there", async () => {
    const service = await openTestApp()
    await fill(
      service,
      Array.from({ length: 40 }, (_, i) => lead(i, { description: "ä".repeat(9_000) })),
    )
    const { pages, leads } = await readAll(service, { sort: "name", limit: 1_000 })
    expect(leads.map(({ name }) => name)).toEqual(Array.from({ length: 40 }, (_, i) => lead(i).name))
    expect(Math.max(...pages)).toBe(6)
    expect(pages.length).toBe(7)
  })

  test("hold at least one lead, however large", async () => {
    const service = await openTestApp()
    await fill(
      service,
      Array.from({ length: 3 }, (_, i) => lead(i, { description: "x".repeat(99_000) })),
    )
    expect((await readAll(service, {})).pages).toEqual([1, 1, 1])
  })

  test("an attribute cannot pass for has_more", async () => {
    const service = await openTestApp()
    const value = { has_more: true, count: 5 }
    await fill(service, [lead(1, { attributes: [{ name: "a", type: "object", value }] })])
    expect((await call(service, "list_leads")).data).toMatchObject({ has_more: false, count: 1 })
    expect((await call(service, "list_leads")).data.message).toBeUndefined()
  })
})

describe("format", () => {
  const app = openTestAppForReading((service) =>
    fill(service, [
      lead(0, { ...FULL, attributes: [{ name: "size", type: "number", value: 5 }] }),
      ...Array.from({ length: 59 }, (_, i) => lead(i)),
    ]),
  )

  async function exported(format: string, more: object = {}) {
    const { data, content } = await call(app(), "list_leads", { format, ...more })
    const { resource } = content[1]
    expect(content).toHaveLength(2)
    expect(content[1].type).toBe("resource")
    expect(data).toMatchObject({ resource: resource.uri, mime_type: resource.mimeType })
    expect(data.file_name).toEndWith(`.${format}`)
    return { data, resource }
  }

  test("csv is all leads as text, as REST exports them", async () => {
    const { resource, data } = await exported("csv")
    expect(resource).toMatchObject({
      mimeType: "text/csv",
      text: (await app().call("GET", "/leads/export?format=csv")).body,
    })
    expect(resource.text.trim().split("\n").length).toBeGreaterThan(60)
    expect(data.bytes).toBe(Buffer.byteLength(resource.text))
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
    const { content, data } = await call(app(), "list_leads", { format: "xlsx" })
    expect(content[0].text + JSON.stringify(data)).not.toContain(resource.blob.slice(0, 20))
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

test("an export that no answer can carry points to REST", async () => {
  const service = await openTestApp()
  const leads = Array.from({ length: 170 }, (_, i) => lead(i, { description: "x".repeat(100_000) }))
  for (let i = 0; i < leads.length; i += 34) await fill(service, leads.slice(i, i + 34))
  const { error } = await call(service, "list_leads", { format: "csv" })
  expect(error).toMatchObject({
    code: "VALIDATION_ERROR",
    status: 413,
    message: expect.stringContaining("/leads/export"),
  })
})
