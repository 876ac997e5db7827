import { expect, test } from "bun:test"
import { ownTurn } from "../../src/core/own-turn.ts"

test("each has a turn of the event loop alone, in the order of asking", async () => {
  const order: string[] = []
  const turns = ["a", "b", "c"].map((name) =>
    ownTurn()!.then(async () => {
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

test("who would be one more than may wait goes on at once", async () => {
  const waiting = [ownTurn(2), ownTurn(2)]
  expect(ownTurn(2)).toBeUndefined()
  await Promise.all(waiting)
  const next = ownTurn(2)
  expect(next).toBeDefined()
  await next
})
