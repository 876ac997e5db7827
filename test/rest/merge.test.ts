import { describe, expect, test } from "bun:test"
import { type Call, openTestApp } from "../support/app.ts"
import { until } from "../support/until.ts"

const nino = {
  name: "Trattoria Da Nino",
  source: "maps",
  email: "nino@example.com",
  source_id: "maps-1",
  phone: "+49 30 1234567",
  city: "Berlin",
  tags: ["food"],
  attributes: [{ name: "seats", type: "number", value: 40 }],
}
const ninoAgain = {
  name: "Da Nino GmbH",
  source: "fair",
  email: "hallo@example.com",
  source_id: "fair-1",
  website: "https://nino.example",
  city: "Berlin",
  tags: ["fair"],
  attributes: [{ name: "stand", type: "text", value: "B7" }],
}

async function push(call: Call, ...leads: object[]): Promise<string[]> {
  const ids: string[] = []
  for (const lead of leads) ids.push((await call("POST", "/leads", lead)).body.id)
  await until("nothing waits", async () => (await call("GET", "/duplicates/status")).body.waiting === 0)
  return ids
}
const get = async (call: Call, id: string) => (await call("GET", `/leads/${id}`)).body

describe("POST /leads/merge", () => {
  test("takes everything along and leaves one lead", async () => {
    const { call } = await openTestApp()
    const [a, b] = await push(call, nino, ninoAgain)
    const { body: note } = await call("POST", `/leads/${b}/notes`, { content: "call back" })
    const dry = await call("POST", "/leads/merge", { survivor: a, losers: [b], dry_run: true })
    expect(dry.body).toMatchObject({
      merge_id: null,
      dry_run: true,
      notes: 1,
      survivor: { website: ninoAgain.website },
    })
    expect((await get(call, a!)).website).toBeNull()
    const { status, body } = await call("POST", "/leads/merge", { survivor: a, losers: [b] })
    expect(status).toBe(200)
    expect(body.changed).toEqual(["website", "tags", "attr:stand"])
    expect(body.aliases).toEqual([
      { field: "email", value: "hallo@example.com" },
      { field: "source_id", value: "fair-1" },
    ])
    const lead = await get(call, a!)
    expect(lead).toMatchObject({
      name: nino.name,
      email: nino.email,
      website: ninoAgain.website,
      tags: ["food", "fair"],
    })
    expect(lead.attributes.map(({ name }: { name: string }) => name)).toEqual(["seats", "stand"])
    expect((await call("GET", `/leads/${b}`)).status).toBe(404)
    expect((await call("GET", `/leads/${a}/notes`)).body).toEqual([{ ...note, lead_id: a }])
    const [pair] = (await call("GET", "/duplicates?state=merged&min_probability=0")).body.duplicates
    expect(pair).toMatchObject({ state: "merged", a: { id: a }, b: { id: b, name: ninoAgain.name } })
  })

  test("takes values of the lead that is named for a field, values, and those of a rule", async () => {
    const { call } = await openTestApp()
    const [a, b] = await push(call, nino, ninoAgain)
    const fields = { name: b, phone: "+49 30 99", email: b }
    const dry = await call("POST", "/leads/merge", { survivor: a, losers: [b], fields, dry_run: true })
    expect(dry.body.survivor).toMatchObject({
      name: ninoAgain.name,
      phone: "+49 30 99",
      email: ninoAgain.email,
    })
    const rule = { survivor: a, losers: [b], rule: "source_priority", sources: ["fair"], dry_run: true }
    expect((await call("POST", "/leads/merge", rule)).body.survivor).toMatchObject({
      name: ninoAgain.name,
      phone: nino.phone,
    })
    expect((await call("POST", "/leads/merge", { survivor: a, losers: [a] })).status).toBe(400)
    expect((await call("POST", "/leads/merge", { survivor: a, losers: ["cl_none"] })).status).toBe(404)
    expect(
      (await call("POST", "/leads/merge", { survivor: a, losers: [b], fields: { score: 1 } })).status,
    ).toBe(400)
  })

  test("leads the next push of a loser's scraper to the survivor, which keeps its own email and source_id", async () => {
    const { call } = await openTestApp()
    const [a, b] = await push(call, nino, ninoAgain)
    await call("POST", "/leads/merge", { survivor: a, losers: [b] })
    const again = await call("POST", "/leads", {
      name: "Da Nino",
      source: "fair",
      source_id: "fair-1",
      rating: 4.5,
    })
    expect(again.body).toMatchObject({ id: a, duplicate: true, rating: 4.5, source_id: "maps-1" })
    const byEmail = await call("POST", "/leads", {
      name: "Da Nino",
      source: "fair",
      email: "HALLO@example.com",
    })
    expect(byEmail.body).toMatchObject({ id: a, duplicate: true, email: nino.email })
  })
})

