import { describe, expect, test } from "bun:test"
import { createTurns, type Turn, type TurnLimits } from "../../src/worker/questions/asking.ts"

interface Named extends Turn<number> {
  name: string
}

/** Turns at some places, which are numbers. `under` are those that have begun and not ended. */
function turnsAt(count: number, limits: Partial<TurnLimits> = {}) {
  const free = new Set(Array.from({ length: count }, (_, place) => place))
  const under = new Map<string, Named>()
  const turns = createTurns<number>(
    { ofAccount: count, waiting: 10, ...limits },
    {
      free(needed) {
        const place = needed === undefined ? [...free][0] : free.has(needed) ? needed : undefined
        if (place !== undefined) free.delete(place)
        return place
      },
      release: (place) => void free.add(place),
    },
  )
  function take(account: number, name: string, needs?: number): boolean {
    const turn: Named = { account, name, needs, begin: () => void under.set(name, turn) }
    return turns.take(turn, needs !== undefined)
  }
  function end(name: string): void {
    const turn = under.get(name)!
    under.delete(name)
    turns.end(turn)
  }
  return { turns, take, end, names: () => [...under.keys()] }
}

describe("turns", () => {
  test("of accounts alternate, however many turns one of them has waiting", () => {
    const { take, end, names } = turnsAt(1)
    for (const name of ["a1", "a2", "a3"]) take(1, name)
    take(2, "b1")
    take(3, "c1")
    take(2, "b2")
    const order = ["a1", "a2", "b1", "c1", "a3", "b2"]
    for (const name of order) {
      expect(names()).toEqual([name])
      end(name)
    }
    expect(names()).toEqual([])
  })

  test("of one account leave places to others", () => {
    const { take, end, names } = turnsAt(3, { ofAccount: 2 })
    for (const name of ["a1", "a2", "a3"]) take(1, name)
    expect(names()).toEqual(["a1", "a2"])
    take(2, "b1")
    expect(names()).toEqual(["a1", "a2", "b1"])
    end("b1")
    expect(names()).toEqual(["a1", "a2"])
    end("a1")
    expect(names()).toEqual(["a2", "a3"])
  })

  test("are refused beyond those of an account that may wait, and taken again when some have ended", () => {
    const { take, end } = turnsAt(1, { waiting: 2 })
    expect(["a1", "a2", "a3", "a4"].map((name) => take(1, name))).toEqual([true, true, true, false])
    expect(take(2, "b1")).toBe(true)
    end("a1")
    expect(take(1, "a5")).toBe(true)
  })

  test("that need a place wait for it, and hold up nobody who can have another", () => {
    const { take, end, names } = turnsAt(2)
    take(1, "a1")
    take(2, "b1", 0)
    take(2, "b2")
    expect(names()).toEqual(["a1", "b2"])
    end("b2")
    expect(names()).toEqual(["a1"])
    end("a1")
    expect(names()).toEqual(["b1"])
  })

  test("that are continued are taken beyond those that may wait", () => {
    const { take } = turnsAt(1, { waiting: 0 })
    expect(take(1, "a0")).toBe(true)
    expect(take(1, "a1")).toBe(false)
    expect(take(1, "a2", 0)).toBe(true)
  })

  test("that were dropped never begin", () => {
    const { turns, take, end, names } = turnsAt(1)
    take(1, "a1")
    const dropped: Turn<number> = { account: 1, begin: () => expect.unreachable() }
    turns.take(dropped)
    take(1, "a2")
    expect(turns.waiting(1)).toBe(2)
    expect(turns.drop(dropped)).toBe(true)
    expect(turns.drop(dropped)).toBe(false)
    end("a1")
    expect(names()).toEqual(["a2"])
  })
})
