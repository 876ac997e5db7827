import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { createLanes, type Lane } from "../../src/worker/deliveries/lanes.ts"

const FAST = { ok: true, milliseconds: 5 }
const STUCK = { ok: false, milliseconds: 5_000 }

/** Lanes in which every webhook has as much to send as it may hold. */
function busyLanes(webhooks: number) {
  const lanes = createLanes()
  let ref = 0
  const all = Array.from({ length: webhooks }, (_, i) => lanes.of(i + 1))
  function fill(): void {
    for (const lane of all) {
      for (let room = lanes.room(lane); room > 0; room--)
        lanes.add(lane, { ref: ++ref, lease: "", beginBy: 0 })
    }
  }
  /** Begins all that may begin; gives the lanes in order. */
  function begin(): Lane[] {
    const begun: Lane[] = []
    for (let next = lanes.begin(); next; next = lanes.begin()) begun.push(next.lane)
    return begun
  }
  /** Makes a lane prove itself until it holds as much as it ever may. */
  function prove(lane: Lane): void {
    for (let i = 0; i < 7; i++) {
      fill()
      begin()
      lanes.end(lane, FAST)
    }
  }
  return { lanes, all, fill, begin, prove }
}

describe("lanes", () => {
  test("a webhook that has not proved itself has one attempt in flight, a good one four", () => {
    const { lanes, all, fill, begin } = busyLanes(1)
    fill()
    expect(begin().length).toBe(1)
    for (let i = 0; i < 6; i++) {
      lanes.end(all[0]!, FAST)
      fill()
      begin()
    }
    expect(all[0]).toMatchObject({ inFlight: 4, window: 64 })
    expect(all[0]!.ready.length).toBe(60)
  })

  test("one that is stuck gives back what it holds", () => {
    const { lanes, all, fill, begin, prove } = busyLanes(1)
    const lane = all[0]!
    prove(lane)
    fill()
    begin()
    expect(lane.ready.length + lane.inFlight).toBe(64)
    expect(lanes.end(lane, STUCK).length).toBe(64 - 4)
    expect(lane).toMatchObject({ window: 1, inFlight: 3, ready: [] })
  })

  test("turns go round", () => {
    const { all, fill, begin } = busyLanes(3)
    for (const lane of all) lane.window = 4
    fill()
    expect(begin().map(({ webhook }) => webhook)).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3])
  })

  test("however many do not answer, a good one finds a slot", () => {
    const { lanes, all, fill, begin } = busyLanes(500)
    const good = all[499]!
    good.window = 64
    fill()
    expect(begin()).toContain(good)
    expect(lanes.inFlight()).toBeLessThanOrEqual(128)
    lanes.end(good, FAST)
    fill()
    expect(begin()).toEqual([good])
  })

  test("many good ones that stop answering at once leave slots to the others", () => {
    const { lanes, all, fill, begin } = busyLanes(40)
    for (const lane of all.slice(0, 39)) lane.window = 64
    fill()
    expect(begin()).toContain(all[39]!)
    expect(lanes.inFlight()).toBeLessThan(128)
  })

  test("never more than 4 for a webhook and 128 in all, and the counts come out even", () => {
    const step = fc.record({
      lane: fc.nat(199),
      ok: fc.boolean(),
      milliseconds: fc.constantFrom(1, 300, 5_000),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const { lanes, all, fill, begin } = busyLanes(200)
        const check = () => {
          const inFlight = all.reduce((sum, lane) => sum + lane.inFlight, 0)
          expect(lanes.inFlight()).toBe(inFlight)
          expect(inFlight).toBeLessThanOrEqual(128)
          expect(Math.max(...all.map((lane) => lane.inFlight))).toBeLessThanOrEqual(4)
          expect(Math.min(...all.map((lane) => lane.inFlight))).toBeGreaterThanOrEqual(0)
        }
        for (const { lane, ...attempt } of steps) {
          fill()
          begin()
          if (all[lane]!.inFlight > 0) lanes.end(all[lane]!, attempt)
          check()
        }
        // Nothing is lost count of: when all of them are stuck, as many may begin as at first.
        lanes.clear()
        for (const lane of all) {
          while (lane.inFlight > 0) lanes.end(lane, STUCK)
          if (lane.window === 1) continue
          lanes.add(lane, { ref: 1, lease: "", beginBy: 0 })
          begin()
          lanes.end(lane, STUCK)
        }
        expect(lanes.inFlight()).toBe(0)
        fill()
        expect(begin().length).toBe(96)
      }),
      { numRuns: 30 },
    )
  })
})
