import { expect, test } from "bun:test"
import { attacks } from "./20-attacks.ts"
import { runShort } from "./short-row.ts"

test("an account that attacks in every way at once is answered or refused, and nobody else is refused", async () => {
  expect(await runShort(attacks)).toMatchObject({ ok: true })
}, 120_000)
