// Which process compares the leads of an account, and that nobody who writes leads waits for it.
import { expect, test } from "bun:test"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
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
  const nothing = { keys: [], dropTerms: [], addTerms: [] }
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

test.skipIf(!hasPostgres)(
  "keys and terms are an account's own, and are read in the order of their numbers",
  async () => {
    await using all = await opened()
    const { database, store, account, one } = all
    const { id } = await addAccountTo(store)
    const others = (await store.read.accounts.find(id))!.key
    /** Indexes a new lead for each list of keys; its number. */
    async function indexed(of: number, ...lists: number[][]): Promise<number[]> {
      await one.accounts()
      const refs: number[] = []
      for (const keys of lists) {
        const { ref } = await insert(store, of)
        refs.push(ref)
        await rewrite(of, ref, keys)
      }
      return refs
    }
    async function rewrite(of: number, ref: number, keys: number[]): Promise<void> {
      const queued = (await one.queued(of, 10)).find((lead) => lead.ref === ref)
      const terms = { dropTerms: [], addTerms: keys }
      await one.index(of, [{ ref, turn: queued?.turn, keys, ...terms, entries: undefined, isThere: true }])
    }
    const [low, high] = [-(2 ** 31), 2 ** 31 - 1]
    await insert(store, account)
    await insert(store, others)
    const [a, b, c] = (await indexed(account, [low, -1, 7], [low, 7, high], [low, high, -1])) as [
      number,
      number,
      number,
    ]
    await indexed(others, [low, 7], [7, high])
    expect(await one.members(account, [7, -1, low, 8, high], 2)).toEqual(
      new Map([
        [7, [a, b]],
        [-1, [a, c]],
        [low, [a, b]],
        [high, [b, c]],
      ]),
    )
    expect(await one.members(account, [low], 3)).toEqual(new Map([[low, [a, b, c]]]))
    /** All shared keys, of an account that is taken for as large. */
    async function shared(leads: number, most: number, least: 1 | 2 = 2) {
      await runOnce(database, `UPDATE accounts SET lead_count = ${leads} WHERE key = ${account}`)
      const parts: [number, number[]][] = []
      for (let after: number | undefined; ; ) {
        const { rows, next } = await one.sharedKeys(account, after, most, least)
        for (const { key, refs } of rows) parts.push([key, refs])
        if (next === undefined) return parts
        after = next
      }
    }
    const pairs = [
      [-1, [a, c]],
      [7, [a, b]],
      [high, [b, c]],
    ] as [number, number[]][]
    for (const leads of [0, 3, 250_000, 1_000_000]) {
      expect(await shared(leads, 2)).toEqual([[low, [a, b]], ...pairs])
      expect(await shared(leads, 3)).toEqual([[low, [a, b, c]], ...pairs])
    }
    expect(await one.sharedTerms(account, undefined, 2)).toEqual({
      rows: [
        { term: low, leads: 3 },
        { term: -1, leads: 2 },
        { term: 7, leads: 2 },
        { term: high, leads: 2 },
      ],
      next: undefined,
    })
    expect(await one.counts(account, [high, 8])).toEqual(new Map([[high, 2]]))
    await rewrite(account, b, [7])
    await rewrite(account, c, [])
    expect(await shared(3, 60, 1)).toEqual([
      [low, [a]],
      [-1, [a]],
      [7, [a, b]],
    ])
  },
)
