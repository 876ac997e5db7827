import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { FILTERS_MAX } from "../../src/domain/leads/list/filter.ts"
import type { Condition } from "../../src/filters/lead-query.ts"
import { AppError } from "../../src/runtime/errors.ts"
import { isStorable } from "../../src/text/text.ts"
import { parseFilters } from "../support/filters.ts"

const one = (filter: string): Condition => {
  const { all, any } = parseFilters([filter])
  expect(all.length + any.length).toBe(1)
  return (all[0] ?? any[0])!
}

const cases: [filter: string, tree: object][] = [
  [
    "and.eq.city.St. Gallen",
    { on: "text", not: false, field: "city", operator: "eq", values: ["st. gallen"] },
  ],
  ["and.neq.city.X", { on: "text", not: true, field: "city", operator: "eq", values: ["x"] }],
  [
    "and.contains.name.ΟΔΟΣ",
    { on: "text", not: false, field: "name", operator: "contains", values: ["οδοσ"] },
  ],
  [
    "and.not_contains.name.É",
    { on: "text", not: true, field: "name", operator: "contains", values: ["\u00e9"] },
  ],
  [
    "and.starts_with.name. x ",
    { on: "text", not: false, field: "name", operator: "starts_with", values: [" x "] },
  ],
  [
    "and.ends_with.website..DE",
    { on: "text", not: false, field: "website", operator: "ends_with", values: [".de"] },
  ],
  [
    "and.in.city.A, b ,,C",
    { on: "text", not: false, field: "city", operator: "in", values: ["a", "b", "c"] },
  ],
  ["and.not_in.city.a", { on: "text", not: true, field: "city", operator: "in", values: ["a"] }],
  ["and.is_empty.city", { on: "text", not: false, field: "city", operator: "is_empty", values: [""] }],
  ["and.not_empty.city", { on: "text", not: true, field: "city", operator: "is_empty", values: [""] }],
  ["and.eq.rating.-1.50", { on: "number", not: false, field: "rating", operator: "eq", values: [-1.5] }],
  [
    "and.between.score.1,2e1",
    { on: "number", not: false, field: "score", operator: "between", values: [1, 20] },
  ],
  ["and.not_in.rating.1,1", { on: "number", not: true, field: "rating", operator: "in", values: [1, 1] }],
  ["and.is_not_empty.rating", { on: "number", not: true, field: "rating", operator: "is_empty", values: [] }],
  [
    "and.gt.created_at.1767225600",
    { on: "number", not: false, field: "created_at", operator: "gt", values: [1767225600] },
  ],
  [
    "and.gt.created_at.2026-01-01",
    { on: "number", not: false, field: "created_at", operator: "gt", values: [1767311999] },
  ],
  [
    "and.lt.updated_at.2026-01-01T01:00+01:00",
    { on: "number", not: false, field: "updated_at", operator: "lt", values: [1767225600] },
  ],
  [
    "and.eq.updated_at.1969-12-31T23:59:59.5Z",
    { on: "number", not: false, field: "updated_at", operator: "eq", values: [-1] },
  ],
  [
    "and.eq.updated_at.2024-02-29",
    {
      on: "number",
      not: false,
      field: "updated_at",
      operator: "between",
      values: [1709164800, Date.UTC(2024, 2, 1) / 1000 - 1],
    },
  ],
  ["and.array_contains.tags. A,b ", { on: "tags", not: false, operator: "any", values: ["a,b"] }],
  ["and.contains.tags.A", { on: "tags", not: false, operator: "any", values: ["a"] }],
  ["and.array_not_contains.tags.A", { on: "tags", not: true, operator: "any", values: ["a"] }],
  ["and.array_contains_any.tags.a,B,A", { on: "tags", not: false, operator: "any", values: ["a", "b"] }],
  ["and.array_contains_all.tags.a,B", { on: "tags", not: false, operator: "all", values: ["a", "b"] }],
  ["and.array_not_empty.tags", { on: "tags", not: true, operator: "is_empty", values: [] }],
  [
    "and.within_radius.location.1,-2.5,0",
    { on: "location", not: false, operator: "within", latitude: 1, longitude: -2.5, kilometres: 0 },
  ],
  ["and.is_not_set.location", { on: "location", not: true, operator: "is_set" }],
  [
    "and.eq.attr:x.5",
    {
      on: "attribute",
      not: false,
      name: "x",
      texts: { operator: "eq", values: ["5"] },
      numbers: { operator: "eq", values: [5] },
    },
  ],
  [
    "and.neq.attr:x.TRUE",
    { on: "attribute", not: true, name: "x", texts: { operator: "eq", values: ["true"] }, bool: true },
  ],
  [
    "and.in.attr:x.5,Big",
    {
      on: "attribute",
      not: false,
      name: "x",
      texts: { operator: "in", values: ["5", "big"] },
      numbers: { operator: "in", values: [5] },
    },
  ],
  ["and.gte.attr:x.5", { on: "attribute", not: false, name: "x", numbers: { operator: "gte", values: [5] } }],
  [
    "and.contains.attr:x.A",
    {
      on: "attribute",
      not: false,
      name: "x",
      texts: { operator: "contains", values: ["a"] },
      items: { operator: "any", values: ["a"] },
    },
  ],
  [
    "and.ends_with.attr:x.A",
    {
      on: "attribute",
      not: false,
      name: "x",
      texts: { operator: "ends_with", values: ["a"] },
      items: undefined,
    },
  ],
  [
    "and.array_contains_all.attr:x.a,b",
    { on: "attribute", not: false, name: "x", items: { operator: "all", values: ["a", "b"] } },
  ],
  ["and.is_empty.attr:x", { on: "attribute", not: false, name: "x", empty: true }],
  ["and.array_not_empty.attr:x", { on: "attribute", not: true, name: "x", empty: true }],
  [
    'and.eq.attr:"a.""b"".c".d.e',
    { on: "attribute", not: false, name: 'a."b".c', texts: { operator: "eq", values: ["d.e"] } },
  ],
  [
    "and.eq.attr:Größe.x",
    { on: "attribute", not: false, name: "Größe", texts: { operator: "eq", values: ["x"] } },
  ],
]

