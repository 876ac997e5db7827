import { expect, test } from "bun:test"
import { merges } from "./19-merges.ts"
import { runShort } from "./short-row.ts"

test("after any pushes, edits, merges and undos, every lead is what the model says", async () => {
  expect(await runShort(merges)).toMatchObject({ ok: true })
}, 300_000)
