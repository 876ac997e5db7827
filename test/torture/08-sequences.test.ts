import { expect, test } from "bun:test"
import { sequences } from "./08-sequences.ts"
import { runShort } from "./short-row.ts"

test("after any commands, every account is what the model says", async () => {
  expect(await runShort(sequences)).toMatchObject({ ok: true })
}, 300_000)