describe("parseFilters", () => {
  test.each(cases)("%s", (filter, tree) => {
    expect(one(filter)).toEqual(tree as Condition)
    const { all, any } = parseFilters([filter.replace("and.", "or.")])
    expect(all).toEqual([])
    expect(any).toEqual([tree as Condition])
  })

  test("keeps the order of the filters, `and` and `or` apart", () => {
    const { all, any } = parseFilters(["or.eq.city.a", "and.eq.city.b", "or.eq.city.c", "and.eq.city.d"])
    expect(all).toMatchObject([{ values: ["b"] }, { values: ["d"] }])
    expect(any).toMatchObject([{ values: ["a"] }, { values: ["c"] }])
    expect(parseFilters([])).toEqual({ all: [], any: [] })
  })

  test("takes at most 50", () => {
    const filters = Array(FILTERS_MAX).fill("and.eq.city.x")
    expect(parseFilters(filters).all).toHaveLength(50)
    expect(() => parseFilters([...filters, "and.eq.city.x"])).toThrow(/at most 50 filters are taken, got 51/)
  })

  test("refuses what no stored text can hold", () => {
    for (const bad of [
      "and.eq.city.a\0b",
      "and.contains.city.\ud83d",
      "or.eq.attr:\0.x",
      "and.in.city.a,\udc00",
    ])
      expect(() => parseFilters([bad])).toThrow(/well-formed Unicode without NUL/)
  })

  test("gives any attribute name in quotes back as it was", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", minLength: 1 }).filter(isStorable),
        fc.string(),
        (name, value) => {
          const condition = one(`and.not_contains.attr:"${name.replaceAll('"', '""')}".x${value}`)
          expect(condition).toMatchObject({ on: "attribute", name })
        },
      ),
    )
  })

  test("either reads a text or throws bad_request that quotes it, whatever it is", () => {
    const piece = fc.constantFrom(
      "and",
      "or",
      "eq",
      "in",
      "between",
      "city",
      "rating",
      "tags",
      "location",
      "attr:",
      '"',
      ".",
      ",",
      "1",
      "",
      " ",
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece).map((pieces) => pieces.join(".")),
          fc.string({ unit: "binary" }),
        ),
        (filter) => {
          try {
            parseFilters([filter])
          } catch (error) {
            expect(error).toBeInstanceOf(AppError)
            expect(error).toMatchObject({ kind: "bad_request", message: expect.stringMatching(/^filter "/) })
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})
