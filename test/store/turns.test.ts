import { expect, test } from "bun:test"
import { createWriteTurns } from "../../src/store/sqlite/queue/write-queue.ts"

interface Job {
  lane: number
  name: string
}

function turnsAt() {
  const clock = { now: 0 }
  const turns = createWriteTurns<Job>(() => clock.now)
  const add = (lane: number, ...names: string[]) => {
    for (const name of names) turns.add({ lane, name })
  }
  const next = (most = 256) => turns.next(most).map(({ name }) => name)
  return { clock, turns, add, next }
}

test("works of one account are written together, in their order", () => {
  const { add, next, turns } = turnsAt()
  add(1, "a", "b", "c")
  expect(turns.size).toBe(3)
  expect([next(2), next(), next()]).toEqual([["a", "b"], ["c"], []])
})

test("works of several accounts are written one of each in turn", () => {
  const { add, next } = turnsAt()
  add(1, "a1", "a2", "a3")
  add(2, "b1")
  add(3, "c1", "c2")
  expect(next(4)).toEqual(["a1", "b1", "c1", "a2"])
  expect(next()).toEqual(["c2", "a3"])
})

test("an account of long works waits for those of short ones, and then has a group of its own", () => {
  const { add, next, turns } = turnsAt()
  turns.took({ lane: 1, name: "before" }, 200)
  add(1, "long 1", "long 2")
  add(2, "short 1")
  expect(next(1)).toEqual(["short 1"])
  add(2, "short 2")
  add(3, "short 3")
  expect(next(1)).toEqual(["long 1"])
  expect(next()).toEqual(["short 2", "short 3"])
  add(2, "short 4")
  expect(next()).toEqual(["long 2"])
  expect(next()).toEqual(["short 4"])
})

test("an account counts as one of short works again some time after its last long one", () => {
  const { add, clock, next, turns } = turnsAt()
  turns.took({ lane: 1, name: "before" }, 200)
  clock.now = 10_000
  add(1, "a")
  add(2, "b")
  expect(next()).toEqual(["a", "b"])
})

test("a group ends early while another account waits, and what it had no time for comes next in its order", () => {
  const { add, next, turns } = turnsAt()
  add(1, "a1", "a2", "a3")
  const [first, ...others] = turns.next(256)
  expect(turns.took(first!, 500)).toBe(false)
  add(2, "b1")
  expect(turns.took(others[0]!, 500)).toBe(true)
  turns.putBack(others.slice(1))
  add(1, "a4")
  expect(turns.size).toBe(3)
  expect([next(), next()]).toEqual([["b1"], ["a3", "a4"]])
})
