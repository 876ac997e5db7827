import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { join } from "node:path"
import { openPlace } from "../support/service.ts"
import { compared } from "../support/settled.ts"

test("an index that an older leaddb made is made anew in the background, with what is found by it", async () => {
  await using place = openPlace()
  const folder = join(place.folder, "data")
  const leads = Array.from({ length: 40 }, (_, i) => ({
    name: `Seestern ${"abcdefghij"[(i >> 1) % 10]}${i >> 1}${i % 2 ? " GmbH & Co. KG Betrieb" : ""}`,
    source: "maps",
    phone: `+49 89 ${100_000 + (i >> 1)}`,
    city: i % 4 < 2 ? "München" : undefined,
  }))
  /** What is in the queue once nothing waits. */
  async function found(pushed: unknown[]): Promise<string[]> {
    const service = await place.serve()
    if (pushed.length > 0) await service.call("POST", "/leads/batch", { leads: pushed })
    await compared(service.call)
    const { duplicates } = (await service.call("GET", "/duplicates?limit=200")).body
    await service.stop()
    return duplicates
      .map((pair: { a: { id: string }; b: { id: string } }) => `${pair.a.id} ${pair.b.id}`)
      .toSorted()
  }
  const entries = () => {
    using db = new Database(join(folder, "leads.index.db"))
    const both = "SELECT key, rid FROM match_keys UNION ALL SELECT key, rid FROM match_new_keys"
    return db.query(`${both} ORDER BY key, rid`).values()
  }
  const before = await found(leads)
  const keys = entries()
  {
    using db = new Database(join(folder, "leads.db"))
    db.run("DELETE FROM duplicate_pairs")
    using index = new Database(join(folder, "leads.index.db"))
    index.run("UPDATE index_state SET version = 'older'")
    index.run("UPDATE match_new_keys SET key = key + 1 WHERE rid > 20")
  }
  expect(await found([])).toEqual(before)
  expect(before.length).toBeGreaterThan(10)
  expect(entries()).toEqual(keys)
}, 120_000)
