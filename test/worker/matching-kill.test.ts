import { expect, test } from "bun:test"
import type { Call } from "../support/app.ts"
import { openPlace } from "../support/service.ts"
import { compared } from "../support/settled.ts"

const lead = (i: number) => ({
  name: `${["Alpenhof", "Bergblick", "Seestern", "Waldruh"][i % 4]} ${"abcdefghij"[i % 10]}${i >> 1}`,
  source: "maps",
  phone: `+49 89 ${100_000 + (i >> 1)}`,
  city: "München",
  address: `Hauptstraße ${i >> 1}`,
})

type Pair = { a: { id: string }; b: { id: string } }

test("killed again and again, the service ends with all leads compared and the pairs of one that was never killed", async () => {
  const leads = Array.from({ length: 300 }, (_, i) => ({
    ...lead(i),
    name: `${lead(i >> 1).name}${i % 2 ? " GmbH & Co. KG Betrieb" : ""}`,
  }))
  await using place = openPlace()
  async function killedIn(work: (call: Call) => Promise<unknown>): Promise<void> {
    const service = await place.serve()
    await work(service.call)
    await service.kill()
  }
  for (let at = 0; at < leads.length; at += 100)
    await killedIn((call) => call("POST", "/leads/batch", { leads: leads.slice(at, at + 100) }))
  await killedIn((call) => call("GET", "/duplicates/status"))
  const { call } = await place.serve()
  async function found(): Promise<string[]> {
    await compared(call)
    const { duplicates } = (await call("GET", "/duplicates?limit=200")).body
    return duplicates.map(({ a, b }: Pair) => `${a.id} ${b.id}`).toSorted()
  }
  const before = await found()
  expect(before.length).toBeGreaterThan(50)
  await call("POST", "/duplicates/rescan")
  expect(await found()).toEqual(before)
}, 120_000)
