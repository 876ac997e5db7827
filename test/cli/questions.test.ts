// The program with reader threads that have the database open, and what other commands do to its file meanwhile.
import { expect, test } from "bun:test"
import { openPlace, type Running } from "../support/service.ts"

const LEADS = 300

async function fill({ url, key }: Running): Promise<void> {
  const leads = Array.from({ length: LEADS }, (_, i) => ({
    name: `Lead ${i}`,
    source: "test",
    city: `City ${i % 3}`,
  }))
  const headers = { "X-API-Key": key, "Content-Type": "application/json" }
  const response = await fetch(`${url}/leads/batch`, {
    method: "POST",
    headers,
    body: JSON.stringify({ leads }),
  })
  expect(await response.json()).toMatchObject({ failed: 0 })
}

/** What reader threads answer: how many leads there are, and how many lines an export of them has. */
async function asked({ url }: Running, key: string): Promise<{ total: number; lines: number }> {
  const headers = { "X-API-Key": key }
  const groups = await fetch(`${url}/leads/aggregate?group_by=city`, { headers })
  const file = await fetch(`${url}/leads/export?format=json`, { headers })
  const { total } = (await groups.json()) as { total: number }
  return { total, lines: ((await file.json()) as unknown[]).length }
}

test("a service with reader threads is backed up, stopped, restored and started again", async () => {
  await using place = openPlace()
  const service = await place.serve()
  await fill(service)
  const all = { total: LEADS, lines: LEADS }
  expect(await asked(service, service.key)).toEqual(all)
  expect(await place.run(["backup", "b.db"])).toMatchObject({ code: 0, err: "" })
  expect(await asked(service, service.key)).toEqual(all)
  const refused = await place.run(["restore", "b.db"])
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("leads.db")])
  expect(await asked(service, service.key)).toEqual(all)
  service.signal("SIGTERM")
  expect(await service.ended).toMatchObject({ code: 0, err: "" })
  expect(await place.run(["restore", "b.db"])).toMatchObject({ code: 0 })
  const again = await place.serve()
  expect(await asked(again, service.key)).toEqual(all)
})
