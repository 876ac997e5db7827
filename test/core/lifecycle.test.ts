import { expect, test } from "bun:test"
import { createLifecycle } from "../../src/runtime/lifecycle.ts"

test("parts are opened in order and closed in reverse, one after the other, each once", async () => {
  const { open, close } = createLifecycle()
  const done: string[] = []
  for (const name of ["store", "worker"]) {
    await open({
      open: () => name,
      async close(part) {
        await Promise.resolve()
        done.push(part)
      },
    })
  }
  await open({ open: () => 1 })
  await close()
  expect(done).toEqual(["worker", "store"])
  await close()
  expect(done).toHaveLength(2)
})

test("a part that does not open is not closed, those before it are", async () => {
  const { open, close } = createLifecycle()
  const done: string[] = []
  const fails = () => Promise.reject(new Error("taken"))
  await open({ open: () => "store", close: (part) => done.push(part) })
  await expect(open({ open: fails, close: () => done.push("never") })).rejects.toThrow("taken")
  await close()
  expect(done).toEqual(["store"])
})