describe("POST /merges/{id}/undo", () => {
  test("gives both leads back as they were", async () => {
    const { call } = await openTestApp()
    const [a, b] = await push(call, nino, ninoAgain)
    const { body: note } = await call("POST", `/leads/${b}/notes`, { content: "call back" })
    const before = [await get(call, a!), await get(call, b!)]
    const { merge_id } = (
      await call("POST", "/leads/merge", { survivor: a, losers: [b], fields: { email: b } })
    ).body
    const { status, body } = await call("POST", `/merges/${merge_id}/undo`)
    expect(status).toBe(200)
    expect(body.kept).toEqual([])
    const { updated_at: _, ...survivor } = await get(call, a!)
    expect(before[0]).toMatchObject(survivor)
    expect(await get(call, b!)).toEqual(before[1])
    expect((await call("GET", `/leads/${b}/notes`)).body).toEqual([note])
    expect((await call("GET", `/leads/${a}/notes`)).body).toEqual([])
    expect(
      (await call("POST", "/leads", { name: "Da Nino", source: "fair", source_id: "fair-1" })).body.id,
    ).toBe(b)
    expect((await call("POST", `/merges/${merge_id}/undo`)).status).toBe(409)
    await until("nothing waits", async () => (await call("GET", "/duplicates/status")).body.waiting === 0)
    expect((await call("GET", "/duplicates?min_probability=0")).body.count).toBe(0)
    expect((await call("GET", "/duplicates?min_probability=0&state=dismissed")).body.count).toBe(1)
  })

  test("leaves what was changed since, and says so", async () => {
    const { call } = await openTestApp()
    const [a, b] = await push(call, nino, ninoAgain)
    const { merge_id } = (await call("POST", "/leads/merge", { survivor: a, losers: [b] })).body
    await call("PATCH", `/leads/${a}`, { website: "https://other.example" })
    const { body } = await call("POST", `/merges/${merge_id}/undo`)
    expect(body.kept).toMatchObject([{ lead_id: a, field: "website" }])
    expect(body.survivor.website).toBe("https://other.example")
    expect(body.losers).toMatchObject([{ id: b, website: ninoAgain.website }])
  })

  test("of a merge before another wants the later one first", async () => {
    const { call } = await openTestApp()
    const [a, b, c] = await push(call, nino, ninoAgain, { name: "Nino", source: "x", source_id: "x-1" })
    const first = (await call("POST", "/leads/merge", { survivor: b, losers: [c] })).body.merge_id
    const second = (await call("POST", "/leads/merge", { survivor: a, losers: [b] })).body.merge_id
    expect((await call("POST", "/leads", { name: "Nino", source: "x", source_id: "x-1" })).body.id).toBe(a)
    expect((await call("POST", `/merges/${first}/undo`)).status).toBe(409)
    expect((await call("POST", `/merges/${second}/undo`)).status).toBe(200)
    expect((await call("POST", "/leads", { name: "Nino", source: "x", source_id: "x-1" })).body.id).toBe(b)
    expect((await call("POST", `/merges/${first}/undo`)).status).toBe(200)
    expect((await call("POST", "/leads", { name: "Nino", source: "x", source_id: "x-1" })).body.id).toBe(c)
  })
})
