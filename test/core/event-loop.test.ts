import { describe, expect, test } from "bun:test"
import { createEventLoop, onCheckpoint } from "../../src/runtime/event-loop.ts"
import { heldClock } from "../support/clock.ts"

describe("nextMacrotask", () => {
  test("gives each caller a macrotask of its own, in the order of calls", async () => {
    const { nextMacrotask } = createEventLoop(heldClock())
    const order: string[] = []
    const turns = ["a", "b", "c"].map((name) =>
      nextMacrotask()!.then(async () => {
        order.push(name)
        await Promise.resolve()
        order.push(`${name} is done`)
      }),
    )
    setImmediate(() => order.push("another"))
    await Promise.all(turns)

    expect(order.filter((name) => name !== "another")).toEqual([
      "a",
      "a is done",
      "b",
      "b is done",
      "c",
      "c is done",
    ])
    expect(order.indexOf("another")).toBeLessThan(order.indexOf("b"))
  })

  test("lets a caller go on at once where as many as may wait do already", async () => {
    const { nextMacrotask } = createEventLoop(heldClock())
    const waiting = [nextMacrotask(2), nextMacrotask(2)]
    expect(nextMacrotask(2)).toBeUndefined()
    await Promise.all(waiting)
    const next = nextMacrotask(2)
    expect(next).toBeDefined()
    await next
  })

  test("gives turns to others after work was ended in one", async () => {
    const { nextMacrotask } = createEventLoop(heldClock())
    onCheckpoint(() => {
      throw new Error("ended")
    })
    await expect(nextMacrotask(1)).rejects.toThrow("ended")
    onCheckpoint(undefined)
    const next = nextMacrotask(1)
    expect(next).toBeDefined()
    await next
  })
})

test("yieldEvery yields once the thread was held for as long, counted from the last yield", async () => {
  const clock = heldClock()
  const pause = createEventLoop(clock).yieldEvery(4)
  clock.advance(3)
  expect(pause()).toBeUndefined()
  clock.advance(1)
  const order: string[] = []
  setImmediate(() => order.push("another"))
  await pause()
  order.push("the loop")
  expect(order).toEqual(["another", "the loop"])
  expect(pause()).toBeUndefined()
})
