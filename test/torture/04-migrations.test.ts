import { expect, test } from "bun:test"
import { migrations } from "./04-migrations.ts"
import { runShort } from "./short-row.ts"

test("a migration that is killed is finished by the next start; a newer file is refused", async () => {
  expect(await runShort(migrations)).toMatchObject({ ok: true })
}, 300_000)
