// The keys of an account that the matcher keeps in memory while leads come.
import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { NO_FILTER } from "../../src/filters/lead-query.ts"
import type { LeadData } from "../../src/lead/lead.ts"
import { KEY_MAX, keysOf, prepare, termsOf } from "../../src/matching/matcher/index.ts"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import type { MatchingStore, Store } from "../../src/store/contract/store.ts"
import { openMatchingStore } from "../../src/store/sqlite/duplicates/matching-store.ts"
import { openSqliteStore } from "../../src/store/sqlite/index.ts"
import { type AccountIndex, readAccountIndex } from "../../src/worker/matching/account-index.ts"
import type { Matcher } from "../../src/worker/matching/matcher.ts"
import { leadData } from "../store/given.ts"
import { onPostgres } from "../support/database.ts"
import { temporaryFolder } from "../support/folder.ts"
import { matcherAlone } from "../support/matcher.ts"

/** Which leads of a common key are kept is not told. */
const unlessCommon = (refs: number[]) => (refs.length > KEY_MAX ? "common" : refs)

describe.skipIf(onPostgres)("leads that come while an account is compared", () => {
  let store: Store
  let matching: MatchingStore
  let matcher: Matcher
  let file: string
  let account: number
  let made = 0
  const indexOf = () => readAccountIndex(matching, account, async () => undefined)

  function open(): void {
    matching = openMatchingStore(file)
    matcher = matcherAlone(matching, () => 1)
  }

  beforeEach(async () => {
    file = join(temporaryFolder(), "leads.db")
    store = openSqliteStore(file, createIds(systemClock))
    account = await store.writeAcross((tx) =>
      tx.accounts.insert({ id: "acc_1", name: "one", plan: "enterprise", created_at: 1 }),
    )
    open()
  })
  afterEach(async () => {
    await matching.close()
    await store.close()
  })

  const twinOf = (i: number, name = `Gasthof Rebstock ${i}`): Partial<LeadData> => ({
    name,
    city: "Wien",
    phone: `+43 1 ${5_000_000 + 131 * i}`,
    address: `Rebgasse ${i}`,
  })

  async function insert(leads: readonly Partial<LeadData>[]): Promise<LeadData[]> {
    const all = leads.map((lead) => leadData({ id: `cl_${String(++made).padStart(6, "0")}`, ...lead }))
    await store.write(account, async (tx) => {
      for (const lead of all) await tx.leads.insert(account, lead, 0)
    })
    return all
  }

  async function change(lead: LeadData, fields: Partial<LeadData>): Promise<LeadData> {
    const changed = { ...lead, ...fields }
    const row = (await store.read.leads.find(account, lead.id))!
    await store.write(account, (tx) => tx.leads.replace(account, row, lead, changed, 0))
    return changed
  }

  async function compared(): Promise<void> {
    await store.indexAll()
    await matcher.work()
  }

  async function pairs(): Promise<string[]> {
    const query = { state: "open", least: 0.5, filter: NO_FILTER, limit: 10_000 } as const
    const page = await store.read.duplicates.page(account, query)
    return page.pairs.map(({ a, b }) => [a.data().id, b.data().id].sort().join(" ")).toSorted()
  }

  test("are found among those before them, as they are now, and by those behind them", async () => {
    // So many that all keys of the account are read into memory.
    const first = await insert(Array.from({ length: 1_200 }, (_, i) => twinOf(i)))
    await compared()
    expect(await pairs()).toEqual([])
    const second = await insert([twinOf(7, "Rebstock Gasthof 7")])
    await compared()
    expect(await pairs()).toEqual([`${first[7]!.id} ${second[0]!.id}`])
    await change(second[0]!, twinOf(2_000))
    await compared()
    expect(await pairs()).toEqual([])
    const third = await insert([twinOf(2_000, "Rebstock Gasthof 2000"), twinOf(7, "Rebstock Gasthof 7")])
    await compared()
    expect(await pairs()).toEqual(
      [`${second[0]!.id} ${third[0]!.id}`, `${first[7]!.id} ${third[1]!.id}`].toSorted(),
    )
  })

  test("are found though another process compared the last ones", async () => {
    const first = await insert(Array.from({ length: 1_200 }, (_, i) => twinOf(i)))
    await compared()
    const [mine, of] = [matching, matcher]
    open()
    const second = await insert([twinOf(2_000)])
    await compared()
    await matching.close()
    ;[matching, matcher] = [mine, of]
    const third = await insert([twinOf(2_000, "Rebstock Gasthof 2000")])
    await compared()
    expect(await pairs()).toEqual([`${second[0]!.id} ${third[0]!.id}`])
    expect(first.length).toBe(1_200)
  })

  test("are in the keys in memory as they are in keys that are read again", async () => {
    const leads = await insert(Array.from({ length: 300 }, (_, i) => twinOf(i % 120)))
    await compared()
    const index = await indexOf()
    const entriesOf = (lead: LeadData) => {
      const is = prepare(lead)
      return {
        probes: keysOf(is).map((key) => ({ key, weight: 1, isOwn: true })),
        terms: termsOf(is),
      }
    }
    const refOf = async (lead: LeadData) => (await store.read.leads.find(account, lead.id))!.ref
    // More than are kept aside.
    for (let round = 0; round < 30; round++)
      for (const [i, lead] of leads.slice(0, 100).entries()) {
        const is = await change(lead, twinOf(1_000 * round + i, `Zum Anker ${i}`))
        index.change([{ ref: await refOf(lead), before: entriesOf(lead), after: entriesOf(is) }])
        leads[i] = is
      }
    await compared()
    const again = await indexOf()
    const told = (one: AccountIndex) =>
      leads.map((lead) => {
        const { probes, terms } = entriesOf(lead)
        return [
          probes.map(({ key }) => [...one.members(key)].toSorted((x, y) => x - y)).map(unlessCommon),
          terms.map((term) => one.rarity.count(term)),
        ]
      })
    expect(told(index)).toEqual(told(again))
  })
})
