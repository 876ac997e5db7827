import { describe, expect, test } from "bun:test"
import { newApiKey } from "../../src/access/api-key-text.ts"
import { addAccount } from "../support/account.ts"
import { type Answer, openHeldAccount, openHeldApp, openTestAccount, openTestApp } from "../support/app.ts"
import { inAnotherProcess } from "../support/child.ts"
import { heldClock } from "../support/clock.ts"
import { onPostgres } from "../support/database.ts"
import { errorBody, FULL, LEAST, NO_LEAD } from "../support/lead.ts"

/** PostgreSQL counts by its own clock, which no test holds: its windows are tested with the store. */
const byClock = test.skipIf(onPostgres)

/** Limit, remaining, reset and Retry-After of an answer. */
function limits({ headers }: Answer) {
  const names = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "retry-after"]
  return names.map((name) => headers.get(name))
}

async function openLimited(requests: number, plan = "free") {
  const clock = heldClock()
  const opened = await openTestApp({}, clock)
  const { key, id } = await addAccount(opened.config.file, { plan, limits: { requests_limit: requests } })
  return { ...opened, clock, owner: opened.call, call: opened.as(key), account: id }
}

describe("the request limit", () => {
  byClock.each([
    ["free", 100],
    ["pro", 1_000],
  ])("of the %s plan is %p per 10 minutes", async (plan, limit) => {
    const { config, clock, as } = await openHeldApp()
    const call = as((await addAccount(config.file, { plan })).key)
    const answers: Answer[] = []
    for (let i = 0; i < limit; i += 50) {
      answers.push(...(await Promise.all(Array.from({ length: 50 }, () => call("GET", `/leads/${NO_LEAD}`)))))
    }
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]))
    const refused = await call("GET", "/leads")
    expect(refused.status).toBe(429)
    expect(refused.body).toEqual(errorBody("Too Many Requests", "rate_limit_exceeded", /600 s/))
    expect(refused.body.message).toContain(plan)
    expect(limits(refused)).toEqual([String(limit), "0", String(clock.seconds() + 600), "600"])
  })

  byClock(
    "counts remaining requests down and names the second in which the oldest is forgotten",
    async () => {
      const { call, clock } = await openLimited(3)
      const begin = clock.seconds()
      expect(limits(await call("GET", "/leads"))).toEqual(["3", "2", String(begin + 600), null])
      clock.advance(100_000)
      expect(limits(await call("GET", "/leads"))).toEqual(["3", "1", String(begin + 600), null])
      clock.advance(100_500)
      expect(limits(await call("GET", "/leads"))).toEqual(["3", "0", String(begin + 600), null])
      expect(limits(await call("GET", "/leads"))).toEqual(["3", "0", String(begin + 600), "400"])
    },
  )

  byClock("Retry-After is whole seconds, rounded up, and waiting that long is enough", async () => {
    const { call, clock } = await openLimited(1)
    await call("GET", "/leads")
    clock.advance(599_001)
    expect((await call("GET", "/leads")).headers.get("retry-after")).toBe("1")
    clock.advance(998)
    expect((await call("GET", "/leads")).headers.get("retry-after")).toBe("1")
    clock.advance(1)
    expect((await call("GET", "/leads")).status).toBe(200)
    clock.advance(1_500)
    expect((await call("GET", "/leads")).headers.get("retry-after")).toBe("599")
    clock.advance(599_000)
    expect((await call("GET", "/leads")).status).toBe(200)
  })

  test("is one for all keys of an account, and each account has its own", async () => {
    const { call, as, owner, config } = await openLimited(3)
    const { key } = (await call("POST", "/api-keys", { name: "second" })).body
    expect((await as(key)("GET", "/leads")).headers.get("x-ratelimit-remaining")).toBe("1")
    expect((await call("GET", "/leads")).headers.get("x-ratelimit-remaining")).toBe("0")
    expect((await as(key)("GET", "/leads")).status).toBe(429)
    const other = as((await addAccount(config.file, { plan: "free" })).key)
    expect((await other("GET", "/leads")).headers.get("x-ratelimit-remaining")).toBe("99")
    expect((await owner("GET", "/leads")).status).toBe(200)
  })

  test("of 50 requests at once exactly as many as are left get in", async () => {
    const { call } = await openLimited(20)
    const answers = await Promise.all(Array.from({ length: 50 }, () => call("POST", "/leads", LEAST)))
    const remaining = answers
      .filter(({ status }) => status === 201)
      .map((answer) => Number(limits(answer)[1]))
    expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30)
  })

  test("every answer carries the headers and counts, whatever it says", async () => {
    const { call } = await openLimited(1_000)
    const { id } = (await call("POST", "/leads", FULL)).body
    await call("POST", "/leads", { ...LEAST, email: "b@x.y" })
    const requests: [number, Parameters<typeof call>][] = [
      [200, ["GET", "/leads"]],
      [200, ["HEAD", "/leads"]],
      [200, ["POST", "/leads", FULL]],
      [201, ["POST", "/leads", LEAST]],
      [207, ["DELETE", "/leads/batch", { ids: [NO_LEAD] }]],
      [400, ["POST", "/leads", {}]],
      [400, ["POST", "/leads", "{"]],
      [400, ["GET", "/leads?nonsense=1"]],
      [400, ["GET", "/leads", undefined, { "X-Member-Role": "viewer, owner" }]],
      [400, ["GET", "/leads", undefined, { "X-Actor-Id": "x".repeat(201) }]],
      [403, ["POST", "/leads", LEAST, { "X-Member-Role": "viewer" }]],
      [404, ["GET", `/leads/${NO_LEAD}`]],
      [404, ["GET", "/nothing"]],
      [405, ["POST", `/leads/${NO_LEAD}`, {}]],
      [405, ["PATCH", "/leads"]],
      [409, ["PUT", `/leads/${id}`, { email: "b@x.y" }]],
      [413, ["POST", "/leads", " ".repeat(2 ** 20 + 1)]],
      [204, ["DELETE", `/leads/${id}`]],
    ]
    let left = 998
    for (const [expected, request] of requests) {
      const answer = await call(...request)
      expect([request, answer.status]).toEqual([request, expected])
      expect([request, ...limits(answer)]).toEqual([
        request,
        "1000",
        String(--left),
        expect.stringMatching(/^\d+$/),
        null,
      ])
    }
  })

  test("an account without a limit is told so", async () => {
    const { call } = await openTestAccount()
    const answer = await call("GET", "/leads")
    expect(limits(answer)).toEqual([null, null, null, null])
  })

  test("is one for all processes on the database", async () => {
    const { call, as, config } = await openTestApp()
    const { key, id } = await addAccount(config.file, { plan: "free", limits: { requests_limit: 3 } })
    const limited = as(key)
    expect((await limited("GET", "/leads")).headers.get("x-ratelimit-remaining")).toBe("2")
    await inAnotherProcess(
      config.file,
      `const account = await store.read.accounts.find(input)
      await store.requests.take("account/" + account.key, 3, 600_000)`,
      id,
    )
    expect((await limited("GET", "/leads")).headers.get("x-ratelimit-remaining")).toBe("0")
    expect((await limited("GET", "/leads")).status).toBe(429)
    expect((await call("GET", "/leads")).status).toBe(200)
  })

  test("a plan that another process changes holds at once", async () => {
    const { call, config, account } = await openLimited(1)
    await call("GET", "/leads")
    expect((await call("GET", "/leads")).status).toBe(429)
    await inAnotherProcess(
      config.file,
      `const account = await store.read.accounts.find(input)
      await store.writeAcross((tx) => tx.accounts.setPlan(account.key, "pro", { requests_limit: null }))`,
      account,
    )
    expect(limits(await call("GET", "/leads")).slice(0, 2)).toEqual(["1000", "998"])
  })
})

