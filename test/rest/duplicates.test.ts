import { describe, expect } from "bun:test"
import { type Call, test } from "../support/app.ts"
import { compared, jobDone } from "../support/settled.ts"

const nino = {
  name: "Trattoria Da Nino",
  source: "maps",
  phone: "+49 30 1234567",
  address: "Torstr. 12",
  city: "Berlin",
}
const ninoAgain = {
  name: "Da Nino Trattoria GmbH",
  source: "fair",
  phone: "030 1234567",
  address: "Torstraße 12",
  city: "Berlin",
}
const other = {
  name: "Zum Goldenen Hirsch",
  source: "maps",
  phone: "+49 89 7654321",
  address: "Am Markt 1",
  city: "München",
}

async function push(call: Call, ...leads: object[]): Promise<string[]> {
  const ids: string[] = []
  for (const lead of leads) ids.push((await call("POST", "/leads", lead)).body.id)
  await compared(call)
  return ids
}

describe("GET /duplicates", () => {
  test("lists leads that are probably the same, with reasons, the older lead first", async ({ call }) => {
    const [a, b] = await push(call, nino, ninoAgain, other)
    const { status, body } = await call("GET", "/duplicates")
    expect(status).toBe(200)
    expect(body).toMatchObject({ count: 1, has_more: false, next_cursor: null })
    const [pair] = body.duplicates
    expect(pair).toMatchObject({
      state: "open",
      a: { id: a, name: nino.name },
      b: { id: b, name: ninoAgain.name },
    })
    expect(pair.probability).toBeGreaterThan(0.9)
    expect(pair.reasons).toContainEqual({ field: "phone", text: "same phone", bits: expect.any(Number) })
    expect((await call("GET", `/duplicates/${pair.id}`)).body).toEqual(pair)
    expect((await call("GET", "/duplicates/status")).body).toMatchObject({ waiting: 0, open: 1 })
  })

  test("knows a lead's own, and filters by either of both leads", async ({ call }) => {
    const [a, b, c] = await push(call, nino, ninoAgain, other)
    for (const id of [a, b]) expect((await call("GET", `/leads/${id}/duplicates`)).body.count).toBe(1)
    expect((await call("GET", `/leads/${c}/duplicates`)).body.count).toBe(0)
    expect((await call("GET", "/leads/cl_none/duplicates")).status).toBe(404)
    expect((await call("GET", "/duplicates?filter=and.eq.source.fair")).body.count).toBe(1)
    expect((await call("GET", "/duplicates?filter=and.eq.city.Wien")).body.count).toBe(0)
  })

  test("follows changes of a lead and its end", async ({ call }) => {
    const [, b] = await push(call, nino, ninoAgain)
    await call("PATCH", `/leads/${b}`, {
      name: "Autohaus Schmidt",
      phone: "+49 40 999888",
      address: "Hafen 3",
      city: "Hamburg",
    })
    await compared(call)
    expect((await call("GET", "/duplicates")).body.count).toBe(0)
    await call("PATCH", `/leads/${b}`, ninoAgain)
    await compared(call)
    expect((await call("GET", "/duplicates")).body.count).toBe(1)
    await call("DELETE", `/leads/${b}`)
    expect((await call("GET", "/duplicates")).body.count).toBe(0)
  })

  test("pages by cursor, each pair once", async ({ call }) => {
    const leads = Array.from({ length: 6 }, (_, i) => ({
      ...nino,
      name: `Hotel Adlerhorst ${"x".repeat(i)}`,
      source_id: `s${i}`,
      phone: null,
    }))
    await push(call, ...leads)
    const all = (await call("GET", "/duplicates?min_probability=0&limit=200")).body.duplicates
    expect(all.length).toBeGreaterThan(3)
    const seen: string[] = []
    let cursor: string | null = ""
    while (cursor !== null) {
      const { body }: { body: { duplicates: { id: string }[]; next_cursor: string | null } } = await call(
        "GET",
        `/duplicates?min_probability=0&limit=2${cursor && `&cursor=${cursor}`}`,
      )
      seen.push(...body.duplicates.map(({ id }) => id))
      cursor = body.next_cursor
    }
    expect(seen).toEqual(all.map(({ id }: { id: string }) => id))
  })

  test("has groups of what is all the same", async ({ call }) => {
    const ids = await push(
      call,
      nino,
      ninoAgain,
      { ...nino, name: "Trattoria Da Nino Berlin Mitte", source: "list", phone: "+49 30 1234567 1" },
      other,
    )
    const { body } = await call("GET", "/duplicates?view=groups")
    expect(body.groups).toHaveLength(1)
    expect(body.groups[0].leads.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 3))
  })

  test("is of one account alone", async (app) => {
    await push(app.call, nino, ninoAgain)
    const { key } = await app.addAccount()
    const theirs = app.as(key)
    await push(theirs, nino)
    expect((await theirs("GET", "/duplicates")).body.count).toBe(0)
    const [{ id }] = (await app.call("GET", "/duplicates")).body.duplicates
    expect((await theirs("GET", `/duplicates/${id}`)).status).toBe(404)
    expect((await theirs("POST", `/duplicates/${id}/dismiss`)).status).toBe(404)
  })
})

test("dismissed pairs never come back until they are opened again", async ({ call }) => {
  const [, b] = await push(call, nino, ninoAgain)
  const [{ id }] = (await call("GET", "/duplicates")).body.duplicates
  expect((await call("POST", `/duplicates/${id}/dismiss`)).body.state).toBe("dismissed")
  await call("PATCH", `/leads/${b}`, { name: "Etwas ganz anderes", phone: null, address: null, city: null })
  await compared(call)
  await call("PATCH", `/leads/${b}`, ninoAgain)
  await compared(call)
  const { status, body } = await call("POST", "/duplicates/rescan")
  expect(status).toBe(202)
  await jobDone(call, body.job)
  expect((await call("GET", "/duplicates")).body.count).toBe(0)
  const [dismissed] = (await call("GET", "/duplicates?state=dismissed")).body.duplicates
  expect((await call("PATCH", `/duplicates/${dismissed.id}`, { state: "open" })).body.state).toBe("open")
  expect((await call("GET", "/duplicates")).body.count).toBe(1)
})
