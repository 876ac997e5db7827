import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { decodeCursor, encodeCursor } from "../../src/domain/leads/cursor.ts"
import type { Position } from "../../src/store/store.ts"

const SECRET = new Uint8Array(32).fill(7)
const SCOPE = {
  account: 1,
  sort: '{"key":{"on":"id"},"descending":false}',
  filters: ["and.eq.city.x", "or.eq.city.y"],
}
const POSITION: Position = [1, "größe 🚀", 42]

describe("a cursor", () => {
  test("brings any position back", () => {
    const value = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constant(null),
    )
    fc.assert(
      fc.property(fc.nat(), value, fc.maxSafeNat(), (segment, value, ref) => {
        const cursor = encodeCursor(SECRET, SCOPE, [segment, value, ref])
        expect(cursor).toMatch(/^[\w-]+$/)
        // JSON has no negative zero.
        expect(decodeCursor(SECRET, SCOPE, cursor)).toEqual([segment, Object.is(value, -0) ? 0 : value, ref])
      }),
    )
  })

  test("is the same for the same place, whatever the order of the filters", () => {
    const cursor = encodeCursor(SECRET, SCOPE, POSITION)
    expect(encodeCursor(SECRET, { ...SCOPE, filters: SCOPE.filters.toReversed() }, POSITION)).toBe(cursor)
  })

  const others = {
    "another account": { ...SCOPE, account: 2 },
    "another sort": { ...SCOPE, sort: '{"key":{"on":"id"},"descending":true}' },
    "another filter": { ...SCOPE, filters: ["and.eq.city.x", "or.eq.city.z"] },
    "a filter less": { ...SCOPE, filters: ["and.eq.city.x"] },
    "a filter twice": { ...SCOPE, filters: [...SCOPE.filters, "and.eq.city.x"] },
    "filters run together": { ...SCOPE, filters: [SCOPE.filters.join('","')] },
  }
  test.each(Object.entries(others))("is not good for %s", (_, scope) => {
    const cursor = encodeCursor(SECRET, SCOPE, POSITION)
    expect(() => decodeCursor(SECRET, scope, cursor)).toThrow(/does not belong to this list/)
    expect(() => decodeCursor(SECRET, SCOPE, encodeCursor(SECRET, scope, POSITION))).toThrow()
  })

  test("of another file is not good", () => {
    const cursor = encodeCursor(new Uint8Array(32).fill(8), SCOPE, POSITION)
    expect(() => decodeCursor(SECRET, SCOPE, cursor)).toThrow(/does not belong/)
  })

  test("that was made up is refused as bad_request, never another way", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.base64String()), (junk) => {
        expect(() => decodeCursor(SECRET, SCOPE, junk)).toThrow(
          expect.objectContaining({ kind: "bad_request" }),
        )
      }),
    )
  })
})
