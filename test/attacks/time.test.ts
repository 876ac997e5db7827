// What an account could make everybody else wait with. Nothing here measures time: the bounds that keep it short are
// what is looked at; `npm run torture` measures.
import { describe, expect } from "bun:test"
import { includesText, WORK_MAX, workCutOff } from "../../src/expression/budget.ts"
import { compileRules } from "../../src/expression/index.ts"
import { call } from "../mcp/support.ts"
import { appTest, openTestAccount, test } from "../support/app.ts"
import { LEAST } from "../support/lead.ts"

describe("scoring rules", () => {
  const TEXT = "a".repeat(99_000)

  test("search in time that grows with the sum of the lengths", () => {
    const cases: [string, string, boolean][] = [
      [TEXT, `${"a".repeat(1_900)}b${"a".repeat(1_900)}`, false],
      [`${TEXT}b${TEXT}`, `${"a".repeat(1_900)}b${"a".repeat(1_900)}`, true],
      [TEXT, "a".repeat(50_000), true],
      [`${"ab".repeat(49_000)}c`, `${"ab".repeat(20_000)}c`, true],
      ["short", "shorter", false],
    ]
    for (const [text, part, expected] of cases) expect(includesText(text, part)).toBe(expected)
  })

  test("have a budget for each lead; a rule that it does not last for brings nothing, and is counted", () => {
    const rule = (id: string, expression: string) => ({ id, name: id, expression, weight: 1 })
    const many = Array.from({ length: 30 }, (_, i) => rule(`${i}`, `contains(description, "${i}b") ? 0 : 1`))
    const rules = compileRules([rule("first", "len(name)"), ...many])
    const before = workCutOff()
    const values = rules.explain({ name: "Ada", description: TEXT }, 0).map(({ value }) => value)
    expect(values[0]).toBe(3)
    expect(values.filter((value) => value === 1).length).toBeLessThanOrEqual(WORK_MAX / TEXT.length)
    expect(values.at(-1)).toBe(0)
    expect(workCutOff()).toBe(before + 1)
    expect(rules.score({ name: "Ada", description: "short" }, 0)).toBe(33)
  })

  test("take texts of at most 200 characters, and so many searches in all", async ({ call }) => {
    const create = (expression: string) => call("POST", "/scoring-rules", { name: "r", expression })
    expect((await create(`contains(name, "${"a".repeat(200)}")`)).status).toBe(201)
    const long = await create(`contains(name, "${"a".repeat(201)}")`)
    expect([long.status, long.body.message]).toEqual([
      400,
      expect.stringContaining("at position 16 must be at most 200"),
    ])
    const heavy = Array.from({ length: 150 }, (_, i) => `contains(name, "${i}")`).join(" + ")
    const statuses = []
    for (let i = 0; i < 7; i++) statuses.push((await create(heavy)).status)
    expect(statuses).toEqual([201, 201, 201, 201, 201, 201, 400])
  })
})

describe("filters", () => {
  const long = (length: number) => `or.contains.description.${"a".repeat(length)}`
  const cases: [string, string[], RegExp][] = [
    ["one text", [long(1_001)], /at most 1,000 characters/],
    ["one text of a list", [`and.in.city.Berlin,${"a".repeat(1_001)}`], /at most 1,000 characters/],
    ["all together", Array.from({ length: 20 }, () => long(900)), /at most 16 KiB/],
  ]

  appTest.for(cases)("%s has a limit, over REST and for tools", async ([_, filter, message], service) => {
    const query = filter.map((one) => `filter=${encodeURIComponent(one)}`).join("&")
    // The head of a request has a limit of its own.
    if (query.length < 15_000) {
      const { status, body } = await service.call("GET", `/leads?${query}`)
      expect([status, body.message]).toEqual([400, expect.stringMatching(message)])
    }
    const { error } = await call(service, "list_leads", { filter })
    expect(error).toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringMatching(message) })
  })

  test("as large as they may be find what they should", async ({ call }) => {
    const description = `${"a".repeat(990)}b${"a".repeat(50_000)}`
    for (const name of ["A", "B", "C"]) await call("POST", "/leads", { ...LEAST, name, description })
    await call("POST", "/leads", { ...LEAST, name: "D" })
    const filter = Array.from({ length: 15 }, (_, i) => `and.contains.description.${"a".repeat(980 - i)}b`)
    const query = filter.map((one) => `filter=${one}`).join("&")
    for (const sort of ["name", "created_at", "attr:x"]) {
      const { body } = await call("GET", `/leads?${query}&sort_by=${sort}&limit=2`)
      expect([sort, body.count, body.has_more]).toEqual([sort, 2, true])
      const rest = (await call("GET", `/leads?${query}&sort_by=${sort}&limit=2&cursor=${body.next_cursor}`))
        .body
      expect([sort, rest.count, rest.has_more]).toEqual([sort, 1, false])
    }
  })
})

