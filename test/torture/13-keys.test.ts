import { expect, test } from "bun:test"
import { keys } from "./13-keys.ts"
import { runShort } from "./short-row.ts"

test("nobody gets in without a good key, nor further than key and role allow", async () => {
  expect(await runShort(keys)).toMatchObject({ ok: true, numbers: { successes: 0 } })
}, 300_000)
