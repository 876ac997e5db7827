import { describe, expect } from "bun:test"
import { openTestAccount, type TestAccount, test } from "../support/app.ts"
import { jobDone } from "../support/settled.ts"
import { until } from "../support/until.ts"

async function withRules(
  ...expressions: (string | [expression: string, weight: number])[]
): Promise<TestAccount> {
  const service = await openTestAccount()
  for (const [i, rule] of expressions.entries()) {
    const [expression, weight] = typeof rule === "string" ? [rule, 1] : rule
    const { status } = await service.call("POST", "/scoring-rules", { name: `r${i}`, expression, weight })
    expect(status).toBe(201)
  }
  return service
}

const lead = { name: "Ada", source: "test", rating: 4.5, review_count: 12 }

describe("automatic scores", () => {
  test("a lead is scored when it is created, updated, merged and when an attribute changes", async () => {
    const { call } = await withRules("rating * 10", "attr_size")
    const created = await call("POST", "/leads", { ...lead, email: "a@b.c" })
    expect(created.body.score).toBe(45)
    expect((await call("PUT", `/leads/${created.body.id}`, { rating: 2 })).body.score).toBe(20)
    const merged = await call("POST", "/leads", { name: "Ada", source: "test", email: "A@B.C", rating: 3 })
    expect(merged.body).toMatchObject({ duplicate: true, score: 30 })
    await call("POST", `/leads/${created.body.id}/attributes`, { name: "size", type: "number", value: 7 })
    expect((await call("GET", `/leads/${created.body.id}`)).body.score).toBe(37)
  })

  test("the sum of weighted rules is clamped to 0 and 100", async () => {
    const high = await withRules(["rating", 100])
    expect((await high.call("POST", "/leads", lead)).body.score).toBe(100)
    const low = await withRules(["rating", -1])
    expect((await low.call("POST", "/leads", lead)).body.score).toBe(0)
  })

  test("a changed rule counts only when a lead is scored again", async () => {
    const { call } = await withRules("rating")
    const { id } = (await call("POST", "/leads", lead)).body
    const [rule] = (await call("GET", "/scoring-rules")).body
    await call("PUT", `/scoring-rules/${rule.id}`, { expression: "rating * 2" })
    expect((await call("GET", `/leads/${id}`)).body.score).toBe(4.5)
    expect((await call("POST", `/leads/${id}/score`)).body).toEqual({ id, score: 9 })
    expect((await call("GET", `/leads/${id}`)).body.score).toBe(9)
  })
})

describe("POST /leads/{id}/score", () => {
  test("explains what each rule brought, in the order of priority", async () => {
    const { call } = await withRules(["rating", 2], "review_count > 10 ? 5 : 0")
    const [, second] = (await call("GET", "/scoring-rules")).body
    await call("PUT", `/scoring-rules/${second.id}`, { priority: -1 })
    const { id } = (await call("POST", "/leads", lead)).body
    const { body } = await call("POST", `/leads/${id}/score?explain=true`)
    expect(body.score).toBe(14)
    expect(body.rules).toEqual([
      { id: second.id, name: "r1", value: 5, weight: 1, contribution: 5 },
      { id: expect.any(String), name: "r0", value: 4.5, weight: 2, contribution: 9 },
    ])
  })

  test("leaves the lead's timestamps and its trail alone", async () => {
    const { call } = await withRules("rating")
    const { body: before } = await call("POST", "/leads", lead)
    await call("POST", `/leads/${before.id}/score`)
    const { body: after } = await call("GET", `/leads/${before.id}`)
    expect(after.updated_at).toBe(before.updated_at)
    expect((await call("GET", `/leads/${before.id}/changes`)).body.count).toBe(1)
  })
})

