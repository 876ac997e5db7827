import { afterEach, describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { type ReservedSQL, SQL } from "bun"
import { parseFilters } from "../../src/domain/leads/list/filter.ts"
import { parseSort } from "../../src/domain/leads/list/list.ts"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import type { Store } from "../../src/store/contract/store.ts"
import { lookupsAlone } from "../../src/store/postgres/connection/lookups.ts"
import { dbOf, sendQuery } from "../../src/store/postgres/connection/query.ts"
import { openPostgresStore } from "../../src/store/postgres/index.ts"
import { leadReads } from "../../src/store/postgres/leads/leads.ts"
import { NO_CANDIDATES } from "../../src/store/postgres/search/text-index.ts"
import { companyReads } from "../../src/store/tables/companies.ts"
import { temporaryFolder } from "../support/folder.ts"
import {
  emptyDatabase,
  giveBackDatabase,
  hasPostgres,
  newDatabase,
  startPostgres,
} from "../support/postgres.ts"
import { until } from "../support/until.ts"
import { storeContract } from "./contract.ts"

await startPostgres()

const opened: Store[] = []
const databases = new Set<string>()
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  for (const url of databases) await giveBackDatabase(url)
  databases.clear()
})

async function anotherDatabase(): Promise<string> {
  const url = await newDatabase()
  databases.add(url)
  return url
}

async function open(url: string | Promise<string> = anotherDatabase()): Promise<Store> {
  const store = await openPostgresStore(await url, createIds(systemClock))
  opened.push(store)
  return store
}

const account = (id: string) => ({ id, name: id, plan: "free", created_at: 0 })
const insert = (store: Store, id: string) => store.writeAcross((tx) => tx.accounts.insert(account(id)))

describe.skipIf(!hasPostgres)("PostgreSQL as a store", () => {
  test("makes its tables in an empty database, also when several open it at once", async () => {
    const url = await emptyDatabase()
    const stores = await Promise.all([open(url), open(url), open(url)])
    await insert(stores[0], "acc_1")
    expect(await stores[1].read.accounts.list()).toHaveLength(1)
    expect(stores[1].secret).toEqual(stores[2].secret)
  })

  test("writes nothing that had to wait for a move which took the data away", async () => {
    const url = await anotherDatabase()
    const store = await open(url)
    const key = await insert(store, "acc_1")
    const sql = new SQL(url, { max: 1 })
    const move = await sql.reserve()
    await move`BEGIN`
    await move`LOCK TABLE accounts, locks IN EXCLUSIVE MODE`
    const writes = [
      store.write(key, (tx) => tx.accounts.setStatuses(key, "late")),
      insert(store, "acc_2"),
    ].map((write) => write.catch((error) => error.message))
    await until("both wait", async () => {
      const [{ n }] = await move`SELECT count(*)::int AS n FROM pg_locks
        WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
      return n === 2
    })
    await move`INSERT INTO settings (name, value) VALUES ('moved_to', 'elsewhere.db'::bytea)`
    await move`COMMIT`
    const message = expect.stringContaining("has been moved to another database")
    expect(await Promise.all(writes)).toEqual([message, message])
    expect((await store.read.accounts.list()).map(({ id }) => id)).toEqual(["acc_1"])
    expect(await store.read.accounts.statuses(key)).toBeNull()
    move.release()
    await sql.close()
  })

  storeContract(open)
})

describe.skipIf(!hasPostgres)("lists", () => {
  test("of a city by rating and of companies are in the order of an index", async () => {
    const plans: string[] = []
    const sql = new SQL(await anotherDatabase(), { max: 1 })
    // A table of few leads would be read whole.
    for (const way of ["seqscan", "bitmapscan", "sort"]) await sql.unsafe(`SET enable_${way} = off`)
    const db = dbOf(async (text, params) => {
      const plan = await sendQuery(sql as ReservedSQL, `EXPLAIN ${text}`, params)
      plans.push(plan.map((row) => row["QUERY PLAN"]).join("\n"))
      return Object.assign([], { command: "", count: 0 })
    })
    const reads = leadReads(db, NO_CANDIDATES, lookupsAlone(db))
    const filter = parseFilters(["and.eq.city.Berlin"], { zone: "UTC", now: 0 })
    for (const sort_order of ["ASC", "DESC"])
      await reads.list(1, {
        ...{ filter, sort: parseSort({ sort_by: "rating", sort_order }), after: undefined, limit: 50 },
      })
    for (const plan of plans.splice(0)) {
      expect(plan).toContain("using leads_by_city_rating")
      expect(plan).not.toContain("Sort")
    }
    await companyReads(db).page(1, { ids: undefined, after: undefined, limit: 50 })
    for (const plan of plans) expect(plan).toContain("Index Only Scan using leads_by_company_id")
    await sql.close()
  })
})

describe.skipIf(!hasPostgres)("requests that several instances count", () => {
  test("are allowed up to the limit, whoever asks, and no further", async () => {
    const url = await anotherDatabase()
    const [one, other] = [await open(url), await open(url)]
    const takes = Array.from({ length: 30 }, (_, i) => (i % 2 ? one : other).requests!.take("a", 20, 60_000))
    const counted = await Promise.all(takes)
    expect(counted.filter(({ allowed }) => allowed)).toHaveLength(20)
    expect(Math.max(...counted.map(({ used }) => used))).toBe(20)
    expect((await one.requests!.take("b", 20, 60_000)).allowed).toBe(true)
    const { allowed, wait } = await one.requests!.take("a", 20, 60_000)
    expect([allowed, wait > 0 && wait <= 60_000]).toEqual([false, true])
  })

  test("count no more when their time is over", async () => {
    const store = await open()
    expect((await store.requests!.take("a", 1, 50)).allowed).toBe(true)
    await until("the first is forgotten", async () => (await store.requests!.take("a", 1, 50)).allowed)
  })
})

describe.skipIf(!hasPostgres)("files that wait for a job", () => {
  test("are there for another instance, until they are removed", async () => {
    const url = await anotherDatabase()
    const folders = [temporaryFolder(), temporaryFolder()]
    const [keeper, reader] = [
      (await open(url)).keptFiles!(folders[0]!),
      (await open(url)).keptFiles!(folders[1]!),
    ]
    const bytes = crypto.getRandomValues(new Uint8Array(60_000))
    const many = Array.from({ length: 40 }, () => bytes)
    const name = await keeper.keep(new Blob(many).stream() as unknown as AsyncIterable<Uint8Array>)
    const blob = await reader.open(name)
    expect(Bun.hash(await blob!.bytes())).toBe(Bun.hash(Buffer.concat(many)))
    await reader.remove(name)
    expect(await keeper.open(name)).toBeUndefined()
    for (const folder of folders) rmSync(folder, { recursive: true })
  })
})