describe("failed sign-ins", () => {
  byClock("100 per minute and address, then 429, while a good key from there still works", async () => {
    const { call, clock, as } = await openHeldAccount()
    const wrong = ["", "nonsense", newApiKey(), newApiKey()]
    for (let i = 0; i < 100; i++) {
      const { status } = await as(wrong[i % wrong.length]!)("GET", "/leads")
      expect(status).toBe(401)
    }
    for (const key of wrong) {
      const refused = await as(key)("GET", "/leads")
      expect(refused.status).toBe(429)
      expect(refused.body).toEqual(errorBody("Too Many Requests", "rate_limit_exceeded", /API key/))
      expect(limits(refused)).toEqual(["100", "0", String(clock.seconds() + 60), "60"])
    }
    expect((await call("GET", "/leads")).status).toBe(200)
    clock.advance(59_999)
    expect((await as("")("GET", "/leads")).status).toBe(429)
    expect((await call("GET", "/leads")).status).toBe(200)
    clock.advance(1)
    expect((await as("")("GET", "/leads")).status).toBe(401)
  })

  test("an expired and a revoked key count as failed", async () => {
    const { call, clock, as } = await openHeldAccount()
    const { key } = (await call("POST", "/api-keys", { name: "k", expires_at: clock.seconds() + 1 })).body
    clock.advance(1_000)
    const first = await as(key)("GET", "/leads")
    expect(limits(first).slice(0, 2)).toEqual(["100", "99"])
    expect(limits(await as(newApiKey())("GET", "/leads")).slice(0, 2)).toEqual(["100", "98"])
  })

  test("do not count against an account", async () => {
    const { call, as } = await openLimited(2)
    for (let i = 0; i < 5; i++) await as("nonsense")("GET", "/leads")
    expect(limits(await call("GET", "/leads")).slice(0, 2)).toEqual(["2", "1"])
  })
})
