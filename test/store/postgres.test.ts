import { afterEach, describe, expect, test } from "bun:test"
import { systemClock } from "../../src/core/clock.ts"
import { AppError } from "../../src/core/errors.ts"
import { createIds } from "../../src/core/ids.ts"
import { openPostgresStore } from "../../src/store/postgres/index.ts"
import type { Store } from "../../src/store/store.ts"
import { emptyDatabase, hasPostgres, newDatabase } from "../support/postgres.ts"
import { storeContract } from "./contract.ts"

const opened: Store[] = []
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})

async function open(url: string | Promise<string> = newDatabase()): Promise<Store> {
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

  test("a failing work leaves nothing, and its neighbours unharmed", async () => {
    const store = await open()
    const results = await Promise.allSettled([
      insert(store, "acc_1"),
      store.writeAcross(async (tx) => {
        await tx.accounts.insert(account("acc_2"))
        throw new AppError("conflict", "no")
      }),
      insert(store, "acc_1"),
      insert(store, "acc_3"),
    ])
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"])
    expect((await store.read.accounts.list()).map(({ id }) => id)).toEqual(["acc_1", "acc_3"])
  })

  test("an attempt that fails is undone, and the work goes on", async () => {
    const store = await open()
    await store.writeAcross(async (tx) => {
      await tx.accounts.insert(account("acc_1"))
      await tx.attempt(() => tx.accounts.insert(account("acc_1"))).catch(() => undefined)
      await tx.accounts.insert(account("acc_2"))
    })
    expect((await store.read.accounts.list()).map(({ id }) => id)).toEqual(["acc_1", "acc_2"])
  })

  storeContract(open, ["write", "the audit trail"])
})
