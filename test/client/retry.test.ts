import { describe, expect, test } from "bun:test"
import { createLeaddbClient, type Retry } from "../../src/client/index.ts"
import { addAccount } from "../support/account.ts"
import { openTestApp } from "../support/app.ts"
import { heldClock } from "../support/clock.ts"
import { onPostgres } from "../support/database.ts"

/** A client of nobody: it is given these answers, one after the other. */
function clientOf(answers: (() => Response)[], retry?: Retry | false) {
  const bodies: string[] = []
  const client = createLeaddbClient({
    ...{ baseUrl: "http://127.0.0.1:1", apiKey: "ldb_x", ...(retry !== undefined && { retry }) },
    async fetch(request) {
      bodies.push(await request.text())
      return answers[Math.min(bodies.length, answers.length) - 1]!()
    },
  })
  return { client, bodies }
}
const later = (status: number, retryAfter: string) => () =>
  Response.json(
    { error: "Later", message: "later", code: status === 429 ? "rate_limit_exceeded" : "unavailable" },
    { status, headers: { "Retry-After": retryAfter } },
  )
const good = () => Response.json({ id: "cl_1" }, { status: 201 })
const BODY = { name: "Ada", source: "test" }

describe("a request that is refused for now", () => {
  // PostgreSQL counts by its own clock, which no test holds.
  test.skipIf(onPostgres)(
    "is made again when the account's limit frees up, as Retry-After says",
    async () => {
      const clock = heldClock()
      const service = await openTestApp({}, clock)
      const { key } = await addAccount(service.config.file, { plan: "free", limits: { requests_limit: 2 } })
      let refused = 0
      const client = createLeaddbClient({
        ...{ baseUrl: service.app.url, apiKey: key },
        async fetch(request) {
          const response = await fetch(request)
          if (response.status === 429) refused++
          // The service's time goes on while the client waits.
          if (response.status === 429) clock.advance(1_000)
          return response
        },
      })
      await client.get("/stats")
      await client.get("/stats")
      clock.advance(599_000)
      const start = performance.now()
      expect((await client.post("/leads", { body: BODY })).id).toStartWith("cl_")
      expect(refused).toBe(1)
      expect(performance.now() - start).toBeGreaterThan(950)
    },
  )

  test("is sent whole each time, 429 and 503 alike", async () => {
    const past = new Date(0).toUTCString()
    const { client, bodies } = clientOf([later(429, "0"), later(503, past), good])
    expect(await client.post("/leads", { body: BODY })).toMatchObject({ id: "cl_1" })
    expect(bodies).toEqual(Array(3).fill(JSON.stringify(BODY)))
  })

  test("fails with the last answer after as many tries as were allowed", async () => {
    const { client, bodies } = clientOf([later(503, "0")], { retries: 2 })
    await expect(client.post("/leads", { body: BODY })).rejects.toMatchObject({
      ...{ status: 503, code: "unavailable", retryAfter: 0 },
    })
    expect(bodies).toHaveLength(3)
  })

  test("fails at once when it would have to wait too long, or nothing is to be tried again", async () => {
    for (const { client, bodies } of [
      clientOf([later(429, "61"), good]),
      clientOf([later(429, "2"), good], { maxWait: 1 }),
      clientOf([later(429, "0"), good], false),
    ]) {
      await expect(client.post("/leads", { body: BODY })).rejects.toMatchObject({ status: 429 })
      expect(bodies).toHaveLength(1)
    }
  })

  test("waits no longer once it is aborted", async () => {
    const { client, bodies } = clientOf([later(429, "30"), good])
    const abort = new AbortController()
    const call = client.post("/leads", { body: BODY, signal: abort.signal })
    abort.abort(new Error("enough"))
    await expect(call).rejects.toThrow("enough")
    expect(bodies.length).toBeLessThan(2)
  })
})

test("what is refused for good is not made again", async () => {
  for (const status of [400, 401, 404, 409, 500, 507]) {
    const { client, bodies } = clientOf([later(status, "0"), good])
    await expect(client.post("/leads", { body: BODY })).rejects.toMatchObject({ status })
    expect(bodies).toHaveLength(1)
  }
})
