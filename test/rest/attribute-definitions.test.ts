// What an account says of its attributes: types, options, renaming, merging.
import { describe, expect } from "bun:test"
import { type Call, openTestAccount, test } from "../support/app.ts"
import { LEAST } from "../support/lead.ts"
import { jobDone } from "../support/settled.ts"

type Attribute = { name: string; type: string; value: unknown }

const lead = (name: string, ...attributes: Attribute[]) => ({ ...LEAST, name, attributes })
const text = (name: string, value: string): Attribute => ({ name, type: "text", value })

async function attributesOf(call: Call, id: string): Promise<Record<string, unknown>> {
  const { body } = await call("GET", `/leads/${id}`)
  return Object.fromEntries(body.attributes.map(({ name, value }: Attribute) => [name, value]))
}

async function created(call: Call, body: object): Promise<string> {
  const answer = await call("POST", "/leads", body)
  const { id } = answer.body
  expect({ status: answer.status, id }).toEqual({ status: 201, id: expect.stringMatching(/^cl_/) })
  return id
}

const names = async (call: Call, query: string) =>
  (await call("GET", `/leads?${query}`)).body.leads.map(({ name }: { name: string }) => name)

describe("dates as attributes", () => {
  const DATES = ["2026-03-31", "2025-12-01", "2026-01-15T10:00:00Z"]

  async function openWithDates() {
    const app = await openTestAccount()
    for (const [i, value] of DATES.entries())
      await created(app.call, lead(`Lead ${i}`, { name: "signed", type: "date", value }))
    await created(app.call, lead("Lead 3"))
    return app
  }

  test.each([
    ["and.gte.attr:signed.2026-01-01", ["Lead 0", "Lead 2"]],
    ["and.lt.attr:signed.2026-01-01", ["Lead 1"]],
    ["and.between.attr:signed.2026-01-01,2026-02-01", ["Lead 2"]],
    ["and.eq.attr:signed.2026-03-31", ["Lead 0"]],
    ["and.neq.attr:signed.2026-03-31", ["Lead 1", "Lead 2", "Lead 3"]],
    ["and.is_empty.attr:signed", ["Lead 3"]],
  ])("%s finds %j", async (filter, expected) => {
    const { call } = await openWithDates()
    expect(await names(call, `filter=${filter}&sort_by=name`)).toEqual(expected)
  })

  test("sort leads by time, those without one last", async () => {
    const { call } = await openWithDates()
    const order = ["Lead 1", "Lead 2", "Lead 0", "Lead 3"]
    expect(await names(call, "sort_by=attr:signed")).toEqual(order)
  })

  test("are listed with their range", async () => {
    const { call } = await openWithDates()
    const [signed] = (await call("GET", "/attributes")).body
    const [min, max] = ["2025-12-01", "2026-03-31"].map((day) => Date.parse(day) / 1000)
    expect(signed).toEqual({ name: "signed", type: "date", leads: 3, min, max })
  })
})

