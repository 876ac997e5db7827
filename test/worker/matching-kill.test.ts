import { expect, test } from "bun:test"
import { temporaryFolder } from "../support/folder.ts"
import { PROGRAM, startService } from "../support/service.ts"
import { until } from "../support/until.ts"

const lead = (i: number) => ({
  name: `${["Alpenhof", "Bergblick", "Seestern", "Waldruh"][i % 4]} ${"abcdefghij"[i % 10]}${i >> 1}`,
  source: "maps",
  phone: `+49 89 ${100_000 + (i >> 1)}`,
  city: "München",
  address: `Hauptstraße ${i >> 1}`,
})

type Pair = { a: { id: string }; b: { id: string } }
// biome-ignore lint/suspicious/noExplicitAny: answers of any route
type Call = (method: string, path: string, body?: unknown) => Promise<any>

test("killed again and again, the service ends with all leads compared and the pairs of one that was never killed", async () => {
  const leads = Array.from({ length: 300 }, (_, i) => ({
    ...lead(i),
    name: `${lead(i >> 1).name}${i % 2 ? " GmbH & Co. KG Betrieb" : ""}`,
  }))
  const folder = temporaryFolder()
  let key = ""
  async function run<T>(work: (call: Call) => Promise<T>, signal: "SIGKILL" | "SIGTERM"): Promise<T> {
    const env = { PATH: process.env.PATH ?? "", LEADDB_DATA: folder, LEADDB_PORT: "0", LEADDB_MCP_PORT: "0" }
    const child = await startService(PROGRAM, { cwd: folder, env })
    key ||= child.key
    try {
      return await work(async (method, path, body) => {
        const response = await fetch(`${child.url}${path}`, {
          method,
          headers: { "X-API-Key": key },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        return response.json()
      })
    } finally {
      child.signal(signal)
      await child.ended
    }
  }
  for (let at = 0; at < leads.length; at += 100)
    await run((call) => call("POST", "/leads/batch", { leads: leads.slice(at, at + 100) }), "SIGKILL")
  await run(async (call) => void (await call("GET", "/duplicates/status")), "SIGKILL")
  const shown = await run(async (call) => {
    await until("nothing waits", async () => (await call("GET", "/duplicates/status")).waiting === 0)
    const before = (await call("GET", "/duplicates?limit=200")).duplicates
    await call("POST", "/duplicates/rescan")
    await until("nothing waits", async () => (await call("GET", "/duplicates/status")).waiting === 0)
    const after = (await call("GET", "/duplicates?limit=200")).duplicates
    const names = (all: Pair[]) => all.map(({ a, b }) => `${a.id} ${b.id}`).toSorted()
    return { before: names(before), after: names(after) }
  }, "SIGTERM")
  expect(shown.before.length).toBeGreaterThan(50)
  expect(shown.before).toEqual(shown.after)
}, 120_000)
