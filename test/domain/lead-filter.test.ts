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

const [YES, NO] = [false, true]
const text = (not: boolean, field: string, operator: string, ...values: string[]) => ({
  ...{ on: "text", not, field, operator, values },
})
const number = (not: boolean, field: string, operator: string, ...values: number[]) => ({
  ...{ on: "number", not, field, operator, values },
})
const tags = (not: boolean, operator: string, ...values: string[]) => ({ on: "tags", not, operator, values })
const attribute = (not: boolean, name: string, tests: object) => ({ on: "attribute", not, name, ...tests })
/** What an attribute's texts, numbers or items are tested for. */
const is = (operator: string, ...values: unknown[]) => ({ operator, values })
const LEAP_DAY = [1709164800, Date.UTC(2024, 2, 1) / 1000 - 1]

const cases: [filter: string, tree: object][] = [
  ["and.eq.city.St. Gallen", text(YES, "city", "eq", "st. gallen")],
  ["and.neq.city.X", text(NO, "city", "eq", "x")],
  ["and.contains.name.ΟΔΟΣ", text(YES, "name", "contains", "οδοσ")],
  ["and.not_contains.name.É", text(NO, "name", "contains", "\u00e9")],
  ["and.starts_with.name. x ", text(YES, "name", "starts_with", " x ")],
  ["and.ends_with.website..DE", text(YES, "website", "ends_with", ".de")],
  ["and.in.city.A, b ,,C", text(YES, "city", "in", "a", "b", "c")],
  ["and.not_in.city.a", text(NO, "city", "in", "a")],
  ["and.is_empty.city", text(YES, "city", "is_empty", "")],
  ["and.not_empty.city", text(NO, "city", "is_empty", "")],
  ["and.eq.rating.-1.50", number(YES, "rating", "eq", -1.5)],
  ["and.between.score.1,2e1", number(YES, "score", "between", 1, 20)],
  ["and.not_in.rating.1,1", number(NO, "rating", "in", 1, 1)],
  ["and.is_not_empty.rating", number(NO, "rating", "is_empty")],
  ["and.gt.created_at.1767225600", number(YES, "created_at", "gt", 1767225600)],
  ["and.gt.created_at.2026-01-01", number(YES, "created_at", "gt", 1767311999)],
  ["and.lt.updated_at.2026-01-01T01:00+01:00", number(YES, "updated_at", "lt", 1767225600)],
  ["and.eq.updated_at.1969-12-31T23:59:59.5Z", number(YES, "updated_at", "eq", -1)],
  ["and.eq.updated_at.2024-02-29", number(YES, "updated_at", "between", ...LEAP_DAY)],
  ["and.array_contains.tags. A,b ", tags(YES, "any", "a,b")],
  ["and.contains.tags.A", tags(YES, "any", "a")],
  ["and.array_not_contains.tags.A", tags(NO, "any", "a")],
  ["and.array_contains_any.tags.a,B,A", tags(YES, "any", "a", "b")],
  ["and.array_contains_all.tags.a,B", tags(YES, "all", "a", "b")],
  ["and.array_not_empty.tags", tags(NO, "is_empty")],
  [
    "and.within_radius.location.1,-2.5,0",
    { on: "location", not: false, operator: "within", latitude: 1, longitude: -2.5, kilometres: 0 },
  ],
  ["and.is_not_set.location", { on: "location", not: true, operator: "is_set" }],
  ["and.eq.attr:x.5", attribute(YES, "x", { texts: is("eq", "5"), numbers: is("eq", 5) })],
  ["and.neq.attr:x.TRUE", attribute(NO, "x", { texts: is("eq", "true"), bool: true })],
  ["and.in.attr:x.5,Big", attribute(YES, "x", { texts: is("in", "5", "big"), numbers: is("in", 5) })],
  ["and.gte.attr:x.5", attribute(YES, "x", { numbers: is("gte", 5) })],
  ["and.contains.attr:x.A", attribute(YES, "x", { texts: is("contains", "a"), items: is("any", "a") })],
  ["and.ends_with.attr:x.A", attribute(YES, "x", { texts: is("ends_with", "a"), items: undefined })],
  ["and.array_contains_all.attr:x.a,b", attribute(YES, "x", { items: is("all", "a", "b") })],
  ["and.is_empty.attr:x", attribute(YES, "x", { empty: true })],
  ["and.array_not_empty.attr:x", attribute(NO, "x", { empty: true })],
  ['and.eq.attr:"a.""b"".c".d.e', attribute(YES, 'a."b".c', { texts: is("eq", "d.e") })],
  ["and.eq.attr:Größe.x", attribute(YES, "Größe", { texts: is("eq", "x") })],
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
    const bad = ["and.eq.city.a\0b", "and.contains.city.\ud83d", "or.eq.attr:\0.x", "and.in.city.a,\udc00"]
    for (const one of bad) expect(() => parseFilters([one])).toThrow(/well-formed Unicode without NUL/)
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
      ...'and or eq in between city rating tags location attr: " . , 1'.split(" "),
      ...["", " "],
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
