import { expect, test } from "bun:test"
import { AppError } from "../../src/runtime/errors.ts"
import { readBody } from "../../src/surfaces/http/request.ts"

const tooLarge = () => new AppError("too_large", "too large")
const sent = (bytes: number) => new Request("http://localhost/", { method: "POST", body: "x".repeat(bytes) })

test("bodies that take long to be read come one in a turn of the event loop, small ones beside them", async () => {
  let turn = 0
  const order: [bytes: number, turn: number][] = []
  const count = () => {
    turn++
    if (order.length < 7) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all(
    [200_000, 200_000, 10, 200_000, 10, 200_000, 10].map(async (bytes) => {
      await readBody(sent(bytes), 1_000_000, tooLarge)
      order.push([bytes, turn])
    }),
  )
  const large = order.filter(([bytes]) => bytes > 10).map(([, at]) => at)
  expect(new Set(large).size).toBe(large.length)
  const small = order.filter(([bytes]) => bytes === 10).map(([, at]) => at)
  expect(Math.max(...small)).toBeLessThan(Math.max(...large))
})

test("a body over the limit is refused, whether or not its length is told", async () => {
  await expect(readBody(sent(11), 10, tooLarge)).rejects.toThrow("too large")
  const chunks = ["123456", "123456"]
  const untold = new Request("http://localhost/", { method: "POST", body: new Blob(chunks).stream() })
  await expect(readBody(untold, 10, tooLarge)).rejects.toThrow("too large")
})
