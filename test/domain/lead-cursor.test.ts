import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { decodeCursor, encodeCursor } from "../../src/domain/leads/list/cursor.ts"
import type { Position } from "../../src/store/contract/store.ts"

const SECRET = new Uint8Array(32).fill(7)
const SCOPE = {
  account: 1,
  sort: '{"key":{"on":"id"},"descending":false}',
  filters: ["and.eq.city.x", "or.eq.city.y"],
}
const POSITION: Position = JSON.stringify([1, "größe 🚀", 42])

describe("a cursor", () => {
  test("brings any position back", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (position) => {
        const cursor = encodeCursor(SECRET, SCOPE, position)
        expect(cursor).toMatch(/^[\w-]+$/)
        expect(decodeCursor(SECRET, SCOPE, cursor)).toBe(position)
      }),
    )
  })

  test("is the same for the same place, whatever the order of the filters", () => {
    const cursor = encodeCursor(SECRET, SCOPE, POSITION)
    expect(encodeCursor(SECRET, { ...SCOPE, filters: SCOPE.filters.toReversed() }, POSITION)).toBe(cursor)
  })

  test.each([
    ["a filter twice", [...SCOPE.filters, "and.eq.city.x"]],
    ["filters run together", [SCOPE.filters.join('","')]],
  ])("is not good for %s", (_, filters) => {
    const cursor = encodeCursor(SECRET, { ...SCOPE, filters }, POSITION)
    expect(() => decodeCursor(SECRET, SCOPE, cursor)).toThrow(/does not belong to this list/)
  })

  test("of another file is not good", () => {
    const cursor = encodeCursor(new Uint8Array(32).fill(8), SCOPE, POSITION)
    expect(() => decodeCursor(SECRET, SCOPE, cursor)).toThrow(/does not belong/)
  })
})
