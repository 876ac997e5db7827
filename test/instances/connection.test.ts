// What a service makes of its connection to the database: how often it waits for it, and what it says when it goes.

import { describe, expect, test } from "bun:test"
import { SQL } from "bun"
import { hashApiKey } from "../../src/access/api-key-text.ts"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import { openPostgresStore } from "../../src/store/postgres/index.ts"
import { type Detour, openDetourTo } from "../support/detour.ts"
import { type Instance, openInstances } from "../support/instances.ts"
import { hasPostgres, startPostgres } from "../support/postgres.ts"
import { until } from "../support/until.ts"

await startPostgres()

const numbers = (n: number) => Array.from({ length: n }, (_, i) => i)
const lead = (i: number) => ({
  ...{
    name: `n${i}`,
    source: "web",
    email: `p${i}@x.example`,
    phone: `+43 1 ${5_000_000 + i}`,
    city: "Wien",
  },
  tags: ["a", "b"],
  attributes: [{ name: "size", type: "number", value: i }],
})

async function throughDetour() {
  let detour!: Detour
  let way = ""
  const instances = await openInstances(1, {}, async (database) => {
    const opened = await openDetourTo(database)
    detour = opened.detour
    way = opened.database
    return way
  })
  const [one] = instances.all
  return {
    ...{ instances, detour, way, one: one! },
    async [Symbol.asyncDispose]() {
      await instances[Symbol.asyncDispose]()
      await detour[Symbol.asyncDispose]()
    },
  }
}

describe.skipIf(!hasPostgres)("round trips", () => {
  test.each([
    ["a create", 1, 2],
    ["a batch of forty", 40, 3],
  ])("of %s of %d leads are %d", async (_, count, most) => {
    await using opened = await throughDetour()
    const { one, detour } = opened
    await one.call("POST", "/webhooks", { url: "http://127.0.0.1:9/", events: ["lead.updated"] })
    const push = async (from: number) => {
      const leads = numbers(count).map((i) => lead(from + i))
      const reply =
        count === 1
          ? await one.call("POST", "/leads", leads[0])
          : await one.call("POST", "/leads/batch", { leads })
      expect(reply.status).toBe(201)
    }
    // A connection prepares each of its statements once.
    for (const i of numbers(20)) await push(i * count)
    // So long that what is sent without waiting arrives before the first answer.
    detour.delay(20)
    const turns: number[] = []
    for (const i of numbers(5)) {
      const from = 10_000 + i * count
      detour.mark()
      await push(from)
      const written = detour.ways.filter(({ sent }) => sent.includes(`p${from}@x.example`))
      expect(written).toHaveLength(1)
      turns.push(written[0]!.turns)
    }
    // Something else may have had the same connection meanwhile.
    expect(Math.min(...turns)).toBe(most)
  })
})

describe.skipIf(!hasPostgres)("creates that come at once", () => {
  test("share what is asked for, and see each other all the same", async () => {
    await using opened = await throughDetour()
    const { one, detour } = opened
    const push = (from: number, count: number) =>
      Promise.all(numbers(count).map((i) => one.call("POST", "/leads", lead(from + Math.floor(i / 2)))))
    for (const i of numbers(10)) await push(i * 4, 8)
    detour.delay(20)
    detour.mark()
    const replies = await push(1_000, 40)
    detour.delay(0)
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(20)
    const written = detour.ways.filter(({ sent }) => sent.includes("p1019@x.example"))
    // A few transactions, each of which asks again for those that repeat one of its own; the connection has also been used
    // to find keys and count requests. One by one they would take three turns each.
    expect(Math.min(...written.map(({ turns }) => turns))).toBeLessThan(2 * 40)
  })
})

describe.skipIf(!hasPostgres)("creates that come while another instance has the account", () => {
  test("share the transaction that waits for it, and see each other", async () => {
    await using instances = await openInstances(1)
    const [one] = instances.all
    const place = new URL("/metrics", one!.url)
    const queued = async () => {
      const text = await (await fetch(place)).text()
      return Number(/^leaddb_write_queue_depth (\d+)$/m.exec(text)?.[1])
    }
    const sql = new SQL(instances.database, { max: 1 })
    const other = await sql.reserve()
    await other`BEGIN`
    await other`SELECT 1 FROM accounts FOR UPDATE`
    const first = one!.call("POST", "/leads", lead(0))
    await until("it waits for the account", async () => {
      const [waiting] = await other`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`
      return waiting !== undefined
    })
    const later = [lead(1), lead(0), lead(2)].map((each) => one!.call("POST", "/leads", each))
    await until("the others wait, too", async () => (await queued()) === 3)
    await other`ROLLBACK`
    const replies = await Promise.all([first, ...later])
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 200, 201])
    const [made] =
      await other`SELECT count(DISTINCT xmin::text)::int AS transactions, count(*)::int AS leads FROM leads`
    expect(made).toEqual({ transactions: 1, leads: 3 })
    other.release()
    await sql.close()
  })
})

