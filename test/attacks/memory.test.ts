// What an account could fill memory and disk with.
import { describe, expect } from "bun:test"
import { addAccount } from "../support/account.ts"
import { openTestApp, test } from "../support/app.ts"
import { LEAST } from "../support/lead.ts"

const list = (name: string, items: number) => ({
  name,
  type: "list",
  value: Array.from({ length: items }, (_, i) => `${i}`.padEnd(900, "x")),
})

describe("a lead", () => {
  test("is at most 256 KiB in all; what is larger is told which part is to blame", async ({ call }) => {
    const large = await call("POST", "/leads", {
      ...LEAST,
      attributes: [list("small", 2), list("large", 300)],
    })
    expect([large.status, large.body.code]).toEqual([413, "bad_request"])
    expect(large.body.message).toMatch(/at most 256 KiB.*attribute "large" with 26\d KiB/)
    expect((await call("GET", "/leads")).body.count).toBe(0)

    const { id } = (await call("POST", "/leads", { ...LEAST, attributes: [list("a", 200)] })).body
    const path = `/leads/${id}/attributes`
    expect((await call("POST", path, list("b", 100))).status).toBe(413)
    expect((await call("PUT", `/leads/${id}`, { description: "x".repeat(99_000) })).status).toBe(413)
    const merged = await call("POST", "/leads", { ...LEAST, name: "new", attributes: [list("c", 200)] })
    expect(merged.status).toBe(201)
    const batch = await call("POST", "/leads/batch", {
      leads: [LEAST, { ...LEAST, attributes: [list("d", 300)] }],
    })
    expect([batch.status, batch.body.errors[0].message]).toEqual([207, expect.stringContaining("256 KiB")])
    expect((await call("GET", path)).body).toHaveLength(1)
  })

  test("of this size is read by the page in bounded answers that go on", async ({ call }) => {
    const leads = Array.from({ length: 8 }, (_, i) => ({
      ...LEAST,
      name: `${i}`,
      attributes: [list("a", 250)],
    }))
    for (let at = 0; at < 16; at += 8)
      await call("POST", "/leads/batch", { leads: leads.map((lead, i) => ({ ...lead, name: `${at + i}` })) })
    const seen = new Set<string>()
    let cursor: string | null = null
    let pages = 0
    do {
      const { body } = await call("GET", `/leads?limit=1000${cursor ? `&cursor=${cursor}` : ""}`)
      expect(JSON.stringify(body).length).toBeLessThan(101 * 256 * 1024)
      for (const lead of body.leads) seen.add(lead.id)
      cursor = body.next_cursor
      pages++
    } while (cursor)
    expect([seen.size, pages > 0]).toEqual([16, true])
  })
})

describe("storage", () => {
  test("is counted with leads, notes and trail, shown, and let go again", async ({ call }) => {
    const used = async () => (await call("GET", "/stats")).body.plan.storage_used
    expect(await used()).toBe(0)
    const { id } = (await call("POST", "/leads", { ...LEAST, description: "x".repeat(50_000) })).body
    expect(await used()).toBeGreaterThan(50_000)
    const before = await used()
    const note = (await call("POST", `/leads/${id}/notes`, { content: "y".repeat(10_000) })).body
    expect((await used()) - before).toBe(10_000)
    await call("DELETE", `/notes/${note.id}`)
    expect(await used()).toBe(before)
    const updates = await used()
    for (let i = 0; i < 20; i++) await call("PUT", `/leads/${id}`, { city: `city ${i}` })
    expect((await used()) - updates).toBeLessThan(20_000)
  })

  test("that is used up takes nothing more, and says what to do", async () => {
    const { config, as } = await openTestApp()
    const { key } = await addAccount(config.file, { plan: "free", limits: { storage_limit: 100_000 } })
    const call = as(key)
    const push = (name: string) =>
      call("POST", "/leads", { ...LEAST, name, description: name.repeat(60_000) })
    const first = (await push("a")).body
    expect((await push("b")).status).toBe(201)
    const { status, body } = await push("c")
    expect([status, body.code]).toEqual([403, "storage_limit_reached"])
    expect(body.message).toContain("delete leads or notes")
    expect((await call("POST", `/leads/${first.id}/notes`, { content: "x" })).body.code).toBe(
      "storage_limit_reached",
    )
    expect((await call("PUT", `/leads/${first.id}`, { status: "contacted" })).status).toBe(200)
    expect((await call("PUT", `/leads/${first.id}`, { description: "" })).status).toBe(200)
    expect((await push("c")).status).toBe(201)
  })
})
