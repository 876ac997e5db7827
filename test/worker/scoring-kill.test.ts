import { expect, test } from "bun:test"
import { need } from "../support/ask.ts"
import { openPlace } from "../support/service.ts"
import { until } from "../support/until.ts"

test("scoring as a job goes on in the next process when the first is killed", async () => {
  await using place = openPlace()
  const first = await place.serve()
  const told = (method: string, path: string, body?: unknown, at = first) =>
    need(at, first.key, method, path, body)
  const leads = Array.from({ length: 1_000 }, (_, i) => ({ name: `L${i}`, source: "t", rating: 1 }))
  for (let i = 0; i < 3; i++) await told("POST", "/leads/batch", { leads })
  await told("POST", "/scoring-rules", { name: "r", expression: "rating * 20" })
  const { job } = await told("POST", "/leads/score/batch?background=true", {})
  first.signal("SIGKILL")
  await first.ended
  const second = await place.serve()
  await until(
    "it is done",
    async () => (await told("GET", `/jobs/${job}`, undefined, second)).state === "done",
  )
  expect(await told("GET", `/jobs/${job}`, undefined, second)).toMatchObject({
    done: 3_000,
    of: 3_000,
    failed: 0,
  })
  expect((await told("GET", "/stats", undefined, second)).score).toMatchObject({ min: 20, max: 20 })
}, 120_000)
