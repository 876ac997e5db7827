import { describe, expect, test } from "bun:test"
import { compileRules, FIELD_KINDS, type ScoredRule, type ScoreInput } from "../../src/expression/index.ts"
import { fieldsOfKind } from "../../src/lead/lead-fields.ts"
import { LEAD, NOW } from "./support.ts"

function rules(...list: [expression: string, weight: number][]): ScoredRule[] {
  return list.map(([expression, weight], i) => ({ id: `r${i}`, name: `Rule ${i}`, expression, weight }))
}

function scoreOf(...list: [expression: string, weight: number][]): number {
  return compileRules(rules(...list)).score(LEAD, NOW)
}

describe("score", () => {
  test("is the sum of value by weight", () => {
    expect(scoreOf(["rating * 4", 1], ["review_count / 10", 2], ["has(tags, 'vip')", -7])).toBe(35)
  })

  test("is 0 without rules", () => expect(scoreOf()).toBe(0))

  test("is clamped to 0..100", () => {
    expect(scoreOf(["1000", 1])).toBe(100)
    expect(scoreOf(["-5", 1])).toBe(0)
    expect(scoreOf(["1000", 1], ["1", -950])).toBe(50)
  })

  test("is not rounded", () => expect(scoreOf(["1 / 3", 1])).toBe(1 / 3))

  test("is never -0", () => expect(scoreOf(["-0", 1], ["0", -1])).toBe(0))

  test("counts a contribution that overflows as 0", () => {
    expect(scoreOf(["1e308", 10], ["5", 1])).toBe(5)
    expect(scoreOf(["1e308", 1], ["1e308", 1])).toBe(100)
    expect(scoreOf(["-1e308", 1], ["-1e308", 1], ["7", 1])).toBe(0)
  })

  test.each<[expression: string, value: number]>([
    ["min(rating * 10, 8)", 0],
    ["rating * 10 > 5 ? 9 : 3", 3],
    ["-rating - 1e308 < -5 ? 9 : 3", 3],
    ["rating + 1e308 == 0 ? 9 : 3", 9],
    ["5 / (rating * 10)", 0],
    ["7 % (rating * rating)", 0],
    ["rating / 0.1 + 4", 4],
    ["rating * 10 * 0 + 4", 4],
    ["(rating * 10 - rating * 10) + 4", 4],
    ["rating * 10 ? 9 : 3", 3],
    ["!(rating * 10) && 1 ? 9 : 3", 9],
    ["0 ? rating * 10 : 6", 6],
    ["(rating > 1 ? rating * 10 : 2) + 4", 4],
    ["rating > 1 && longitude > 1 ? 9 : 3", 9],
    ["rating / 1e308", 1.7],
    ["rating % 10 >= 0 ? 9 : 3", 9],
  ])("takes what overflows in %p as 0 at once", (expression, value) => {
    const set = compileRules(rules([expression, 1], ["2", 1]))
    const lead = { rating: 1.7e308, longitude: 1.7e308 }
    expect(set.explain(lead, NOW).map((rule) => rule.value)).toEqual([value, 2])
    expect(set.score(lead, NOW)).toBe(value + 2)
  })

  test("reads the last of attributes with the same name", () => {
    const set = compileRules(rules(["attr_a", 1]))
    const attributes = [
      { name: "a", value: 1 },
      { name: "a", value: 2 },
    ]
    expect(set.score({ attributes }, NOW)).toBe(2)
  })

  test("takes leads with nothing in them", () => {
    const all = [...FIELD_KINDS.keys(), "attr_x"].map((field): [string, number] => [field, 1])
    expect(compileRules(rules(...all)).score({}, NOW)).toBe(0)
    expect(compileRules(rules(...all)).score({ tags: null, attributes: null }, NOW)).toBe(0)
  })

  test("takes numbers that are not finite as 0", () => {
    const set = compileRules(rules(["rating + 1", 1], ["attr_a + 1", 1]))
    const lead: ScoreInput = { rating: Infinity, attributes: [{ name: "a", value: NaN }] }
    expect(set.score(lead, NOW)).toBe(2)
    const compared = compileRules(rules(["rating > 5 ? 9 : 3", 1], ["longitude ? 1 : 0", 1]))
    for (const number of [Infinity, -Infinity, NaN])
      expect(compared.score({ rating: number, longitude: number }, NOW)).toBe(3)
  })
})

describe("explain", () => {
  test("gives what each rule brought, in order", () => {
    const set = compileRules(rules(["rating", 2], ["city == 'Bonn'", -3], ["1e308", 10]))
    expect(set.explain(LEAD, NOW)).toEqual([
      { id: "r0", name: "Rule 0", value: 4.5, weight: 2, contribution: 9 },
      { id: "r1", name: "Rule 1", value: 0, weight: -3, contribution: 0 },
      { id: "r2", name: "Rule 2", value: 1e308, weight: 10, contribution: 0 },
    ])
    expect(Object.is(set.explain(LEAD, NOW)[1]!.contribution, 0)).toBe(true)
  })

  test("is empty without rules", () => expect(compileRules([]).explain(LEAD, NOW)).toEqual([]))
})

describe("compileRules", () => {
  test("tells which fields and attributes are read", () => {
    const set = compileRules(
      rules(["rating + attr_a", 1], ["0 ? len(name) : rating", 1], ["has(tags, attr_b)", 1]),
    )
    expect([...set.fields].sort()).toEqual(["name", "rating", "tags"])
    expect([...set.attributes].sort()).toEqual(["a", "b"])
  })

  test("throws for rules that could not have been saved", () => {
    expect(() => compileRules(rules(["1", 1], ["ratng", 1]))).toThrow(
      'Scoring rule r1 does not compile: unknown field "ratng" at 1; did you mean rating?',
    )
    expect(() => compileRules(rules(["1", Infinity]))).toThrow("Scoring rule r0 has the weight Infinity")
  })
})

test("FIELD_KINDS holds every standard field but id and score", () => {
  const of = (kind: string) => [...FIELD_KINDS].filter(([, k]) => k === kind).map(([name]) => name)
  expect(of("text")).toEqual([...fieldsOfKind("text", "status")])
  expect(of("number")).toEqual([...fieldsOfKind("number", "integer")])
  expect(of("time")).toEqual([...fieldsOfKind("time", "moment")])
  expect(of("list")).toEqual(["tags"])
})
