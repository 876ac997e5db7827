// What several services on one database keep together.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { openHook } from "../support/hook.ts"
import { type Instances, openInstances } from "../support/instances.ts"
import { pluck } from "../support/pluck.ts"
import { hasPostgres, startPostgres } from "../support/postgres.ts"
import { openStream } from "../support/stream.ts"
import { until } from "../support/until.ts"

await startPostgres()

const numbers = (n: number) => Array.from({ length: n }, (_, i) => i)

describe.skipIf(!hasPostgres)("three services on one database", () => {
  let instances: Instances
  beforeAll(async () => {
    instances = await openInstances(3)
  })
  afterAll(() => instances[Symbol.asyncDispose]())

  const nth = (i: number) => instances.all[i % 3]!

  test("take as many leads as a plan allows, and count them exactly", async () => {
    const { key } = await instances.account({ limits: { leads_limit: 40 } })
    const own = { "X-API-Key": key }
    const replies = await Promise.all(
      numbers(60).map((i) => nth(i).call("POST", "/leads", { name: `n${i}`, source: "web" }, own)),
    )
    const refused = replies.filter(({ status }) => status !== 201)
    expect(refused.map(({ body }) => body.code)).toEqual(Array(20).fill("leads_limit_reached"))
    for (const one of instances.all) {
      const { total_leads } = (await one.call("GET", "/stats", undefined, own)).body
      expect(total_leads).toBe(40)
    }
  })

  test("make one lead of an email that comes to each of them at once", async () => {
    const { key } = await instances.account({})
    const replies = await Promise.all(
      numbers(45).map((i) => {
        const lead = { name: `n${i}`, source: "web", email: `p${Math.floor(i / 3)}@x.example` }
        return nth(i).call("POST", "/leads", lead, { "X-API-Key": key })
      }),
    )
    expect(replies.map(({ status }) => status).filter((status) => status !== 200 && status !== 201)).toEqual(
      [],
    )
    expect(replies.filter(({ body }) => body.duplicate !== true)).toHaveLength(15)
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(15)
  })

  test("do a request with one Idempotency-Key once, whichever of them it comes to", async () => {
    const { key } = await instances.account({})
    const headers = { "X-API-Key": key, "Idempotency-Key": "the same" }
    const replies = await Promise.all(
      numbers(9).map((i) => nth(i).call("POST", "/leads", { name: "Once", source: "web" }, headers)),
    )
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    const { body } = await nth(1).call("GET", "/stats", undefined, { "X-API-Key": key })
    expect(body.total_leads).toBe(1)
  })

  test("share the limit of requests", async () => {
    const { key } = await instances.account({ limits: { requests_limit: 20 } })
    const replies = await Promise.all(
      numbers(30).map((i) => nth(i).call("GET", "/leads", undefined, { "X-API-Key": key })),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(10)
    const left = replies.filter(({ status }) => status === 200)
    expect(Math.min(...left.map(({ headers }) => Number(headers.get("x-ratelimit-remaining"))))).toBe(0)
  })

  test("refuse a revoked key from its answer on, all of them", async () => {
    for (let round = 0; round < 5; round++) {
      const { id, key } = (await nth(round).call("POST", "/api-keys", { name: "k", role: "viewer" })).body
      const tried = () =>
        Promise.all(instances.all.map((one) => one.call("GET", "/leads", undefined, { "X-API-Key": key })))
      expect((await tried()).map(({ status }) => status)).toEqual([200, 200, 200])
      expect((await nth(round + 1).call("DELETE", `/api-keys/${id}`)).status).toBe(204)
      expect((await tried()).map(({ status }) => status)).toEqual([401, 401, 401])
    }
  })

  test("know a session of each other's, and its end", async () => {
    const signIn = await fetch(`${nth(0).url}/sessions`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: new URL(nth(0).url).origin },
      body: JSON.stringify({ key: instances.key }),
    })
    expect(signIn.status).toBe(201)
    const token = signIn.headers.get("set-cookie")!.match(/=([^;]+);/)![1]!
    const current = async (i: number, method = "GET", path = "current") => {
      const { origin, port } = new URL(nth(i).url)
      const headers = { Cookie: `leaddb-${port}=${token}`, Origin: origin, "Sec-Fetch-Site": "same-origin" }
      const response = await fetch(`${nth(i).url}/sessions/${path}`, { method, headers })
      return { status: response.status, body: response.status === 200 ? await response.json() : undefined }
    }
    expect((await current(1)).status).toBe(200)
    // An open page hears of what is in no trail, whichever of them writes it.
    const lead = (await nth(0).call("POST", "/leads", { name: "n", source: "web" })).body
    const { origin, port } = new URL(nth(1).url)
    const page = { Cookie: `leaddb-${port}=${token}`, Origin: origin, "Sec-Fetch-Site": "same-origin" }
    const stream = await openStream(`${nth(1).url}/changes?cursor=now`, "", page)
    const heard = stream.next()
    const noted = nth(2).call("POST", `/leads/${lead.id}/notes`, { content: "Call back" })
    expect((await noted).status).toBe(201)
    await until("it hears of the note", () => stream.touches() > 0)
    stream.close()
    await expect(heard).rejects.toThrow()
    expect((await current(2, "DELETE")).status).toBe(204)
    expect((await current(1)).status).toBe(401)
  })

  test("count tries to sign in together", async () => {
    const wrong = (i: number) =>
      fetch(`${nth(i).url}/sessions`, {
        method: "POST",
        headers: { "Content-Type": "application/json", Origin: new URL(nth(i).url).origin },
        body: JSON.stringify({ code: "WRONG-CODE" }),
      })
    const statuses: number[] = []
    for (let i = 0; i < 130; i += 10) {
      const some = await Promise.all(numbers(10).map((n) => wrong(i + n)))
      statuses.push(...some.map(({ status }) => status))
    }
    // 100 in ten minutes, of which the one that signed in above may have been one.
    const allowed = statuses.filter((status) => status !== 429).length
    expect(allowed).toBeGreaterThanOrEqual(99)
    expect(allowed).toBeLessThanOrEqual(100)
    for (const i of [0, 1, 2]) expect((await wrong(i)).status).toBe(429)
  })

  test("go on with each other's feeds and streams", async () => {
    const { key } = await instances.account({})
    const own = { "X-API-Key": key }
    const push = async (i: number, name: string) =>
      (await nth(i).call("POST", "/leads", { name, source: "web" }, own)).body.id as string
    const ids: string[] = []
    for (let i = 0; i < 6; i++) ids.push(await push(i, `n${i}`))
    const page = async (i: number, cursor?: string) => {
      const query = `/changes?order=asc&limit=2${cursor === undefined ? "" : `&cursor=${cursor}`}`
      return (await nth(i).call("GET", query, undefined, own)).body
    }
    const first = await page(0)
    const next = await page(1, first.next_cursor)
    const last = await page(2, next.next_cursor)
    const seen = [first, next, last].flatMap(({ changes }) => pluck(changes, "lead_id"))
    expect(seen).toEqual(ids)

    // Somebody who waits at one hears of what another does, and takes the stream up again at a third.
    const waiting = nth(0).call(
      "GET",
      `/changes?order=asc&wait=20&cursor=${last.next_cursor}`,
      undefined,
      own,
    )
    ids.push(await push(1, "heard"))
    expect(pluck((await waiting).body.changes, "lead_id")).toEqual([ids[6]!])
    const eventIn = async (i: number, behind: string) => {
      const stream = await openStream(`${nth(i).url}/changes`, key, { "Last-Event-ID": behind })
      const event = (await stream.next())!
      stream.close()
      return event
    }
    const { id, change } = await eventIn(2, last.next_cursor)
    expect(change.lead_id).toBe(ids[6]!)
    ids.push(await push(0, "after"))
    expect((await eventIn(1, id)).change.lead_id).toBe(ids[7]!)
  })

  test("send at most four at a time to a webhook, each delivery once, whoever has it", async () => {
    const { key } = await instances.account({})
    const own = { "X-API-Key": key }
    let inFlight = 0
    let most = 0
    await using hook = openHook(async () => {
      most = Math.max(most, ++inFlight)
      // The first one waits for another.
      await until("two are under way", () => most >= 2)
      await Bun.sleep(5)
      inFlight--
      return 200
    })
    await nth(0).call("POST", "/webhooks", { url: hook.url, events: ["lead.created"] }, own)
    await Promise.all(
      numbers(60).map((i) => nth(i).call("POST", "/leads", { name: `n${i}`, source: "web" }, own)),
    )
    await until("all are delivered", () => new Set(hook.hits.map(({ delivery }) => delivery)).size === 60)
    expect(hook.hits).toHaveLength(60)
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(4)
  })
})
