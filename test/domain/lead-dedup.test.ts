import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { similarity, similarityAtMost } from "../../src/domain/leads/write/dedup.ts"
import { fold } from "../../src/text/text.ts"
import * as model from "../support/model/text.ts"

describe("the similarity of two names", () => {
  test("is at most its bound by lengths and characters", () => {
    const name = fc.string({ unit: fc.constantFrom(..."aabcdé株🚀"), maxLength: 12 })
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(similarity(a, b)).toBeLessThanOrEqual(similarityAtMost(a, b))
        expect(similarityAtMost(a, b)).toBe(similarityAtMost(b, a))
      }),
    )
    expect(similarityAtMost("abcde", "abcxy")).toBe(0.6)
  })

  test("is the model's, character by character in any script", () => {
    const name = fc.oneof(fc.string({ maxLength: 12 }), fc.string({ unit: "binary", maxLength: 8 }))
    const near = name.chain((a) =>
      fc.tuple(
        fc.constant(a),
        fc.oneof(
          name,
          name.map((b) => a + b),
          fc.constant(a.slice(1).toWellFormed()),
        ),
      ),
    )
    fc.assert(
      fc.property(near, ([a, b]) => {
        expect(similarity(fold(a.trim()), fold(b.trim()))).toBe(model.similarity(a, b))
      }),
      { numRuns: 300 },
    )
  })
})