describe.skipIf(!hasPostgres)("leads and keys that are asked for at once", () => {
  test("share a statement for 64, and everybody gets what is theirs", async () => {
    await using opened = await throughDetour()
    const { one, detour, way, instances } = opened
    const other = await instances.account({})
    for (const at of [0, 40, 80])
      await one.call("POST", "/leads/batch", { leads: numbers(40).map((i) => lead(at + i)) })
    const { leads } = (await one.call("GET", "/leads?limit=100")).body
    const ids: string[] = leads.map(({ id }: { id: string }) => id)
    const store = await openPostgresStore(way, createIds(systemClock))
    const { apiKeys, leads: reads } = store.read
    const keys = [instances.key, other.key, "ldb_unknown"]
    detour.mark()
    const holders = await Promise.all(keys.map((key) => apiKeys.findByHash(hashApiKey(key))))
    expect(holders.map((holder) => holder?.account.id === other.id)).toEqual([false, true, false])
    expect(holders[2]).toBeUndefined()
    const [own, foreign] = [holders[0]!.account.key, holders[1]!.account.key]
    const found = await Promise.all([
      ...ids.map((id) => reads.find(own, id)),
      ...ids.slice(0, 10).map((id) => reads.find(foreign, id)),
      reads.find(own, "cl_none"),
    ])
    const sent = detour.ways.map((way) => way.sent).join("")
    await store.close()
    expect(found.slice(0, 100).map((lead) => lead?.data().id)).toEqual(ids)
    expect(found.slice(100).filter((lead) => lead !== undefined)).toEqual([])
    // A list of keys begins with a brace: 111 of leads and 3 of accounts.
    expect(sent.match(/\{"cl_/g)).toHaveLength(2)
    expect(sent.match(/\{"\\\\x/g)).toHaveLength(1)
  })
})

describe.skipIf(!hasPostgres)("round trips of work on many leads", () => {
  const COUNT = 16
  const update = { data: { city: "Marker" } }
  test.each([
    ["an update", 3, "POST /leads/bulk", { action: "update", ...update }],
    ["tags", 3, "POST /leads/bulk", { action: "add_tags", data: { tags: ["Marker"] } }],
    ["a deletion", 3, "POST /leads/bulk", { action: "delete" }],
    ["an update of a list", 3, "PUT /leads/batch", update],
    ["a deletion of a list", 3, "DELETE /leads/batch", {}],
    ["taking back what made them", 5, "POST /changes/revert", undefined],
  ])("of %s of sixteen are %d", async (_, most, operation, how) => {
    await using opened = await throughDetour()
    const { one, detour } = opened
    const [method = "", path = ""] = operation.split(" ")
    const turns: number[] = []
    for (const round of numbers(4)) {
      const leads = numbers(COUNT).map((i) => lead(round * COUNT + i))
      const { batch_id } = (await one.call("POST", "/leads/batch", { leads })).body
      const { body } = await one.call(
        "GET",
        `/leads?filter=and.in.email.${leads.map(({ email }) => email).join(",")}`,
      )
      const ids: string[] = body.leads.map(({ id }: { id: string }) => id)
      expect(ids).toHaveLength(COUNT)
      // Statements are prepared in the first round.
      if (round > 0) detour.delay(20)
      detour.mark()
      const reply = await one.call(method, path, how ? { ids, ...how } : { batch_id })
      detour.delay(0)
      expect([reply.status, reply.body.success ?? reply.body.reverted]).toEqual([200, COUNT])
      const written = detour.ways.filter(({ sent }) => sent.includes(ids[3]!))
      turns.push(...written.map((way) => way.turns))
    }
    // Something else may have had the same connection meanwhile.
    expect(Math.min(...turns.slice(1))).toBe(most)
  })
})

describe.skipIf(!hasPostgres)("a connection that is lost", () => {
  const total = async ({ one }: { one: Instance }) => (await one.call("GET", "/stats")).body.total_leads

  test("before the commit costs nobody anything: the work is done again on another", async () => {
    await using opened = await throughDetour()
    const { one, detour } = opened
    await one.call("POST", "/leads", lead(0))
    for (const i of numbers(3)) {
      detour.cutAt("BEGIN", i % 2 ? "before" : "after")
      expect((await one.call("POST", "/leads", lead(1 + i))).status).toBe(201)
    }
    const sql = new SQL(opened.instances.database, { max: 1 })
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`
    await sql.close()
    expect((await one.call("POST", "/leads", lead(10))).status).toBe(201)
    expect(await total(opened)).toBe(5)
  })

  test.each(["before", "after"] as const)(
    "at the commit, %s it is done, leaves the outcome open, and the Idempotency-Key finds out",
    async (when) => {
      await using opened = await throughDetour()
      const { one, detour } = opened
      await one.call("POST", "/leads", lead(0))
      detour.mark()
      // Its own transaction: work in the background commits, too.
      detour.cutAt("COMMIT", when, "p1@x.example")
      const first = await one.call("POST", "/leads", lead(1), { "Idempotency-Key": "k" })
      expect(first.body).toMatchObject({ code: "outcome_unknown" })
      expect([first.status, first.headers.get("retry-after")]).toEqual([503, "1"])
      const again = await one.call("POST", "/leads", lead(1), { "Idempotency-Key": "k" })
      expect(again.status).toBe(201)
      expect(again.headers.get("idempotency-replayed")).toBe(when === "after" ? "true" : null)
      expect(await total(opened)).toBe(2)
    },
  )

  test("and does not come back gives 503 with Retry-After, and all is well when it does", async () => {
    await using opened = await throughDetour()
    const { one, detour } = opened
    await one.call("POST", "/leads", lead(0))
    detour.close(true)
    detour.cut()
    for (const [method, path, body] of [
      ["GET", "/leads", undefined],
      ["POST", "/leads", lead(1)],
    ] as const) {
      const refused = await one.call(method, path, body)
      expect([refused.status, refused.body.code]).toEqual([503, "unavailable"])
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    }
    detour.close(false)
    await until("it answers", async () => (await one.call("GET", "/leads")).status === 200)
    expect((await one.call("POST", "/leads", lead(2))).status).toBe(201)
    expect(await total(opened)).toBe(2)
  })
})
