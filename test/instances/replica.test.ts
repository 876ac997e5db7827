// Questions that are read from a standby of the database.
import { describe, expect, test } from "bun:test"
import { SQL } from "bun"
import { openInstances } from "../support/instances.ts"
import { hasPostgres, startPostgres } from "../support/postgres.ts"
import { serverPrograms, startServer, startStandby } from "../support/postgres-server.ts"
import { until } from "../support/until.ts"

await startPostgres()

const lead = (i: number) => ({ name: `Lead ${i}`, source: "web", email: `p${i}@x.example`, city: "Wien" })

async function answers(url: string): Promise<true> {
  return until("the server answers", async () => {
    const sql = new SQL(url, { max: 1 })
    try {
      await sql`SELECT 1`
      return true
    } catch {
      return false
    } finally {
      await sql.close().catch(() => undefined)
    }
  })
}

describe.skipIf(!hasPostgres || serverPrograms() === undefined)("a replica", () => {
  test("answers questions with all that was written before, and without it the primary does", async () => {
    const primary = startServer(serverPrograms()!)
    await answers(primary)
    await using instances = await openInstances(1, {}, () => primary)
    const [writer] = instances.all
    await writer!.call("POST", "/leads", lead(0))
    const replica = await startStandby(serverPrograms()!, primary, primary)
    await answers(replica)
    const one = await instances.start({ LEADDB_DATABASE_READ: replica })
    const standby = new SQL(replica, { max: 1 })
    /** Statements about leads that the replica has run for the service. */
    const asked = async () => {
      const rows =
        await standby`SELECT query FROM pg_stat_activity WHERE application_name LIKE 'leaddb reader%'`
      return rows.length
    }
    const count = async () => (await one.call("GET", "/leads/aggregate?group_by=city&metrics=count")).body
    for (let i = 1; i <= 20; i++) {
      expect((await writer!.call("POST", "/leads", lead(i))).status).toBe(201)
      expect((await count()).total).toBe(i + 1)
    }
    expect(await asked()).toBeGreaterThan(0)
    // It follows no more: what it has is old.
    await standby`SELECT pg_wal_replay_pause()`
    for (let i = 21; i <= 23; i++) {
      await writer!.call("POST", "/leads", lead(i))
      expect((await count()).total).toBe(i + 1)
    }
    await standby`SELECT pg_wal_replay_resume()`
    await standby.close()
    const csv = await one.call("GET", "/leads/export?format=csv")
    expect(csv.body.trim().split("\n")).toHaveLength(25)
    const elsewhere = await instances.start({ LEADDB_DATABASE_READ: "postgres://leaddb@127.0.0.1:1/none" })
    const { status, body } = await elsewhere.call("GET", "/leads/aggregate?group_by=city")
    expect([status, body.total]).toEqual([200, 24])
  })
})
