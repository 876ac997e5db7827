import { expect, test } from "bun:test"
import { compileRules } from "../../src/expression/index.ts"
import { valueFor } from "./support.ts"

const items = (n: number, item: (i: number) => string, between: string) =>
  Array.from({ length: n }, (_, i) => item(i)).join(between)

test.each<[string, string, number]>([
  ["sums", items(2_000, () => "1", "+"), 2_000],
  ["differences", items(2_000, () => "1", "-"), -1_998],
  ["quotients", items(2_000, () => "1", "/"), 1],
  ["comparisons", items(2_000, () => "1", ">"), 0],
  ["equalities", items(1_333, () => "1", "=="), 1],
  ["conjunctions", items(1_333, () => "1", "&&"), 1],
  ["disjunctions", items(1_333, () => "0", "||"), 0],
  ["choices", `${"0?1:".repeat(999)}7`, 7],
  ["arguments", `max(${items(1_990, (i) => String(i % 7), ",")})`, 6],
  ["attributes", items(400, (i) => `attr_${i}`, "+"), 0],
  ["texts", `${items(300, (i) => `city=="${i}"`, "||")}||city=="Berlin"`, 1],
])("compiles long rows of %s", (_, text, value) => {
  expect(text.length).toBeLessThanOrEqual(4_000)
  expect(valueFor(text)).toBe(value)
})

test("compiles many long rules", () => {
  const expression = `0 * ${items(360, () => "rating", " + ")}`.slice(0, 3_990)
  const rules = Array.from({ length: 20 }, (_, i) => ({ id: `${i}`, name: "", expression, weight: 0.001 }))
  expect(compileRules(rules).score({ rating: 1 }, 0)).toBeCloseTo(20 * 359 * 0.001)
})
