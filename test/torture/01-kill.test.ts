import { expect, test } from "bun:test"
import { kill } from "./01-kill.ts"
import { runShort } from "./short-row.ts"

test("a kill -9 loses no acknowledged write, nor its audit and outbox rows", async () => {
  expect(await runShort(kill)).toMatchObject({ ok: true })
}, 300_000)
