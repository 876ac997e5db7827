// Services whose database is behind a pooler.
import { describe, expect, test } from "bun:test"
import { openInstances } from "../support/instances.ts"
import { hasPgBouncer, openPooler, type Pooler } from "../support/pgbouncer.ts"
import { hasPostgres, holdTransaction, newDatabase, runOnce, startPostgres } from "../support/postgres.ts"
import { openPlace } from "../support/service.ts"
import { until } from "../support/until.ts"

await startPostgres()

const numbers = (n: number) => Array.from({ length: n }, (_, i) => i)
const lead = (i: number) => ({
  ...{ name: `Lead ${i}`, source: "web", email: `p${i}@x.example`, city: i % 2 ? "Wien" : "Graz" },
  attributes: [{ name: "size", type: "number", value: i }],
})

async function behind(mode: "session" | "transaction", env: Record<string, string> = {}, count = 1) {
  let pooler!: Pooler
  const instances = await openInstances(count, env, async (database) => {
    pooler = await openPooler(database, mode)
    return pooler.through(database)
  })
  return {
    ...{ instances, one: instances.all[0]!, pooler },
    async [Symbol.asyncDispose]() {
      await instances[Symbol.asyncDispose]()
      await pooler[Symbol.asyncDispose]()
    },
  }
}

async function statuses(count: number, of: (i: number) => Promise<{ status: number }>) {
  const replies = await Promise.all(numbers(count).map(of))
  return [...new Set(replies.map(({ status }) => status))]
}

describe.skipIf(!hasPostgres || !hasPgBouncer)("behind PgBouncer", () => {
  test.each(["session", "transaction"] as const)(
    "in %s mode all that is asked at once is answered",
    async (mode) => {
      await using opened = await behind(mode)
      const { one, instances } = opened
      expect(await statuses(60, (i) => one.call("POST", "/leads", lead(i)))).toEqual([201])
      const { leads } = (await one.call("GET", "/leads?limit=100&sort_by=name")).body
      expect(leads).toHaveLength(60)
      const id = leads[0].id
      const asked = [
        ["GET", "/leads?filter=and.eq.city.wien&limit=5", undefined],
        ["GET", "/leads?q=lead&total=true", undefined],
        ["GET", `/leads/${id}`, undefined],
        ["GET", "/leads/aggregate?group_by=city", undefined],
        ["GET", "/leads/export?format=csv", undefined],
        ["GET", "/stats", undefined],
        ["PUT", `/leads/${id}`, { city: "Linz" }],
        ["POST", `/leads/${id}/notes`, { content: "called" }],
        ["GET", "/changes?limit=3", undefined],
      ] as const
      const replies = await Promise.all(
        numbers(4).flatMap(() => asked.map(([method, path, body]) => one.call(method, path, body))),
      )
      expect([...new Set(replies.map(({ status }) => status))].toSorted()).toEqual([200, 201])
      expect((await one.call("DELETE", `/leads/${id}`)).status).toBe(204)
      expect((await one.call("GET", "/stats")).body.total_leads).toBe(59)
      const [row] = await runOnce(instances.database, "SELECT lead_count, lead_head FROM accounts")
      expect(row).toEqual({ lead_count: 59, lead_head: 60 })
    },
  )

  test.each(["session", "transaction"] as const)(
    "in %s mode statements have their settings, and a writer that hangs lets go",
    async (mode) => {
      await using opened = await behind(mode)
      const { one, instances } = opened
      await one.call("POST", "/leads", lead(0))
      const letGo = await holdTransaction(instances.database, "SELECT 1 FROM accounts FOR UPDATE")
      const waiting = await one.call("POST", "/leads", lead(1))
      expect([waiting.status, waiting.body.code, waiting.headers.get("retry-after")]).toEqual([
        ...[503, "unavailable", "2"],
      ])
      await letGo()
      expect((await one.call("POST", "/leads", lead(1))).status).toBe(201)
    },
  )

  test("in transaction mode instances hear of each other's changes, past the pooler or by looking", async () => {
    await using opened = await behind("transaction", {}, 2)
    const { instances } = opened
    const [one, other] = instances.all
    await one!.call("POST", "/leads", lead(0))
    const { next_cursor } = (await one!.call("GET", "/changes?order=asc&cursor=now")).body
    const heard = other!.call("GET", `/changes?order=asc&cursor=${next_cursor}&wait=25`)
    await one!.call("POST", "/leads", lead(1))
    expect((await heard).body).toMatchObject({ count: 1 })
    const direct = await instances.start({ LEADDB_DATABASE_DIRECT: instances.database })
    const seen = (await one!.call("GET", "/changes?order=asc&cursor=now")).body.next_cursor
    const again = direct.call("GET", `/changes?order=asc&cursor=${seen}&wait=25`)
    await until("it listens", async () => {
      const rows = await runOnce(
        instances.database,
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
      )
      return rows.length > 0
    })
    await one!.call("POST", "/leads", lead(2))
    expect((await again).body).toMatchObject({ count: 1 })
  })

  test("in transaction mode maintenance wants the address past the pooler, and says so", async () => {
    await using place = openPlace()
    const database = await newDatabase()
    await using pooler = await openPooler(database, "transaction")
    const env = { LEADDB_DATABASE: pooler.through(database) }
    const refused = await place.run(["check"], env)
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("LEADDB_DATABASE_DIRECT")])
    const checked = await place.run(["check"], { ...env, LEADDB_DATABASE_DIRECT: database })
    expect([checked.code, checked.out]).toEqual([0, expect.stringContaining("is sound")])
  })

  test("in session mode maintenance goes through it", async () => {
    await using place = openPlace()
    const database = await newDatabase()
    await using pooler = await openPooler(database, "session")
    const checked = await place.run(["check"], { LEADDB_DATABASE: pooler.through(database) })
    expect([checked.code, checked.out]).toEqual([0, expect.stringContaining("is sound")])
  })

  test("in statement mode it does not start, and says why", async () => {
    await using place = openPlace()
    const database = await newDatabase()
    await using pooler = await openPooler(database, "statement")
    const { code, err } = await place.run(["serve", "--port", "0", "--mcp-port", "0"], {
      LEADDB_DATABASE: pooler.through(database),
    })
    expect([code, err]).toEqual([1, expect.stringContaining("LEADDB_DATABASE")])
  })
})
