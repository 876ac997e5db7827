import { expect, test } from "bun:test"
import { openPlace } from "../support/service.ts"
import { jobDone } from "../support/settled.ts"

test("scoring as a job goes on in the next process when the first is killed", async () => {
  await using place = openPlace()
  const first = await place.serve()
  const leads = Array.from({ length: 1_000 }, (_, i) => ({ name: `L${i}`, source: "t", rating: 1 }))
  for (let i = 0; i < 3; i++) await first.call("POST", "/leads/batch", { leads })
  await first.call("POST", "/scoring-rules", { name: "r", expression: "rating * 20" })
  const { job } = (await first.call("POST", "/leads/score/batch?background=true", {})).body
  await first.kill()
  const second = await place.serve()
  expect(await jobDone(second.call, job)).toMatchObject({ done: 3_000, of: 3_000, failed: 0 })
  expect((await second.call("GET", "/stats")).body.score).toMatchObject({ min: 20, max: 20 })
}, 120_000)
