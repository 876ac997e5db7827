import { expect, test } from "bun:test"
import { takeover } from "./17-takeover.ts"
import { runShort } from "./short-row.ts"

test("jobs and requests that are killed on the way are done once and whole", async () => {
  expect(await runShort(takeover)).toMatchObject({ ok: true })
}, 300_000)