const PHONE = "+49 30 7654321"

describe("one phone of many", () => {
  test("leads are compared with the oldest and the newest hundred", async ({ call }) => {
    const phone = PHONE
    const name = (i: number) => `${String.fromCodePoint(0x4e00 + i).repeat(12)}`
    const leads = Array.from({ length: 260 }, (_, i) => ({ ...LEAST, name: name(i), phone }))
    await call("POST", "/leads/batch", { leads })
    const push = async (i: number) =>
      (await call("POST", "/leads", { ...LEAST, name: name(i), phone })).status
    expect([await push(0), await push(99), await push(130), await push(259)]).toEqual([200, 200, 201, 200])
  })

  test("names of a thousand characters are compared a few times, and equal ones always", async ({ call }) => {
    const name = (i: number) => `${i}`.padStart(3, "0") + "x".repeat(700) + `${i}`.repeat(90)
    const leads = Array.from({ length: 90 }, (_, i) => ({
      ...LEAST,
      name: `${name(i)}`.slice(0, 1_000),
      phone: PHONE,
      source_id: `${i}`,
    }))
    const { body } = await call("POST", "/leads/batch", { leads })
    expect(body.failed).toBeGreaterThanOrEqual(0)
    const again = await call("POST", "/leads", { ...LEAST, name: leads.at(-1)!.name, phone: PHONE })
    expect(again.body.duplicate).toBe(true)
  })
})

describe("a batch of one phone", () => {
  test("compares names until it has read as many as it may, and finds equal ones behind that", async () => {
    const { call } = await openTestAccount()
    const name = (i: number) => `${String.fromCodePoint(0x4e00 + i).repeat(880)} ${i}`
    const leads = Array.from({ length: 400 }, (_, i) => ({ ...LEAST, name: name(i), phone: PHONE }))
    const repeats = [0, 200, 399].map((i) => ({ ...LEAST, name: name(i), phone: PHONE }))
    const similar = { ...LEAST, name: `${name(399)}!`, phone: PHONE }
    const { body } = await call("POST", "/leads/batch", { leads: [...leads, ...repeats, similar] })
    const merged = body.created.filter(({ duplicate }: { duplicate?: true }) => duplicate)
    expect(merged.map(({ index }: { index: number }) => index)).toEqual([400, 401, 402])
  })

  test("has the oldest of one name and city as a possible duplicate, however many there are", async () => {
    const { call } = await openTestAccount()
    const leads = Array.from({ length: 60 }, (_, i) => ({
      ...LEAST,
      name: "Acme",
      city: "Berlin",
      source_id: `${i}`,
    }))
    const { body } = await call("POST", "/leads/batch", { leads })
    const [first, ...others] = body.created
    const possible = others.map((one: { potential_duplicate_id: string }) => one.potential_duplicate_id)
    expect(new Set(possible)).toEqual(new Set([first.id]))
  })
})

appTest("an unknown tool counts as a request, and a long name is not compared with any", async (service) => {
  const answer = await call(service, "get_lead ".repeat(20)).catch((error: Error) => error)
  expect(JSON.stringify(answer instanceof Error ? answer.message : answer)).not.toContain("Did you mean")
})
