import { expect, test } from "bun:test"
import { openPlace } from "../support/service.ts"
import { until } from "../support/until.ts"

test("scoring as a job goes on in the next process when the first is killed", async () => {
  await using place = openPlace()
  const first = await place.serve()
  async function ask(method: string, path: string, body?: unknown, url = first.url) {
    const headers = { "X-API-Key": first.key }
    return (
      await fetch(url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    ).json()
  }
  const leads = Array.from({ length: 1_000 }, (_, i) => ({ name: `L${i}`, source: "t", rating: 1 }))
  for (let i = 0; i < 3; i++) await ask("POST", "/leads/batch", { leads })
  await ask("POST", "/scoring-rules", { name: "r", expression: "rating * 20" })
  const { job } = await ask("POST", "/leads/score/batch?background=true", {})
  first.signal("SIGKILL")
  await first.ended
  const { url } = await place.serve()
  await until("it is done", async () => (await ask("GET", `/jobs/${job}`, undefined, url)).state === "done")
  expect(await ask("GET", `/jobs/${job}`, undefined, url)).toMatchObject({
    done: 3_000,
    of: 3_000,
    failed: 0,
  })
  expect((await ask("GET", "/stats", undefined, url)).score).toMatchObject({ min: 20, max: 20 })
}, 120_000)
