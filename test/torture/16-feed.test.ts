import { expect, test } from "bun:test"
import { feed } from "./16-feed.ts"
import { runShort } from "./short-row.ts"

test("a copy that is kept from the feed alone misses nothing and takes nothing twice, whatever is killed", async () => {
  expect(await runShort(feed)).toMatchObject({ ok: true })
}, 300_000)
