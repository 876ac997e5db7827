import { describe, expect } from "bun:test"
import { heldTest, openTestAccount, test } from "../support/app.ts"
import { errorBody } from "../support/lead.ts"

const RULE_ID = /^rule_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const NO_RULE = "rule_01890000-0000-7000-8000-000000000000"
const noRule = errorBody("Not Found", "not_found", "Scoring rule not found")
const RULE = { name: "Rating", expression: "rating * 10" }

const names = (rules: { name: string }[]) => rules.map(({ name }) => name)

describe("POST /scoring-rules", () => {
  heldTest("keeps a rule; its weight is 1 and its priority 0 unless told", async ({ call, clock }) => {
    const { status, body } = await call("POST", "/scoring-rules", RULE)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(RULE_ID),
      ...RULE,
      weight: 1,
      priority: 0,
      created_at: clock.seconds(),
      updated_at: clock.seconds(),
    })
    expect((await call("GET", `/scoring-rules/${body.id}`)).body).toEqual(body)
    expect((await call("GET", "/scoring-rules")).body).toEqual([body])
  })

  test("takes any finite weight and any whole priority", async ({ call }) => {
    for (const [weight, priority] of [
      [0, -5],
      [-2.5, 7],
      [1e300, Number.MIN_SAFE_INTEGER],
    ]) {
      const { status, body } = await call("POST", "/scoring-rules", { ...RULE, weight, priority })
      expect([status, body.weight, body.priority]).toEqual([201, weight, priority])
    }
  })

  test("keeps the expression as it was sent, spaces and lines too", async ({ call }) => {
    const expression = "  rating > 4\n  ? 50\n  : 0 "
    const { status, body } = await call("POST", "/scoring-rules", { ...RULE, expression })
    expect([status, body.expression]).toEqual([201, expression])
  })

  const refused: [what: string, changes: object, message: string][] = [
    ["no name", { name: undefined }, "name is required"],
    ["a blank name", { name: " " }, "name is required"],
    ["a long name", { name: "x".repeat(1_001) }, "name must be at most 1,000 characters"],
    ["no expression", { expression: undefined }, "expression is required"],
    ["an expression that is no text", { expression: 5 }, "expression must be text"],
    ["an expression with NUL", { expression: 'name == "\0"' }, "expression must be well-formed Unicode"],
    ["a weight that is no number", { weight: "1" }, "weight must be a number"],
    ["a priority with a fraction", { priority: 0.5 }, "priority must be a whole number"],
    ["an unknown field", { active: true }, "active is not known here"],
  ]
  test.for(refused)("refuses %s", async ([_what, changes, message], { call }) => {
    const { status, body } = await call("POST", "/scoring-rules", { ...RULE, ...changes })
    expect([status, body.code]).toEqual([400, "bad_request"])
    expect(body.message).toStartWith(message)
    expect((await call("GET", "/scoring-rules")).body).toEqual([])
  })

  test("an infinite weight is refused", async ({ call }) => {
    const { status, body } = await call(
      "POST",
      "/scoring-rules",
      '{"name":"n","expression":"1","weight":1e999}',
    )
    expect([status, body.message]).toEqual([400, "weight must be a finite number"])
  })

  test("of many at the same time at most 200 are kept; the rest are conflicts", async ({ call }) => {
    const post = () => call("POST", "/scoring-rules", RULE)
    const answers = await Promise.all(Array.from({ length: 205 }, post))
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.length).toBe(5)
    for (const { status, body } of refused) {
      expect(status).toBe(409)
      expect(body).toEqual(errorBody("Conflict", "conflict", /at most 200 scoring rules/))
    }
    const rules = (await call("GET", "/scoring-rules")).body
    expect(rules.length).toBe(200)
    await call("DELETE", `/scoring-rules/${rules[0].id}`)
    expect((await post()).status).toBe(201)
  })
})

