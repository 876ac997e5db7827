import { expect, test } from "bun:test"
import { soak } from "./12-soak.ts"
import { runShort } from "./short-row.ts"

test("ordinary work of every kind side by side fails nowhere and loses nothing", async () => {
  expect(await runShort(soak)).toMatchObject({ ok: true, numbers: { errors: 0 } })
}, 300_000)
