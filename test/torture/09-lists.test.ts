import { expect, test } from "bun:test"
import { lists } from "./09-lists.ts"
import { runShort } from "./short-row.ts"

test("lists with mutated filters, cursors and sort keys give what the model gives", async () => {
  expect(await runShort(lists)).toMatchObject({ ok: true })
}, 300_000)