describe("a bad expression", () => {
  const bad: [expression: string, message: string][] = [
    ["rating *", 'expression: expected a value after "*" at 9'],
    ["", "expression: the expression is empty"],
    ["   ", "expression: the expression is empty"],
    ["x".repeat(4_001), "expression: text longer than 4,000 characters"],
    ["x".repeat(100_001), "expression must be at most 4,000 characters"],
  ]
  test.for(bad.map(([expression, message]) => [message, expression] as const))(
    "is refused on create and update: %s",
    async ([message, expression], { call }) => {
      const { body: rule } = await call("POST", "/scoring-rules", RULE)
      const path = `/scoring-rules/${rule.id}`
      for (const answer of [
        await call("POST", "/scoring-rules", { name: "bad", expression }),
        await call("PUT", path, { expression }),
        await call("PATCH", path, { name: "bad", expression }),
      ]) {
        expect([answer.status, answer.body]).toEqual([400, errorBody("Bad Request", "bad_request", message)])
      }
      expect((await call("GET", "/scoring-rules")).body).toEqual([rule])
    },
  )

  test("is told with its place, also for an unknown field", async ({ call }) => {
    const { status, body } = await call("POST", "/scoring-rules", { name: "bad", expression: "1 + ratng" })
    expect(status).toBe(400)
    expect(body.message).toMatch(/^expression: .*ratng.* at 5/)
  })

  test("an attribute that no lead has yet is none", async ({ call }) => {
    expect((await call("POST", "/scoring-rules", { name: "n", expression: "attr_later" })).status).toBe(201)
  })
})

test("GET /scoring-rules lists by priority, then in the order of creation", async ({ call }) => {
  for (const [name, priority] of [
    ["d", 1],
    ["b", 0],
    ["a", -1],
    ["c", 0],
  ]) {
    await call("POST", "/scoring-rules", { ...RULE, name, priority })
  }
  expect(names((await call("GET", "/scoring-rules")).body)).toEqual(["a", "b", "c", "d"])
})

describe.each(["PUT", "PATCH"])("%s /scoring-rules/{id}", (method) => {
  const changes: [field: string, value: unknown][] = [
    ["name", "New"],
    ["expression", "review_count"],
    ["weight", 0],
    ["priority", -3],
  ]
  heldTest.for(changes)("changes %s alone", async ([field, value], { call, clock }) => {
    const { body: rule } = await call("POST", "/scoring-rules", { ...RULE, weight: 2, priority: 4 })
    const { body: other } = await call("POST", "/scoring-rules", { ...RULE, priority: 9 })
    clock.advance(60_000)
    const { status, body } = await call(method, `/scoring-rules/${rule.id}`, { [field]: value })
    expect(status).toBe(200)
    expect(body).toEqual({ ...rule, [field]: value, updated_at: clock.seconds() })
    expect((await call("GET", "/scoring-rules")).body).toEqual([body, other])
  })

  test("a rule that was read can be sent back; what the service sets in it is passed over", async () => {
    const { call } = await openTestAccount()
    const { body: rule } = await call("POST", "/scoring-rules", RULE)
    const sent = { ...rule, name: "New", id: NO_RULE, created_at: 1, updated_at: 1 }
    const { status, body } = await call(method, `/scoring-rules/${rule.id}`, sent)
    expect(status).toBe(200)
    expect(body).toEqual({ ...rule, name: "New", updated_at: body.updated_at })
  })

  test("refuses what create refuses", async ({ call }) => {
    const { body: rule } = await call("POST", "/scoring-rules", RULE)
    for (const bad of [{ name: "" }, { weight: null }, { priority: 1.5 }, { active: true }]) {
      expect((await call(method, `/scoring-rules/${rule.id}`, bad)).status).toBe(400)
    }
    expect((await call("GET", "/scoring-rules")).body).toEqual([rule])
  })
})

test("DELETE /scoring-rules/{id} answers 204, and then the rule is missing", async ({ call }) => {
  const { body: rule } = await call("POST", "/scoring-rules", RULE)
  const { body: other } = await call("POST", "/scoring-rules", RULE)
  const { status, body } = await call("DELETE", `/scoring-rules/${rule.id}`)
  expect([status, body]).toEqual([204, undefined])
  expect((await call("GET", "/scoring-rules")).body).toEqual([other])
  expect((await call("GET", `/scoring-rules/${rule.id}`)).body).toEqual(noRule)
})

test("who may each account has its own 200", async ({ call, as, addAccount }) => {
  await Promise.all(Array.from({ length: 200 }, () => call("POST", "/scoring-rules", RULE)))
  const stranger = as((await addAccount()).key)
  expect((await stranger("POST", "/scoring-rules", RULE)).status).toBe(201)
})
