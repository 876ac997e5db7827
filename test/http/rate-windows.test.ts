import { expect, test } from "bun:test"
import fc from "fast-check"
import { createSlidingWindows } from "../../src/surfaces/http/limits.ts"
import { heldClock } from "../support/clock.ts"

const DAY = 86_400_000
const WINDOW = 600_000

/** Deliveries have their own in test/worker/deliveries-clock.test.ts; the torture row sets the clock of a real process. */
const Moments = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ ask: fc.integer({ min: 1, max: 9 }) }) },
    { weight: 4, arbitrary: fc.record({ pass: fc.integer({ min: 0, max: WINDOW / 3 }) }) },
    { weight: 2, arbitrary: fc.record({ jump: fc.constantFrom(-2 * DAY, -DAY, -1, 1, DAY, 2 * DAY) }) },
  ),
  { maxLength: 60 },
)

test("wherever the clock jumps, the limit is never exceeded in any true 10 minutes, and never held longer", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), Moments, (limit, moments) => {
      const clock = heldClock()
      const windows = createSlidingWindows<string>(clock, WINDOW)
      const allowed: number[] = []
      for (const moment of moments) {
        if ("pass" in moment) clock.advance(moment.pass)
        else if ("jump" in moment) clock.jump(moment.jump)
        for (let i = 0; i < ("ask" in moment ? moment.ask : 0); i++) {
          const now = clock.monotonic()
          const used = allowed.filter((at) => at > now - WINDOW).length
          const taken = windows.take("account", limit)
          expect(taken.allowed).toBe(used < limit)
          if (taken.allowed) allowed.push(now)
          else expect(Number(taken.headers["Retry-After"])).toBeWithin(1, WINDOW / 1_000 + 1)
        }
      }
    }),
    { numRuns: 500 },
  )
})
