// A database that is there and does not answer, and accounts that are held.
import { afterAll, describe, expect, test } from "bun:test"
import { SQL } from "bun"
import { openInstances } from "../support/instances.ts"
import { hasPostgres, runOnce, startPostgres } from "../support/postgres.ts"
import { serverPrograms, startServer } from "../support/postgres-server.ts"
import { until } from "../support/until.ts"

await startPostgres()

const lead = (i: number) => ({ name: `Lead ${i}`, source: "web", email: `p${i}@x.example` })

/** Programs that were stopped and have to go on, whatever becomes of the test. */
const stopped: number[] = []
const goOn = () => {
  for (const pid of stopped.splice(0)) process.kill(pid, "SIGCONT")
}
afterAll(goOn)

/** Stops all processes of a server's connections: they take what is sent and answer nothing. */
async function stall(database: string): Promise<void> {
  const [postmaster] = await runOnce(database, "SELECT pg_read_file('postmaster.pid') AS text")
  const rows = await runOnce(
    database,
    "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
  )
  for (const pid of [Number.parseInt(String(postmaster!.text), 10), ...rows.map((row) => Number(row.pid))]) {
    process.kill(pid, "SIGSTOP")
    stopped.push(pid)
  }
}

async function ownServer(): Promise<string> {
  const url = startServer(serverPrograms()!)
  await until("the server answers", () =>
    runOnce(url, "SELECT 1").then(
      () => true,
      () => false,
    ),
  )
  return url
}