describe("PUT /attributes/{name}", () => {
  test("defines an attribute, and GET /attributes shows it beside the counts", async ({ call }) => {
    await created(call, lead("A", text("other", "x"), text("chain", "Nord")))
    const said = { type: "number", unit: "EUR", position: 1, description: "A year" }
    const { status, body } = await call("PUT", "/attributes/budget", said)
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: "budget", ...said, options: null, required: false })
    const shown = (await call("GET", "/attributes")).body
    expect(shown[0]).toEqual({
      ...{ name: "budget", leads: 0, defined: true, options: null, required: false, ...said },
    })
    expect(shown.map(({ name }: Attribute) => name)).toEqual(["budget", "chain", "other"])
    expect(shown[1]).not.toHaveProperty("defined")
  })

  test("keeps what a later body leaves out, and null clears it", async ({ call }) => {
    await call("PUT", "/attributes/size", { options: ["S", "M"], unit: "cm", position: 0 })
    const { body } = await call("PUT", "/attributes/size", { unit: null, description: "Fits" })
    expect(body).toMatchObject({ options: ["S", "M"], unit: null, position: 0, description: "Fits" })
  })

  const BAD: [about: string, body: object, message: string][] = [
    ["a type that there is not", { type: "money" }, "type must be one of"],
    ["options of a number", { type: "number", options: ["a"] }, "options are of text and list attributes"],
    ["an option twice", { options: ["a", "A"] }, "must hold each option once"],
    ["a place below 0", { position: -1 }, "position must be"],
  ]
  test.each(BAD)("refuses %s", async (_, body, message) => {
    const { call } = await openTestAccount()
    const answer = await call("PUT", "/attributes/x", body)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(message)
  })

  const DEFINED: [name: string, body: object][] = [
    ["seats", { type: "number" }],
    ["size", { type: "text", options: ["Small", "Large"] }],
    ["kinds", { type: "list", options: ["a", "b"] }],
    ["signed", { type: "date" }],
  ]
  const MISFITS: [attribute: Attribute, message: string][] = [
    [text("seats", "many"), 'attribute "seats" must be a number'],
    [text("size", "Huge"), 'attribute "size" must be one of Small, Large'],
    [{ name: "kinds", type: "list", value: ["a", "c"] }, 'attribute "kinds" must be one of a, b'],
    [text("signed", "soon"), 'attribute "signed" must be an ISO date'],
  ]

  async function openDefined() {
    const app = await openTestAccount()
    for (const [name, body] of DEFINED) await app.call("PUT", `/attributes/${name}`, body)
    return app
  }

  test.each(MISFITS)(
    "a value that does not fit is refused by every way in: %j",
    async (attribute, message) => {
      const { call } = await openDefined()
      const id = await created(call, { ...LEAST, email: "a@example.com" })
      const { name, ...rest } = attribute
      const ways = [
        await call("POST", "/leads", lead("New", attribute)),
        await call("POST", "/leads", { ...lead("Merged", attribute), email: "a@example.com" }),
        await call("PUT", "/leads/by/email/a@example.com", lead("Upsert", attribute)),
        await call("POST", `/leads/${id}/attributes`, { name, ...rest }),
      ]
      for (const { status, body } of ways) {
        expect(status).toBe(400)
        expect(body.message).toContain(message)
      }
      const batch = await call("POST", "/leads/batch", { leads: [lead("In a batch", attribute), LEAST] })
      expect(batch.status).toBe(207)
      expect(batch.body.errors).toEqual([{ index: 0, message: expect.stringContaining(message) }])
      expect(await attributesOf(call, id)).toEqual({})
    },
  )

  test("texts become the option that they are, and the type that is defined", async () => {
    const { call } = await openDefined()
    const id = await created(call, lead("A", text("size", "small"), text("signed", "2026-03-31")))
    const { attributes } = (await call("GET", `/leads/${id}`)).body
    expect(attributes).toMatchObject([text("size", "Small"), { name: "signed", type: "date" }])
    const { body } = await call("PUT", `/leads/${id}/attributes/${attributes[0].id}`, { value: "LARGE" })
    expect(body).toMatchObject({ name: "size", value: "Large" })
  })

  test("a required attribute must come with new leads and cannot be removed", async ({ call }) => {
    const old = await created(call, LEAST)
    await call("PUT", "/attributes/region", { type: "text", required: true })
    const { status, body } = await call("POST", "/leads", LEAST)
    expect(status).toBe(400)
    expect(body.message).toContain('attribute "region" is required')
    const id = await created(call, lead("With", text("region", "North")))
    const [{ id: attribute }] = (await call("GET", `/leads/${id}/attributes`)).body
    expect((await call("DELETE", `/leads/${id}/attributes/${attribute}`)).status).toBe(400)
    expect((await call("PUT", `/leads/${old}`, { city: "Berlin" })).status).toBe(200)
  })

  test("renames the attribute on all leads, with a record each that can be reverted", async ({ call }) => {
    const ids: string[] = []
    for (const name of ["A", "B"]) ids.push(await created(call, lead(name, text("Branche", name))))
    const dry = (await call("PUT", "/attributes/Branche", { name: "sector", dry_run: true })).body
    expect(dry).toMatchObject({ name: "sector", matched: 2, misfits: 0, dry_run: true })
    expect((await call("GET", "/attributes")).body[0].name).toBe("Branche")
    const { status, body } = await call("PUT", "/attributes/Branche", { name: "sector" })
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: "sector", matched: 2, success: 2, failed: 0 })
    expect(await attributesOf(call, ids[0]!)).toEqual({ sector: "A" })
    expect(await names(call, "filter=and.eq.attr:sector.b")).toEqual(["B"])
    const { changes } = (await call("GET", `/leads/${ids[0]}/changes`)).body
    expect(changes[0].action).toBe("updated")
    await call("POST", "/changes/revert", { batch_id: body.batch_id })
    expect(await attributesOf(call, ids[0]!)).toEqual({ Branche: "A" })
  })

  test("a name that another attribute has is a conflict", async ({ call }) => {
    await created(call, lead("A", text("a", "1"), text("b", "2")))
    const { status, body } = await call("PUT", "/attributes/a", { name: "b" })
    expect(status).toBe(409)
    expect(body.message).toContain("/merge")
  })

  test("another type converts what fits; a dry run counts and shows the rest", async ({ call }) => {
    const values = ["40", "1.5", "many", "x"]
    const ids: string[] = []
    for (const value of values) ids.push(await created(call, lead(`Lead ${value}`, text("seats", value))))
    const dry = (await call("PUT", "/attributes/seats", { type: "number", dry_run: true })).body
    expect(dry).toMatchObject({ type: "number", matched: 4, misfits: 2, dry_run: true })
    expect(dry.sample.map(({ value }: Attribute) => value)).toEqual(["many", "x"])
    const { body } = await call("PUT", "/attributes/seats", { type: "number" })
    expect(body).toMatchObject({ matched: 4, success: 2, failed: 2 })
    expect(body.errors[0].message).toContain('"many" does not fit the type number')
    const after = await Promise.all(ids.map((id) => attributesOf(call, id)))
    expect(after.map(({ seats }) => seats)).toEqual([40, 1.5, "many", "x"])
  })

  test("more than 1,000 leads are a job", async ({ call }) => {
    const leads = Array.from({ length: 1_001 }, (_, i) => lead(`Lead ${i}`, text("old", String(i))))
    for (let at = 0; at < leads.length; at += 500)
      await call("POST", "/leads/batch", { leads: leads.slice(at, at + 500) })
    const { status, body } = await call("PUT", "/attributes/old", { name: "new" })
    expect(status).toBe(202)
    expect(body.matched).toBe(1_001)
    await jobDone(call, body.job)
    expect((await call("GET", "/attributes")).body).toMatchObject([{ name: "new", leads: 1_001 }])
  })

  test("another account's attributes stay as they are", async () => {
    const { call, otherCall } = await openWithOther()
    await created(call, lead("A", text("shared", "1")))
    const id = await created(otherCall, lead("B", text("shared", "2")))
    await call("PUT", "/attributes/shared", { name: "own", type: "number" })
    expect(await attributesOf(otherCall, id)).toEqual({ shared: "2" })
    expect((await otherCall("GET", "/attributes")).body).toMatchObject([{ name: "shared", type: "text" }])
  })
})

