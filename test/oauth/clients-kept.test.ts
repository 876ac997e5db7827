import { afterEach, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { createIds } from "../../src/runtime/clock.ts"
import { heldClock } from "../support/clock.ts"
import { openBeside } from "../support/database.ts"
import { temporaryFolder } from "../support/folder.ts"

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

test("when too many clients are kept, the oldest that nobody signed in with makes room, one in use never", async () => {
  const folder = temporaryFolder()
  folders.push(folder)
  const store = await openBeside(join(folder, "leads.db"), createIds(heldClock()))
  const insert = (id: string, created_at: number) =>
    store.writeAcross((tx) => {
      const row = { id, name: id, redirect_uris: [], created_at, expires_at: 1_000 }
      return tx.oauth.insertClient(row, 2)
    })
  const kept = async () => {
    const found = await Promise.all(["a", "b", "c", "d"].map((id) => store.read.oauth.findClient(id, 10)))
    return found.flatMap((client) => client?.id ?? []).join("")
  }
  expect([await insert("a", 1), await insert("b", 2)]).toEqual([true, true])
  await store.writeAcross((tx) => tx.oauth.keepClient("a", 3, 2_000))
  expect([await insert("c", 4), await kept()]).toEqual([true, "ac"])
  await store.writeAcross((tx) => tx.oauth.keepClient("c", 5, 1_000))
  expect([await insert("d", 6), await kept()]).toEqual([false, "ac"])
  expect([await insert("d", 1_000), await kept()]).toEqual([true, "ad"])
  await store.close()
})
