import { expect, test } from "bun:test"
import { diskFull } from "./03-disk-full.ts"
import { runShort } from "./short-row.ts"

test("a full disk refuses writes clearly, loses nothing, and is got over", async () => {
  expect(await runShort(diskFull)).toMatchObject({ ok: true })
}, 300_000)