describe.skipIf(!hasPostgres || serverPrograms() === undefined)("a database that stalls", () => {
  test("gets every request an answer that says to try again, and all is well when it goes on", async () => {
    const server = await ownServer()
    await using instances = await openInstances(1, {}, () => server)
    const [one] = instances.all
    const made = await one!.call("POST", "/leads", lead(0))
    await one!.call("GET", "/leads/aggregate?group_by=city")
    const ready = () => fetch(new URL("/readyz", one!.url))
    expect((await ready()).status).toBe(200)
    await stall(server)
    try {
      const replies = await Promise.all([
        one!.call("GET", `/leads/${made.body.id}`),
        one!.call("GET", "/leads"),
        one!.call("GET", "/leads/aggregate?group_by=city"),
        one!.call("POST", "/leads", lead(1)),
        ready(),
      ])
      expect(replies.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
      for (const { headers } of replies.slice(0, 4)) expect(headers.get("retry-after")).not.toBeNull()
      expect((await one!.call("GET", "/leads")).status).toBe(503)
    } finally {
      goOn()
    }
    await until("it answers again", async () => (await ready()).status === 200)
    await until("it writes again", async () => (await one!.call("POST", "/leads", lead(2))).status < 300)
    expect((await one!.call("GET", `/leads/${made.body.id}`)).status).toBe(200)
    expect((await one!.call("GET", "/leads/aggregate?group_by=city")).status).toBe(200)
  })
})

describe.skipIf(!hasPostgres)("an account that another program holds", () => {
  test("is answered 503 with Retry-After, while the instance is ready and others are served", async () => {
    await using instances = await openInstances(1)
    const [one] = instances.all
    const other = await instances.account({})
    await one!.call("POST", "/leads", lead(0))
    const sql = new SQL(instances.database, { max: 1 })
    const held = await sql.reserve()
    await held`BEGIN`
    await held`SELECT 1 FROM accounts WHERE id <> ${other.id} FOR UPDATE`
    const ready = async () => (await fetch(new URL("/readyz", one!.url))).status
    const first = one!.call("POST", "/leads", lead(1))
    await until("it waits for the account", async () => {
      const [waiting] = await held`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`
      return waiting !== undefined
    })
    let isOver = false
    const waited = first.finally(() => {
      isOver = true
    })
    const seen = new Set<number>()
    while (!isOver) {
      seen.add(await ready())
      await Bun.sleep(100)
    }
    const { status, headers, body } = await waited
    expect([status, body.code, headers.get("retry-after")]).toEqual([503, "unavailable", "2"])
    expect([...seen, await ready()]).toEqual([200, 200])
    const theirs = await one!.call("POST", "/leads", lead(1), { "X-API-Key": other.key })
    expect(theirs.status).toBe(201)
    await held`ROLLBACK`
    expect((await one!.call("POST", "/leads", lead(1))).status).toBe(201)
    held.release()
    await sql.close()
  })
})

describe.skipIf(!hasPostgres)("an account whose numbers are behind its leads", () => {
  test("takes creates all the same, and its numbers are right again", async () => {
    await using instances = await openInstances(1)
    const [one] = instances.all
    for (const i of [0, 1, 2]) await one!.call("POST", "/leads", lead(i))
    await runOnce(instances.database, "UPDATE accounts SET lead_head = 1, lead_count = 9, trail_head = 0")
    const replies = await Promise.all([3, 4].map((i) => one!.call("POST", "/leads", lead(i))))
    expect(replies.map(({ status }) => status)).toEqual([201, 201])
    const [row] = await runOnce(instances.database, "SELECT lead_head, lead_count, trail_head FROM accounts")
    expect(row).toEqual({ lead_head: 5, lead_count: 5, trail_head: 5 })
  })
})

describe.skipIf(!hasPostgres)("a database that a newer leaddb has changed", () => {
  test("is not written by an older one that does not fit, which is not ready; one that fits goes on", async () => {
    await using instances = await openInstances(1)
    const [one] = instances.all
    const { database } = instances
    const ready = async () => (await fetch(new URL("/readyz", one!.url))).status
    const bring = (version: number, least: number) =>
      runOnce(database, `INSERT INTO schema_versions (version, least) VALUES (${version}, ${least})`)
    await one!.call("POST", "/leads", lead(0))
    await bring(998, 9)
    expect((await one!.call("POST", "/leads", lead(1))).status).toBe(201)
    await bring(999, 999)
    const refused = await until("it stops writing", async () => {
      const reply = await one!.call("POST", "/leads", lead(Math.floor(Math.random() * 1e9)))
      return reply.status === 503 && reply
    })
    expect(refused.body).toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("schema 999"),
    })
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    expect(await ready()).toBe(503)
    expect((await one!.call("GET", "/leads")).status).toBe(200)
    await runOnce(database, "DELETE FROM schema_versions WHERE version > 900")
    await until("it is ready again", async () => (await ready()) === 200)
  })
})

describe.skipIf(!hasPostgres)("an instance", () => {
  test("opens twelve connections at most, or as many as it is told, whatever is asked at once", async () => {
    await using instances = await openInstances(1)
    const other = await instances.start({ LEADDB_DATABASE_CONNECTIONS: "8" })
    let most = 0
    async function count(): Promise<void> {
      const rows = await runOnce(
        instances.database,
        "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
      )
      most = Math.max(most, Number(rows[0]!.n))
    }
    const keys = await Promise.all([1, 2, 3, 4].map(() => instances.account({ plan: "enterprise" })))
    let isOver = false
    const counting = (async () => {
      while (!isOver) await count()
    })()
    for (const { url, call } of instances.all) {
      expect(url).toStartWith("http")
      await Promise.all(
        keys.flatMap(({ key }, k) =>
          Array.from({ length: 20 }, async (_, i) => {
            const headers = { "X-API-Key": key }
            await call("POST", "/leads", lead(k * 100 + i), headers)
            await call("GET", "/leads?filter=and.contains.name.ead", undefined, headers)
            await call("GET", "/leads/aggregate?group_by=source", undefined, headers)
          }),
        ),
      )
      await call("GET", "/changes?wait=1")
    }
    isOver = true
    await counting
    expect(other.url).toStartWith("http")
    expect(most).toBeGreaterThan(4)
    expect(most).toBeLessThanOrEqual(20)
  })
})
