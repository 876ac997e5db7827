import { expect, test } from "bun:test"
import { Writable } from "node:stream"
import { logWriter } from "../../src/surfaces/cli/log-writer.ts"

const MIB = "x".repeat(1024 * 1024)

/** A stream whose reader takes what is written when it is told to. */
function slowStream() {
  const waiting: (() => void)[] = []
  let taken = 0
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _, done) {
      waiting.push(() => {
        taken += chunk.length
        done()
      })
    },
  })
  async function read(): Promise<void> {
    while (waiting.length > 0) {
      waiting.shift()!()
      await new Promise(setImmediate)
    }
  }
  return { stream, read, taken: () => taken }
}

test("a log that is not read loses lines instead of filling the memory, says so once, and goes on when it is read again", async () => {
  const { stream, read, taken } = slowStream()
  let warnings = 0
  const log = logWriter(stream, () => warnings++)
  for (let i = 0; i < 10; i++) log(MIB)
  expect(warnings).toBe(1)
  await read()
  expect(taken()).toBe(4 * MIB.length)
  log("again\n")
  await read()
  expect(taken()).toBe(4 * MIB.length + 6)
  for (let i = 0; i < 10; i++) log(MIB)
  expect(warnings).toBe(2)
})
