import { expect, test } from "bun:test"
import { powerCut } from "./02-power-cut.ts"
import { runShort } from "./short-row.ts"

test("a power cut loses no acknowledged write and damages nothing", async () => {
  expect(await runShort(powerCut)).toMatchObject({ ok: true })
}, 300_000)
