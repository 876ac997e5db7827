// Changes that other instances on a PostgreSQL database make: heard of by notifications, and without them by asking.
import { afterEach, describe, expect, test } from "bun:test"
import type { SQL } from "bun"
import { connect, dbOf, sendQuery } from "../../src/store/postgres/connection/query.ts"
import { createTrailNews, createTrailWatch } from "../../src/store/postgres/trail-watch.ts"
import type { Db } from "../../src/store/sql/db.ts"
import { giveBackDatabase, hasPostgres, newDatabase, runOnce, startPostgres } from "../support/postgres.ts"
import { until } from "../support/until.ts"

await startPostgres()

const AN_HOUR = 3_600_000
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function database(): Promise<string> {
  const url = await newDatabase()
  ends.push(() => giveBackDatabase(url))
  await runOnce(
    url,
    "INSERT INTO accounts (key, id, name, plan, created_at) OVERRIDING SYSTEM VALUE VALUES (7, 'a', 'a', 'free', 0)",
  )
  return url
}

function connected(url: string): { sql: SQL; db: Db; asked: string[] } {
  const sql = connect(url, 2)
  ends.push(() => sql.close())
  const asked: string[] = []
  const pool = dbOf((text, params) => sendQuery(sql, text, params))
  const db: Db = {
    ...pool,
    all: (text, params) => {
      asked.push(text)
      return pool.all(text, params)
    },
  }
  return { sql, db, asked }
}

/** An instance that looks by itself next to never, or all the time. */
function instance(url: string, lookMs: number) {
  const { sql, db, asked } = connected(url)
  const watch = createTrailWatch(db, createTrailNews(sql, db), lookMs)
  ends.push(async () => watch.close())
  return { watch, asked }
}

const LISTENING =
  "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%' AND state = 'idle'"

async function listening(url: string): Promise<number> {
  let rows: Record<string, unknown>[] = []
  await until("somebody listens", async () => {
    rows = await runOnce(url, LISTENING)
    return rows.length === 1
  })
  return Number(rows[0]!.pid)
}

describe.skipIf(!hasPostgres)("changes of another instance", () => {
  test("wake who waits for them, long before anybody would have looked", async () => {
    const url = await database()
    const [here, there] = [instance(url, AN_HOUR), instance(url, AN_HOUR)]
    const changes = there.watch.watch(7)
    await changes.ready
    here.watch.grown(7)
    expect(await changes.wait(AN_HOUR)).toBe(true)
    changes.end()
  })

  test("are heard of only once the database listens, which can be waited for", async () => {
    const { db } = connected(await database())
    const listens = Promise.withResolvers<void>()
    const sql = { listen: () => listens.promise } as unknown as SQL
    const watch = createTrailWatch(db, createTrailNews(sql, db), AN_HOUR)
    ends.push(async () => watch.close())
    const { ready, end } = watch.watch(7)
    expect(await Promise.race([ready, db.all("SELECT 1 AS waited")])).toEqual([{ waited: 1 }])
    listens.resolve()
    await ready
    end()
  })

  test("wake nobody who waits for another account's", async () => {
    const url = await database()
    const [here, there] = [instance(url, AN_HOUR), instance(url, AN_HOUR)]
    const [own, other] = [there.watch.watch(7), there.watch.watch(70)]
    await own.ready
    here.watch.grown(7)
    expect(await own.wait(AN_HOUR)).toBe(true)
    expect(await other.wait(0)).toBe(false)
    for (const one of [own, other]) one.end()
  })

  test("are told of together where there are many at once", async () => {
    const url = await database()
    const [here, there] = [instance(url, AN_HOUR), instance(url, AN_HOUR)]
    const changes = there.watch.watch(7)
    await listening(url)
    for (let account = 0; account < 1_000; account++) here.watch.grown(account)
    for (let round = 0; round < 1_000; round++) here.watch.grown(7)
    expect(await changes.wait(AN_HOUR)).toBe(true)
    await until("all were told", async () => here.asked.length === 3)
    expect(new Set(here.asked).size).toBe(1)
    changes.end()
  })

  test("are heard of again when the connection was lost that listened", async () => {
    const url = await database()
    const [here, there] = [instance(url, AN_HOUR), instance(url, AN_HOUR)]
    const changes = there.watch.watch(7)
    const first = await listening(url)
    await runOnce(url, `SELECT pg_terminate_backend(${first}, 5000)`)
    await until("it listens again", async () => (await listening(url)) !== first)
    here.watch.grown(7)
    expect(await changes.wait(AN_HOUR)).toBe(true)
    changes.end()
  })

  test("are found by looking where no notification comes", async () => {
    const url = await database()
    const { db } = connected(url)
    const deaf = { tell() {}, hear: async () => {}, close() {} }
    const watch = createTrailWatch(db, deaf, 10)
    ends.push(async () => watch.close())
    const changes = watch.watch(7)
    await changes.wait(AN_HOUR)
    expect(await changes.wait(0)).toBe(false)
    await runOnce(url, "UPDATE accounts SET trail_head = 1 WHERE key = 7")
    expect(await changes.wait(AN_HOUR)).toBe(true)
    changes.end()
  })
})
