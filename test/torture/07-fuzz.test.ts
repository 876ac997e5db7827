import { expect, test } from "bun:test"
import { fuzz } from "./07-fuzz.ts"
import { runShort } from "./short-row.ts"

test("no request of any route or tool brings about a 500, hangs, or is answered unlike the document", async () => {
  expect(await runShort(fuzz)).toMatchObject({ ok: true })
}, 300_000)
