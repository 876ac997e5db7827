import { expect, test } from "bun:test"
import { sequences } from "../../scripts/torture/08-sequences.ts"
import { runShort } from "./short-row.ts"

test("after any commands, every account is what the model says", async () => {
  expect(await runShort(sequences, { seconds: 60 })).toMatchObject({ ok: true })
}, 60_000)