describe("POST /leads/score/batch", () => {
  test("scores every lead and says how many changed", async ({ call }) => {
    const leads = Array.from({ length: 1_200 }, (_, i) => ({ name: `L${i}`, source: "t", rating: i % 5 }))
    for (let i = 0; i < 1_200; i += 600)
      await call("POST", "/leads/batch", { leads: leads.slice(i, i + 600) })
    await call("POST", "/scoring-rules", { name: "r", expression: "rating * 10" })
    expect((await call("POST", "/leads/score/batch")).body).toEqual({ count: 1_200, changed: 960 })
    expect((await call("POST", "/leads/score/batch")).body).toEqual({ count: 1_200, changed: 0 })
    const { body } = await call("GET", "/leads?sort_by=score&sort_order=DESC&limit=1000")
    expect(body.leads.every((one: { score: number; rating: number }) => one.score === one.rating * 10)).toBe(
      true,
    )
  })

  test("reads texts, lists and attributes of every type", async ({ call }) => {
    await call("POST", "/leads", {
      ...lead,
      city: "Paris",
      tags: ["VIP"],
      attributes: [
        { name: "size", type: "number", value: 3 },
        { name: "field", type: "text", value: "Food" },
        { name: "open", type: "bool", value: true },
        { name: "days", type: "list", value: ["mo", "tu"] },
      ],
    })
    for (const expression of [
      "attr_size",
      "attr_field == 'Food' ? 10 : 0",
      "attr_open ? 20 : 0",
      "len(attr_days)",
    ]) {
      await call("POST", "/scoring-rules", { name: expression, expression })
    }
    expect((await call("POST", "/leads/score/batch")).body).toEqual({ count: 1, changed: 1 })
    expect((await call("GET", "/leads")).body.leads[0].score).toBe(35)
    await call("POST", "/scoring-rules", {
      name: "c",
      expression: "city == 'Paris' && has(tags, 'vip') ? 1 : 0",
    })
    await call("POST", "/leads/score/batch")
    expect((await call("GET", "/leads")).body.leads[0].score).toBe(36)
  })

  test("two at once count all leads, and leads changed meanwhile keep their newer score", async () => {
    const { call } = await openTestAccount()
    const leads = Array.from({ length: 1_000 }, (_, i) => ({ name: `L${i}`, source: "t", rating: 1 }))
    const { body: made } = await call("POST", "/leads/batch", { leads })
    await call("POST", "/scoring-rules", { name: "r", expression: "rating" })
    const [first, second, ...updates] = await Promise.all([
      call("POST", "/leads/score/batch"),
      call("POST", "/leads/score/batch"),
      ...made.created
        .slice(0, 100)
        .map(({ id }: { id: string }) => call("PUT", `/leads/${id}`, { rating: 5 })),
    ])
    // The rule began a run of its own when it was made: who comes behind that changes nothing.
    expect([first?.body.count, second?.body.count]).toEqual([1_000, 1_000])
    expect(updates.every(({ status }) => status === 200)).toBe(true)
    const { body } = await call("GET", "/leads?limit=1000")
    expect(body.leads.every((one: { score: number; rating: number }) => one.score === one.rating)).toBe(true)
  })

  test("one that is asked for after a rule has changed goes by the changed rule", async ({ call }) => {
    const leads = Array.from({ length: 1_000 }, (_, i) => ({ name: `L${i}`, source: "t", rating: 1 }))
    for (let i = 0; i < 4; i++) await call("POST", "/leads/batch", { leads })
    const { body: rule } = await call("POST", "/scoring-rules", { name: "r", expression: "rating" })
    await call("POST", "/leads/score/batch")
    await call("PUT", `/scoring-rules/${rule.id}`, { expression: "rating * 3" })
    const running = call("POST", "/leads/score/batch")
    await until("a score by the second rule", async () => {
      return (await call("GET", "/leads?sort_by=score&sort_order=DESC&limit=1")).body.leads[0].score === 3
    })
    await call("PUT", `/scoring-rules/${rule.id}`, { expression: "rating * 2" })
    const [, { body: counts }] = await Promise.all([running, call("POST", "/leads/score/batch")])
    expect(counts.count).toBe(4_000)
    expect((await call("GET", "/stats")).body.score).toMatchObject({ min: 2, max: 2 })
  })

  test("in the background answers at once with a job that says how far it is", async () => {
    const { call } = await withRules("rating * 10")
    const leads = Array.from({ length: 1_000 }, (_, i) => ({ name: `L${i}`, source: "t", rating: 1 }))
    for (let i = 0; i < 2; i++) await call("POST", "/leads/batch", { leads })
    const [rule] = (await call("GET", "/scoring-rules")).body
    await call("PUT", `/scoring-rules/${rule.id}`, { expression: "rating * 30" })
    const { status, body } = await call("POST", "/leads/score/batch?background=true")
    expect([status, body]).toEqual([202, { job: expect.stringMatching(/^job_/), of: 2_000 }])
    const seen: number[] = []
    await until("it is done", async () => {
      const { body: job } = await call("GET", `/jobs/${body.job}`)
      seen.push(job.done)
      return job.state === "done"
    })
    expect((await call("GET", `/jobs/${body.job}`)).body).toMatchObject({
      kind: "score_leads",
      done: 2_000,
      of: 2_000,
      failed: 0,
    })
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect((await call("GET", "/stats")).body.score).toMatchObject({ min: 30, max: 30 })
  })

  test("a job that is stopped stays so, and the next one scores all the same", async () => {
    const { call } = await withRules("rating * 10")
    await call("POST", "/leads", lead)
    const [rule] = (await call("GET", "/scoring-rules")).body
    await call("PUT", `/scoring-rules/${rule.id}`, { expression: "rating * 20" })
    const { body: left } = await call("POST", "/leads/score/batch?background=true")
    const { status } = await call("POST", `/jobs/${left.job}/stop`)
    expect([200, 409]).toContain(status)
    const { body } = await call("POST", "/leads/score/batch?background=true")
    await jobDone(call, body.job)
    expect((await call("GET", "/leads")).body.leads[0].score).toBe(90)
  })

  test("touches only the caller's account", async ({ call }) => {
    expect((await call("POST", "/leads/score/batch")).body).toEqual({ count: 0, changed: 0 })
  })
})

