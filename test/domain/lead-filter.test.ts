import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { Condition } from "../../src/filters/lead-query.ts"
import { AppError } from "../../src/runtime/errors.ts"
import { isStorable } from "../../src/text/text.ts"
import { parseFilters } from "../support/filters.ts"

const one = (filter: string): Condition => {
  const { all, any } = parseFilters([filter])
  expect(all.length + any.length).toBe(1)
  return (all[0] ?? any[0])!
}

describe("parseFilters", () => {
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
