// Which process compares the leads of an account, and that nobody who writes leads waits for it.
import { expect, test } from "bun:test"
import { systemClock } from "../../src/core/clock.ts"
import { createIds } from "../../src/core/ids.ts"
import type { MatchingStore, Store } from "../../src/store/contract/store.ts"
import { openMatchingStore, openPostgresStore } from "../../src/store/postgres/index.ts"
import { leadData } from "../store/given.ts"
import { addAccountTo } from "../support/account.ts"
import { giveBackDatabase, hasPostgres, newDatabase, runOnce, startPostgres } from "../support/postgres.ts"

await startPostgres()

async function opened() {
  const database = await newDatabase()
  const store = await openPostgresStore(database, createIds(systemClock))
  const { id } = await addAccountTo(store)
  const account = (await store.read.accounts.find(id))!.key
  const [one, other] = [openMatchingStore(database), openMatchingStore(database)]
  return {
    ...{ database, store, account, one, other },
    async [Symbol.asyncDispose]() {
      for (const each of [one, other, store]) await each.close()
      await giveBackDatabase(database)
    },
  }
}

const insert = (store: Store, account: number, lead = leadData()) =>
  store.write(account, (tx) => tx.leads.insert(account, lead, 0))

/** Indexes what waits. */
async function index(matching: MatchingStore, account: number): Promise<void> {
  const nothing = { dropKeys: [], addKeys: [], dropTerms: [], addTerms: [] }
  const queued = await matching.queued(account, 10)
  await matching.index(
    account,
    queued.map(({ ref, turn }) => ({ ref, turn, ...nothing, entries: undefined, isThere: true })),
  )
}

const left = async (matching: MatchingStore, account: number) =>
  (await matching.queued(account, 10)).map(({ ref }) => ref)

test.skipIf(!hasPostgres)("the leads of an account are compared by one process at a time", async () => {
  await using all = await opened()
  const { store, account, one, other } = all
  const { ref } = await insert(store, account)
  expect(await one.accounts()).toEqual([account])
  expect(await other.accounts()).toEqual([])
  expect(await one.accounts()).toEqual([account])
  await index(other, account)
  expect(await left(other, account)).toEqual([ref])
  await one.close()
  expect(await other.accounts()).toEqual([account])
  await index(other, account)
  expect(await left(other, account)).toEqual([])
})

test.skipIf(!hasPostgres)("who is done lets an account go", async () => {
  await using all = await opened()
  const { store, account, one, other } = all
  const { ref } = await insert(store, account)
  expect(await one.accounts()).toEqual([account])
  await index(one, account)
  await one.compared(account, [{ ref, found: [], lost: [] }], 1)
  expect(await one.accounts()).toEqual([])
  await insert(store, account)
  expect(await other.accounts()).toEqual([account])
})

test.skipIf(!hasPostgres)("whose time is over is replaced, and writes nothing any more", async () => {
  await using all = await opened()
  const { database, store, account, one, other } = all
  const { ref } = await insert(store, account)
  expect(await one.accounts()).toEqual([account])
  await runOnce(database, "UPDATE matching_leases SET until = 0")
  expect(await other.accounts()).toEqual([account])
  await index(one, account)
  await one.compared(account, [{ ref, found: [], lost: [] }], 1)
  expect(await left(one, account)).toEqual([ref])
  expect(await one.accounts()).toEqual([])
  await index(other, account)
  expect(await left(other, account)).toEqual([])
  expect(await other.due(account, 10)).toEqual([ref])
})

test.skipIf(!hasPostgres)(
  "indexing waits for no transaction of the account, nor for a lead that it changes",
  async () => {
    await using all = await opened()
    const { store, account, one } = all
    const [changed, another] = [leadData(), leadData()]
    const row = await insert(store, account, changed)
    await insert(store, account, another)
    expect(await one.accounts()).toEqual([account])
    await store.write(account, async (tx) => {
      await tx.leads.replace(account, row, changed, { ...changed, name: "Changed" }, 0)
      // What was put off is written before something is read.
      await tx.leads.find(account, another.id)
      await index(one, account)
      expect(await left(one, account)).toEqual([row.ref])
    })
    const [again] = await one.queued(account, 10)
    expect(again).toMatchObject({ ref: row.ref, turn: 1 })
  },
)
