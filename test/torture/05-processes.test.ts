import { expect, test } from "bun:test"
import { processes } from "./05-processes.ts"
import { runShort } from "./short-row.ts"

test("processes that write to one file at once lose nothing and refuse nothing", async () => {
  expect(await runShort(processes)).toMatchObject({ ok: true })
}, 300_000)