async function openWithOther() {
  const app = await openTestAccount()
  return { ...app, otherCall: app.as((await app.addAccount()).key) }
}

describe("POST /attributes/{name}/merge", () => {
  test("puts values under the other name; on a lead with both, the other's stays", async ({ call }) => {
    const one = await created(call, lead("One", text("Umsatz", "10")))
    const both = await created(call, lead("Both", text("Umsatz", "20"), text("revenue", "30")))
    const empty = await created(call, lead("Empty", text("Umsatz", "40"), text("revenue", "")))
    const { status, body } = await call("POST", "/attributes/Umsatz/merge", { into: "revenue" })
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: "revenue", matched: 3, success: 3, failed: 0 })
    const values = await Promise.all([one, both, empty].map((id) => attributesOf(call, id)))
    expect(values).toEqual([{ revenue: "10" }, { revenue: "30" }, { revenue: "40" }])
  })

  test("values that the other's definition refuses stay, and a dry run counts them", async ({ call }) => {
    const id = await created(call, lead("A", text("Preis", "teuer")))
    await call("PUT", "/attributes/price", { type: "number" })
    const dry = await call("POST", "/attributes/Preis/merge", { into: "price", dry_run: true })
    expect(dry.body).toMatchObject({ matched: 1, misfits: 1, dry_run: true })
    const { body } = await call("POST", "/attributes/Preis/merge", { into: "price" })
    expect(body).toMatchObject({ matched: 1, failed: 1 })
    expect(await attributesOf(call, id)).toEqual({ Preis: "teuer" })
  })

  test("an attribute that nothing knows is not found", async ({ call }) => {
    await created(call, lead("A", text("a", "1")))
    expect((await call("POST", "/attributes/a/merge", { into: "b" })).status).toBe(400)
    expect((await call("POST", "/attributes/b/merge", { into: "a" })).status).toBe(404)
    expect((await call("POST", "/attributes/a/merge", { into: "a" })).status).toBe(400)
  })
})

test("DELETE /attributes/{name} removes the definition; values stay", async ({ call }) => {
  await call("PUT", "/attributes/seats", { type: "number" })
  const id = await created(call, lead("A", { name: "seats", type: "number", value: 4 }))
  expect((await call("DELETE", "/attributes/seats")).status).toBe(204)
  expect((await call("DELETE", "/attributes/seats")).status).toBe(404)
  expect(await attributesOf(call, id)).toEqual({ seats: 4 })
  await created(call, lead("B", text("seats", "many")))
})

test("imports follow definitions: types, options, and a warning for what does not fit", async ({ call }) => {
  await call("PUT", "/attributes/Signed", { type: "date" })
  await call("PUT", "/attributes/Size", { options: ["Small", "Large"] })
  await call("PUT", "/attributes/Seats", { type: "number" })
  await call("PUT", "/attributes/Zone", { required: true })
  const file = [
    "name,Signed,Size,Seats,Zone",
    "Ann,31.03.2026,small,12,North",
    "Bob,01.04.2026,Huge,many,",
    "Cay,02.04.2026,Large,7,South",
  ].join("\n")
  const { body } = await call("POST", "/leads/import", file, { "Content-Type": "text/csv" })
  expect(body).toMatchObject({ created: 3, rejected: 0 })
  const { leads } = (await call("GET", "/leads?sort_by=name")).body
  const seen = leads.map(({ attributes }: { attributes: Attribute[] }) =>
    Object.fromEntries(attributes.map(({ name, value }) => [name, value])),
  )
  expect(seen).toEqual([
    { Signed: "2026-03-31", Size: "Small", Seats: 12, Zone: "North" },
    { Signed: "2026-04-01" },
    { Signed: "2026-04-02", Size: "Large", Seats: 7, Zone: "South" },
  ])
  expect(body.warnings.map(({ message }: { message: string }) => message)).toEqual([
    'Size "Huge" must be one of Small, Large: left out',
    'Seats "many" must be a number, as its type is number: left out',
    "no value for the required Zone",
  ])
})
