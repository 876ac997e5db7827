import { expect, test } from "bun:test"
import { oauth } from "./14-oauth.ts"
import { runShort } from "./short-row.ts"

test("the sign-in withstands every threat of RFC 9700 that applies to it", async () => {
  expect(await runShort(oauth)).toMatchObject({ ok: true, numbers: { successes: 0 } })
}, 300_000)
