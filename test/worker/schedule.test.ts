import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import {
  MAX_ATTEMPTS,
  nextAttempt,
  parseRetryAfter,
  shouldDisable,
} from "../../src/worker/deliveries/schedule.ts"

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR
const now = Date.UTC(2026, 10, 21, 12)
const middle = () => 0.5

describe("nextAttempt", () => {
  test.each([
    [1, 5 * SECOND],
    [2, 300 * SECOND],
    [3, 1800 * SECOND],
    [4, 2 * HOUR],
    [5, 5 * HOUR],
    [6, 10 * HOUR],
    [7, 14 * HOUR],
    [8, 20 * HOUR],
    [9, 24 * HOUR],
  ])("after failed attempt %d waits %d ms, 20 %% either way", (attempt, wait) => {
    expect(nextAttempt({ attempt, now, random: () => 0 })).toBe(now + wait * 0.8)
    expect(nextAttempt({ attempt, now, random: middle })).toBe(now + wait)
    expect(nextAttempt({ attempt, now, random: () => 1 - 2 ** -53 })).toBe(now + wait * 1.2)
  })

  test("ends with the tenth attempt", () => {
    expect(MAX_ATTEMPTS).toBe(10)
    expect(nextAttempt({ attempt: 10, now, random: middle })).toBeUndefined()
    expect(nextAttempt({ attempt: 10, now, retryAfter: HOUR, random: middle })).toBeUndefined()
  })

  test.each([
    ["no wish", undefined, 5],
    ["a shorter one", 1, 5],
    ["none at all", 0, 5],
    ["a longer one", 8, 8],
    ["twice as long", 10, 10],
    ["far longer", 86_400, 10],
    ["endless", Number.POSITIVE_INFINITY, 10],
  ])("Retry-After: %s", (_, seconds, expected) => {
    const retryAfter = seconds === undefined ? undefined : seconds * SECOND
    expect(nextAttempt({ attempt: 1, now, retryAfter, random: middle })).toBe(now + expected * SECOND)
  })

  test("Retry-After never shortens a wait and at most doubles it", () => {
    const wish = fc.oneof(fc.nat(), fc.constant(undefined), fc.double({ min: 0, noNaN: true }))
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), wish, random, (attempt, retryAfter, drawn) => {
        const plain = nextAttempt({ attempt, now, random: () => drawn })! - now
        const asked = nextAttempt({ attempt, now, retryAfter, random: () => drawn })! - now
        expect(asked).toBeGreaterThanOrEqual(plain)
        expect(asked).toBeLessThanOrEqual(2 * plain + 1)
        expect(Number.isInteger(asked)).toBe(true)
      }),
    )
  })
})

describe("parseRetryAfter", () => {
  test.each([
    ["120", 120 * SECOND],
    [" 0 ", 0],
    ["Sat, 21 Nov 2026 12:01:00 GMT", 60 * SECOND],
    ["Saturday, 21-Nov-26 12:01:00 GMT", 60 * SECOND],
    ["Sat Nov 21 12:01:00 2026", 60 * SECOND],
    ["Wed Dec  2 12:00:00 2026", 11 * DAY],
    ["Sat, 21 Nov 2026 11:59:00 GMT", 0],
    ["Sunday, 06-Nov-94 08:49:37 GMT", 0],
    [null, undefined],
    ["", undefined],
    ["-5", undefined],
    ["1.5", undefined],
    ["1e3", undefined],
    ["soon", undefined],
    ["2026-11-21T12:01:00Z", undefined],
    ["Sat, 21 Nvb 2026 12:01:00 GMT", undefined],
    ["Sat, 21 Nov 2026 12:xx:00 GMT", undefined],
    ["Sat, 21 Nov 2026 ::::0:00 GMT", undefined],
    ["Sat, 21 Nov 2026 12:01:00 CET", undefined],
  ])("%j: %p ms", (header, expected) => {
    expect(parseRetryAfter(header, now)).toBe(expected)
  })

  test("takes any number of digits", () => {
    expect(parseRetryAfter("9".repeat(400), now)).toBe(Number.POSITIVE_INFINITY)
  })
})

describe("shouldDisable", () => {
  const gone = "the endpoint answered 410 Gone"
  const failing = "every delivery failed for 5 days"

  test.each([
    ["410 at once", 410, null, gone],
    ["410 after long failure", 410, now - 9 * DAY, gone],
    ["the first failure", 500, null, undefined],
    ["failing since now", null, now, undefined],
    ["just under 5 days", 500, now - 5 * DAY + 1, undefined],
    ["5 days", 500, now - 5 * DAY, failing],
    ["5 days without an answer", null, now - 5 * DAY, failing],
  ])("%s", (_, status, failingSince, expected) => {
    expect(shouldDisable({ status, failingSince, now })).toBe(expected)
  })
})
