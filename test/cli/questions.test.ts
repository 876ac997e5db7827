// The program with reader threads that have the database open, and what other commands do to its file meanwhile.
import { expect, test } from "bun:test"
import { openPlace, type Served } from "../support/service.ts"

const LEADS = 300

/** What reader threads answer: how many leads there are, and how many lines an export of them has. */
async function asked({ call }: Served): Promise<{ total: number; lines: number }> {
  const { total } = (await call("GET", "/leads/aggregate?group_by=city")).body
  return { total, lines: (await call("GET", "/leads/export?format=json")).body.length }
}

test("a service with reader threads is backed up, stopped, restored and started again", async () => {
  await using place = openPlace()
  const service = await place.serve()
  const leads = Array.from({ length: LEADS }, (_, i) => ({
    ...{ name: `Lead ${i}`, source: "test", city: `City ${i % 3}` },
  }))
  expect((await service.call("POST", "/leads/batch", { leads })).body).toMatchObject({ failed: 0 })
  const all = { total: LEADS, lines: LEADS }
  expect(await asked(service)).toEqual(all)
  expect(await place.run(["backup", "b.db"])).toMatchObject({ code: 0, err: "" })
  expect(await asked(service)).toEqual(all)
  const refused = await place.run(["restore", "b.db"])
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("leads.db")])
  expect(await asked(service)).toEqual(all)
  expect((await service.stop()).err).toBe("")
  expect(await place.run(["restore", "b.db"])).toMatchObject({ code: 0 })
  const again = await place.serve()
  expect(await asked(again)).toEqual(all)
})
