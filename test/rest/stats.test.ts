import { describe, expect } from "bun:test"
import { type Call, openHeldAccount, openTestAccount, test } from "../support/app.ts"
import { LEAST } from "../support/lead.ts"

const DAY = 86_400_000

async function push(call: Call, ...leads: object[]): Promise<void> {
  for (const [i, lead] of leads.entries()) {
    const { status } = await call("POST", "/leads", {
      ...LEAST,
      name: `${crypto.randomUUID()} ${i}`,
      ...lead,
    })
    expect(status).toBe(201)
  }
}

describe("GET /stats", () => {
  test("of an account without leads is all zeros, and every status is there", async ({ call }) => {
    const { status, body } = await call("GET", "/stats")
    expect(status).toBe(200)
    expect(body).toEqual({
      total_leads: 0,
      by_status: { new: 0, contacted: 0, qualified: 0, disqualified: 0, converted: 0 },
      by_source: {},
      score: { average: null, min: null, max: null, hot: 0, warm: 0, cold: 0 },
      with_email: 0,
      with_phone: 0,
      created_last_7_days: 0,
      created_last_30_days: 0,
      plan: { name: "enterprise", leads_limit: null, leads_used: 0, storage_limit: null, storage_used: 0 },
    })
  })

  test("counts by status and source, sources as they are written and ignoring case", async ({ call }) => {
    await push(
      call,
      { source: "Web" },
      { source: "web", status: "qualified" },
      { source: "trade fair", status: "qualified" },
      { source: "__proto__", status: "converted" },
    )
    const { body } = await call("GET", "/stats")
    expect(body.total_leads).toBe(4)
    expect(body.by_status).toEqual({ new: 1, contacted: 0, qualified: 2, disqualified: 0, converted: 1 })
    expect(Object.entries(body.by_source)).toEqual([
      ["Web", 2],
      ["__proto__", 1],
      ["trade fair", 1],
    ])
  })

  test("counts leads with an email and with a phone, whatever is in them", async ({ call }) => {
    await push(
      call,
      { email: "a@b.c" },
      { phone: "+49 30 1" },
      { phone: "---", email: "d@e.f" },
      { email: "" },
      {},
    )
    expect((await call("GET", "/stats")).body).toMatchObject({ with_email: 2, with_phone: 2 })
  })

  test("hot is 70 and more, warm 40 and more", async ({ call }) => {
    await call("POST", "/scoring-rules", { name: "rating", expression: "rating" })
    await push(call, { rating: 100 }, { rating: 70 }, { rating: 69.5 }, { rating: 40 }, { rating: 39.5 }, {})
    expect((await call("GET", "/stats")).body.score).toEqual({
      average: (100 + 70 + 69.5 + 40 + 39.5) / 6,
      min: 0,
      max: 100,
      hot: 2,
      warm: 2,
      cold: 2,
    })
  })

  test("counts what was created in the last 7 and 30 days, to the second", async () => {
    const { call, clock } = await openHeldAccount()
    await push(call, {})
    clock.advance(23 * DAY)
    await push(call, {}, {})
    const recent = async () => {
      const { created_last_7_days, created_last_30_days } = (await call("GET", "/stats")).body
      return [created_last_7_days, created_last_30_days]
    }
    clock.advance(7 * DAY)
    expect(await recent()).toEqual([2, 3])
    clock.advance(1_000)
    expect(await recent()).toEqual([0, 2])
  })

  test("follows updates, merges and deletions", async ({ call }) => {
    const { id } = (await call("POST", "/leads", { ...LEAST, email: "a@b.c", phone: "1" })).body
    await call("PUT", `/leads/${id}`, { status: "contacted", phone: null })
    await call("POST", "/leads", { ...LEAST, email: "A@b.c", source: "merge" })
    const { body } = await call("GET", "/stats")
    expect(body).toMatchObject({ total_leads: 1, with_email: 1, with_phone: 0, by_source: { merge: 1 } })
    expect(body.by_status).toMatchObject({ new: 0, contacted: 1 })
    await call("DELETE", `/leads/${id}`)
    expect((await call("GET", "/stats")).body).toMatchObject({ total_leads: 0, by_source: {} })
  })

  test("names the plan, its limit and what is used of it", async ({ as, addAccount }) => {
    const free = as((await addAccount({ plan: "free" })).key)
    await push(free, {}, {})
    expect((await free("GET", "/stats")).body.plan).toMatchObject({
      name: "free",
      leads_limit: 100,
      leads_used: 2,
    })
    const own = as((await addAccount({ plan: "free", limits: { leads_limit: 7 } })).key)
    expect((await own("GET", "/stats")).body.plan).toMatchObject({
      name: "free",
      leads_limit: 7,
      leads_used: 0,
    })
  })
})

describe.each([
  ["categories", "category"],
  ["cities", "city"],
])("GET /stats/%s", (path, field) => {
  const values = (...counts: [value: string, count: number][]) =>
    counts.map(([value, count]) => ({ [field]: value, count }))

  test("gives the values with their counts, most first, ignoring case and leads without one", async () => {
    const { call } = await openTestAccount()
    await push(
      call,
      ...["Ulm", "Bonn", "bonn", "Aachen", "BONN", "Köln", "KÖLN"].map((value) => ({ [field]: value })),
      {},
    )
    const { status, body } = await call("GET", `/stats/${path}`)
    expect(status).toBe(200)
    expect(body).toEqual(values(["Bonn", 3], ["Köln", 2], ["Aachen", 1], ["Ulm", 1]))
  })

  test("takes a limit from 1 to 1,000; it is 50 unless told", async ({ call }) => {
    const leads = Array.from({ length: 60 }, (_, i) => ({ ...LEAST, name: `n${i}`, [field]: `v${i}` }))
    await call("POST", "/leads/batch", { leads })
    expect((await call("GET", `/stats/${path}`)).body.length).toBe(50)
    expect((await call("GET", `/stats/${path}?limit=3`)).body).toEqual(
      values(["v0", 1], ["v1", 1], ["v10", 1]),
    )
    expect((await call("GET", `/stats/${path}?limit=1000`)).body.length).toBe(60)
    for (const limit of ["0", "1001", "1.5", "x", ""]) {
      const { status, body } = await call("GET", `/stats/${path}?limit=${limit}`)
      expect([limit, status, body.message]).toEqual([
        limit,
        400,
        "limit must be a whole number from 1 to 1,000",
      ])
    }
  })
})