describe("POST /scoring-rules/preview", () => {
  test("gives the value for a stored lead and for one that is sent", async ({ call }) => {
    const { id } = (await call("POST", "/leads", lead)).body
    const stored = await call("POST", "/scoring-rules/preview", { expression: "rating * 2", lead_id: id })
    expect(stored.body).toEqual({ valid: true, value: 9 })
    const sent = await call("POST", "/scoring-rules/preview", {
      expression: "rating * 2",
      lead: { rating: 1 },
    })
    expect(sent.body).toEqual({ valid: true, value: 2 })
    expect((await call("GET", "/scoring-rules")).body).toEqual([])
  })

  test("gives the error with its position", async ({ call }) => {
    const { status, body } = await call("POST", "/scoring-rules/preview", { expression: "rating *" })
    expect(status).toBe(200)
    expect(body).toEqual({
      valid: false,
      error: { message: expect.stringContaining('after "*"'), position: 9 },
    })
  })

  test("tells over all leads how many have which score before and after, and who moves most", async () => {
    const { call } = await openTestAccount()
    const { id } = (await call("POST", "/scoring-rules", { name: "r", expression: "rating * 10" })).body
    for (const rating of [1, 5, 9])
      await call("POST", "/leads", { ...lead, name: `L${rating}`, email: null, rating })
    const preview = (more: object) =>
      call("POST", "/scoring-rules/preview", { expression: "rating > 4 ? 10 : 0", all: true, ...more })
    const bins = (scores: number[]) =>
      Array.from({ length: 20 }, (_, i) => scores.filter((one) => one === i).length)
    const { body } = await preview({ weight: 2 })
    expect(body).toMatchObject({
      ...{ valid: true, leads: 3, changed: 2 },
      before: { average: 50, hot: 1, warm: 1, cold: 1 },
      scores: { before: bins([2, 10, 18]), after: bins([2, 14, 19]) },
    })
    expect(body.sample[0]).toMatchObject({ name: "L5", before: 50, after: 70 })
    const changed = await preview({ rule_id: id })
    expect(changed.body).toMatchObject({ changed: 3, scores: { after: bins([0, 2, 2]) } })
    expect((await call("GET", "/scoring-rules")).body).toMatchObject([{ expression: "rating * 10" }])
    expect((await preview({ expression: "rating >" })).body.valid).toBe(false)
  })

  test.each([
    ["a lead as well", { all: true, lead: {} }, 400],
    ["a weight without all leads", { weight: 2 }, 400],
    ["a rule that is not there", { all: true, rule_id: "rule_none" }, 404],
    ["a text that is too long", { all: true, expression: `name == "${"x".repeat(201)}"` }, 400],
  ])("is refused with %s", async (_, more, status) => {
    const { call } = await openTestAccount()
    expect((await call("POST", "/scoring-rules/preview", { expression: "1", ...more })).status).toBe(status)
  })
})
