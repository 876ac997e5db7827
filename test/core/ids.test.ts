import { describe, expect, test } from "bun:test"
import { createIds } from "../../src/runtime/clock.ts"
import { heldClock } from "../support/clock.ts"

const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const time = (uuid: string) => Number.parseInt(uuid.replaceAll("-", "").slice(0, 12), 16)

describe("ids", () => {
  test("are UUIDs of version 7 that hold the millisecond they were made in", () => {
    const clock = heldClock(1_767_225_600_123)
    const id = createIds(clock).uuid()
    expect(id).toMatch(UUID7)
    expect(time(id)).toBe(1_767_225_600_123)
  })

  test("carry their prefix", () => {
    expect(createIds(heldClock()).prefixed("note_").slice(5)).toMatch(UUID7)
  })

  test("made in one millisecond are in order and all different, 10,000 of them", () => {
    const ids = createIds(heldClock())
    const made = Array.from({ length: 10_000 }, () => ids.uuid())
    expect(made).toEqual(made.toSorted())
    expect(new Set(made).size).toBe(10_000)
    for (const id of made) expect(id).toMatch(UUID7)
    // 4,096 fit into a millisecond; then the next one is borrowed.
    expect(time(made.at(-1)!) - time(made[0]!)).toBe(2)
  })

  test("stay in order when the clock goes on, stands, or goes back", () => {
    const clock = heldClock()
    const ids = createIds(clock)
    const made: string[] = []
    for (const step of [0, 1, 0, -5_000, 1, 3_600_000, -1, 0, 10]) {
      clock.jump(step)
      made.push(ids.uuid(), ids.uuid())
    }
    expect(made).toEqual(made.toSorted())
  })

  test("borrow milliseconds only until the clock has caught up", () => {
    const clock = heldClock()
    const ids = createIds(clock)
    for (let i = 0; i < 5_000; i++) ids.uuid()
    clock.advance(10)
    expect(time(ids.uuid())).toBe(clock.now())
  })

  test("of two makers are different", () => {
    const clock = heldClock()
    const [one, other] = [createIds(clock), createIds(clock)]
    expect(one.uuid()).not.toBe(other.uuid())
  })

  test("are all greater than a floor, with a prefix or without", () => {
    for (const prefix of ["cl_", ""]) {
      const clock = heldClock()
      const [ahead, behind] = [createIds(clock), createIds(clock)]
      clock.jump(60_000)
      for (let i = 0; i < 7; i++) ahead.uuid()
      const floor = ahead.prefixed(prefix)
      clock.jump(-60_000)
      behind.floor(floor)
      expect(behind.prefixed(prefix) > floor).toBe(true)
    }
  })

  test("are not held back by a floor that is behind", () => {
    const clock = heldClock()
    const ids = createIds(clock)
    const old = ids.uuid()
    clock.advance(1_000)
    ids.uuid()
    ids.floor(old)
    expect(time(ids.uuid())).toBe(clock.now())
  })
})
