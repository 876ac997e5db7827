// What any engine behind store/contract/store.ts must do. An engine's own test calls this with how it is opened.
import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  type Condition,
  type LeadFilter,
  type LeadSort,
  NO_FILTER,
  type SortKey,
} from "../../src/filters/lead-query.ts"
import { type LeadData, leadOf, NO_ACTIVITY } from "../../src/lead/lead.ts"
import { dedupKeys, type LeadKeys } from "../../src/lead/lead-keys.ts"
import type {
  ApiKeyRow,
  Candidates,
  LeadReads,
  LeadRow,
  LeadState,
  LoggedActivity,
  Note,
  Position,
  ScoringRule,
  Store,
  StoredLead,
  Transaction,
} from "../../src/store/contract/store.ts"
import { fold } from "../../src/text/text.ts"
import { temporaryFolder } from "../support/folder.ts"
import { leadData, NOW } from "./given.ts"
import { jobsContract } from "./jobs-contract.ts"
import { trailContract } from "./trail-contract.ts"

/** What a lead with these keys may repeat: the same whether it is asked for alone or beside one that repeats none. */
async function duplicates(leads: LeadReads, account: number, keys: Partial<LeadKeys>): Promise<Candidates> {
  const none = {
    email: null,
    source_id: null,
    phone: null,
    number: null,
    name: "",
    city: null,
    defaultCountry: null,
  }
  const [found] = await leads.findDuplicates(account, [{ ...none, ...keys }])
  const [other, beside] = await leads.findDuplicates(account, [none, { ...none, ...keys }])
  expect(beside).toEqual(found!)
  expect(other).toMatchObject({ aliases: { email: false, source_id: false }, phone: [] })
  return found!
}

const hash = (text: string) => Bun.SHA256.hash(text) as Uint8Array
const keyRow = (id: string, more: Partial<ApiKeyRow> = {}): ApiKeyRow => ({
  id,
  name: id,
  prefix: "ldb_12345678",
  role: "owner",
  kind: "key",
  list_style: null,
  guard: null,
  segment: null,
  issued_by: null,
  maker: null,
  created_at: NOW,
  last_used_at: null,
  expires_at: null,
  ...more,
})

export function storeContract(open: () => Promise<Store>): void {
  const part = (name: string, define: () => void) =>
    describe(name, () => {
      beforeEach(openWithAccounts)
      define()
    })
  const opened: Store[] = []
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
  })

  let [store, mine, theirs] = [undefined as unknown as Store, 0, 0]
  /** A store with two accounts, to each of whom the other's things must not exist. */
  async function openWithAccounts() {
    store = await open()
    opened.push(store)
    mine = await write((tx) =>
      tx.accounts.insert({ id: "acc_1", name: "mine", plan: "free", created_at: NOW }),
    )
    theirs = await write((tx) =>
      tx.accounts.insert({ id: "acc_2", name: "theirs", plan: "pro", created_at: NOW + 1 }),
    )
    return { store, mine, theirs }
  }

  const write = <T>(work: (tx: Transaction) => Promise<T>) => store.writeAcross(work)
  const insert = (account: number, lead: LeadData, score = 0) =>
    write((tx) => tx.leads.insert(account, lead, score))

  async function change(account: number, row: LeadRow, fields: Partial<LeadData>, score = row.score) {
    const before = row.data()
    await write((tx) => tx.leads.replace(account, row, before, { ...before, ...fields }, score))
    return (await store.read.leads.find(account, before.id))!
  }

  const remove = (account: number, row: LeadRow) => write((tx) => tx.leads.remove(account, row, row.data()))

  part("write", () => {
    test("writes a lead that was only touched as it writes any other", async () => {
      const lead = leadData({ description: '"last_interaction_at":5, 中' })
      const row = await insert(mine, lead, 5)
      const after = { ...lead, last_interaction_at: NOW + 7 }
      const touched = await write((tx) => tx.leads.replace(mine, row, lead, after, 9, true))
      const read = (await store.read.leads.find(mine, lead.id))!
      for (const one of [touched, read]) {
        expect(one.data()).toEqual(after)
        expect(one.score).toBe(9)
        expect(one.lastTouchedAt).toBe(NOW + 7)
      }
    })

    test("sees within a group what the writes before it have changed", async () => {
      const listeners = () => store.write(mine, (tx) => tx.webhooks.subscribed(mine, "lead.created"))
      const revision = () => store.write(mine, (tx) => tx.rules.revision(mine))
      const rule = { id: "rule_1", name: "r", expression: "1", weight: 1, priority: 0 }
      const [, before, first, , , after, second, other] = await Promise.all([
        listeners(),
        listeners(),
        revision(),
        store.write(mine, (tx) =>
          tx.webhooks.insert(mine, {
            ...{ id: "wh_1", url: "http://127.0.0.1:9/", events: "all" as const, secret: null, active: true },
            ...{ disabled_reason: null, made_by: null, ends_at: null, created_at: NOW, updated_at: NOW },
          }),
        ),
        store.write(mine, (tx) => tx.rules.insert(mine, { ...rule, created_at: NOW, updated_at: NOW })),
        listeners(),
        revision(),
        store.write(theirs, (tx) => tx.webhooks.subscribed(theirs, "lead.created")),
      ])
      expect(before).toEqual([])
      expect(after).toEqual([{ id: "wh_1" }])
      expect(second).not.toBe(first)
      expect(other).toEqual([])
    })

    test("resolves with what the work returned, and then it can be read", async () => {
      const lead = leadData()
      const row = await insert(mine, lead, 5)
      expect(row.score).toBe(5)
      expect(row.data()).toEqual(lead)
      expect(JSON.parse(row.json({ more: 1 }))).toEqual({ ...leadOf(lead, NO_ACTIVITY, 5), more: 1 })
      expect(await store.read.leads.find(mine, lead.id)).toEqual(row)
    })

    test("shows the work what it wrote, and nobody else before it is done", async () => {
      const lead = leadData()
      await write(async (tx) => {
        await tx.leads.insert(mine, lead, 0)
        expect(await tx.leads.find(mine, lead.id)).toBeDefined()
        expect(await tx.accounts.countLeads(mine)).toBe(1)
        expect(await store.read.leads.find(mine, lead.id)).toBeUndefined()
        expect(await store.read.accounts.countLeads(mine)).toBe(0)
      })
      expect(await store.read.leads.find(mine, lead.id)).toBeDefined()
    })

    test("answers prefetched candidates anew once the same work has written one of them", async () => {
      const [first, second] = [leadData({ email: "1@x.y" }), leadData({ email: "2@x.y" })]
      const row = await insert(mine, first)
      const pushed = (email: string) =>
        dedupKeys({ ...first, name: email, email, phone: null, city: null }, null)
      const all = ["1@x.y", "2@x.y", "3@x.y"].map(pushed)
      await store.write(mine, async (tx) => {
        const found = async (keys: LeadKeys) =>
          (await tx.leads.findDuplicates(mine, [keys]))[0]?.email?.data().id
        await tx.leads.prefetchDuplicates(mine, all)
        expect([await found(all[0]!), await found(all[1]!)]).toEqual([first.id, undefined])
        await tx.leads.replace(mine, row, first, { ...first, email: "3@x.y" }, 0)
        expect(await found(all[0]!)).toBeUndefined()
        expect(await found(all[2]!)).toBe(first.id)
        await tx.leads.insert(mine, second, 0, all[1])
        expect(await found(all[1]!)).toBe(second.id)
        await tx.leads.prefetchDuplicates(mine, all)
        expect([await found(all[1]!), await found(all[2]!)]).toEqual([second.id, first.id])
      })
    })

    const beside: Record<string, (tx: Transaction, account: number, row: LeadRow) => Promise<unknown>> = {
      "has a note": (tx, account, row) =>
        tx.notes.insert(account, row, {
          ...{ id: "note_1", lead_id: row.data().id, content: "Hi", author: null },
          ...{ created_at: NOW, updated_at: NOW },
        }),
      "has another email": (tx, account, row) =>
        tx.leads.replace(account, row, row.data(), { ...row.data(), email: "other@x.y" }, 0),
      "has another's source_id": (tx, account, { ref }) =>
        tx.duplicates.addAliases(account, ref, [{ kind: "source_id", value: "new" }]),
      "was contacted": (tx, account, row) => tx.leads.setContacted(account, row, NOW),
      "is removed": (tx, account, row) => tx.leads.remove(account, row, row.data()),
    }
    test.each(Object.keys(beside))("a push sees that a lead %s since its commit began", async (what) => {
      const lead = leadData({ email: "1@x.y" })
      const row = await insert(mine, lead)
      const keys = (email: string) =>
        dedupKeys({ ...lead, source_id: "new", email, phone: null, city: null }, null)
      const find = (own: LeadKeys) =>
        store.write(mine, async (tx) => (await tx.leads.findDuplicates(mine, [own]))[0]!, [own])
      const all = [keys("1@x.y"), keys("2@x.y")]
      const found = await Promise.all([
        store.write(mine, (tx) => beside[what]!(tx, mine, row)),
        ...all.map(find),
      ])
      expect(await Promise.all(all.map(find))).toEqual(found.slice(1) as Candidates[])
    })

    test("takes pushes into an overlay, and keeps what is stored as it is", async () => {
      const lead = leadData({ email: "1@x.y" })
      await insert(mine, lead)
      const account = {
        key: mine,
        id: "acc_1",
        name: "mine",
        plan: "free",
        default_country: null,
        time_zone: "UTC",
      }
      const limits = { leads: null, requests: null, batch: 1_000, storage: null }
      const overlay = store.overlay({ ...account, limits }, temporaryFolder())
      const keys = (email: string) => dedupKeys({ ...lead, email, phone: null, city: null }, null)
      try {
        await overlay.write(async (tx) => {
          const byEmail = async (email: string) =>
            (await tx.leads.findDuplicates(mine, [keys(email)]))[0]!.email
          const row = (await byEmail("1@x.y"))!
          await tx.leads.replace(mine, row, lead, { ...lead, email: "2@x.y" }, 0)
          const made = leadData({ id: tx.newId("cl_"), email: "1@x.y" })
          await tx.leads.insert(mine, made, 0)
          expect((await byEmail("1@x.y"))?.data()).toEqual(made)
          expect((await byEmail("2@x.y"))?.data().id).toBe(lead.id)
          expect([overlay.isCreated(made.id), overlay.isCreated(lead.id)]).toEqual([true, false])
          expect(await tx.accounts.countLeads(mine)).toBe(2)
        })
      } finally {
        overlay.close()
      }
      expect(await store.read.accounts.countLeads(mine)).toBe(1)
      expect((await store.read.leads.find(mine, lead.id))?.data()).toEqual(lead)
    })

    test("recognises leads by what the same work has made of them, and no longer by what they were", async () => {
      const was = { email: "was@x.y", source_id: "was", name: "Was", city: "Wien" }
      const is = { email: "is@x.y", source_id: "is", name: "Is", city: "Graz" }
      const keys = ({ name, city, ...same }: typeof was) => ({ ...same, name: fold(name), city: fold(city) })
      const [one, two, three] = [
        leadData(was),
        leadData({ name: "Two", city: "Linz" }),
        leadData({ email: "3@x.y" }),
      ]
      for (const lead of [one, two, three]) await insert(mine, lead)
      const each = async (tx: Transaction, lead: LeadData) => (await tx.leads.find(mine, lead.id))!
      await store.write(mine, async (tx) => {
        await tx.leads.readAhead?.(mine, [one.id, two.id, three.id])
        const row = await each(tx, one)
        await tx.leads.replace(mine, row, one, { ...one, ...is }, 0)
        expect((await duplicates(tx.leads, mine, { email: was.email })).email).toBeUndefined()
        const { name, city } = keys(was)
        expect((await duplicates(tx.leads, mine, { name, city })).nameAndCity).toBeUndefined()
        const found = await duplicates(tx.leads, mine, keys(is))
        expect(found.email?.data()).toEqual({ ...one, ...is })
        expect(found.source_id?.data()).toEqual({ ...one, ...is })
        await tx.leads.setContacted(mine, found.email!, NOW)
        const contacted = await each(tx, one)
        expect([contacted.data(), contacted.activity.last_contacted_at]).toEqual([{ ...one, ...is }, NOW])
        await tx.leads.remove(mine, await each(tx, two), two)
        expect((await duplicates(tx.leads, mine, { name: "two", city: "linz" })).nameAndCity).toBeUndefined()
        expect(await tx.leads.find(mine, two.id)).toBeUndefined()
        await tx.leads.replace(mine, await each(tx, three), three, { ...three, email: null }, 0)
        const four = leadData({ email: "3@x.y" })
        await tx.leads.insert(mine, four, 0)
        expect((await duplicates(tx.leads, mine, { email: "3@x.y" })).email?.data()).toEqual(four)
        await tx.leads.replace(
          mine,
          await each(tx, three),
          { ...three, email: null },
          { ...three, email: "5@x.y" },
          7,
        )
        expect((await each(tx, three)).score).toBe(7)
      })
      expect(await store.read.leads.count(mine, NO_FILTER)).toBe(3)
      expect((await store.read.leads.find(mine, three.id))?.data().email).toBe("5@x.y")
    })

    test("shows the work all that belongs to a lead it has just written, however it looks", async () => {
      const tagged: LeadFilter = {
        all: [{ on: "tags", not: false, operator: "any", values: ["new"] }],
        any: [],
      }
      await write(async (tx) => {
        let made = 0
        const fresh = async () => {
          const n = ++made
          const lead = leadData({
            email: `${n}@x.y`,
            source_id: `S${n}`,
            tags: ["new"],
            latitude: 1,
            longitude: 1,
          })
          lead.attributes = [{ id: "1", name: `size ${n}`, type: "number", value: 1 }]
          const row = await tx.leads.insert(mine, lead, n)
          return { n, lead, row, ref: row.ref }
        }
        const byEmail = await fresh()
        expect((await duplicates(tx.leads, mine, { email: `${byEmail.n}@x.y` })).email).toEqual(byEmail.row)
        const bySourceId = await fresh()
        expect((await duplicates(tx.leads, mine, { source_id: `S${bySourceId.n}` })).source_id).toEqual(
          bySourceId.row,
        )
        const byRef = await fresh()
        expect(await tx.leads.findByRef(mine, byRef.ref)).toEqual(byRef.row)
        const counted = await fresh()
        expect(await tx.leads.count(mine, tagged)).toBe(counted.n)
        const named = await fresh()
        expect(await tx.leads.attributeNames(mine, NO_FILTER)).toHaveLength(named.n)
        const changed = await fresh()
        const after = { ...changed.lead, tags: [], attributes: [], latitude: null, longitude: null }
        await tx.leads.replace(mine, changed.row, changed.lead, after, 50)
        const read = await tx.leads.find(mine, after.id)
        expect(JSON.parse(read!.json())).toEqual(leadOf(after, NO_ACTIVITY, 50))
        expect(await tx.leads.count(mine, tagged)).toBe(changed.n - 1)
        const scored = await fresh()
        expect(await tx.leads.setScore(mine, scored.ref, scored.row.version, 60)).toBe(true)
        const removed = await fresh()
        await tx.leads.remove(mine, removed.row, removed.lead)
        expect(await tx.leads.count(mine, tagged)).toBe(removed.n - 2)
        expect((await tx.leads.find(mine, (await fresh()).lead.id))!.score).toBe(made)
        await tx.changes.record(mine, {
          lead_id: removed.lead.id,
          actor_id: "user_1",
          key_id: null,
          action: "deleted",
          before: { data: removed.lead, score: removed.row.score },
          after: null,
          reason: null,
          created_at: NOW,
        })
        expect(await tx.changes.list(mine, removed.lead.id, 10)).toHaveLength(1)
      })
      expect(await store.read.leads.count(mine, tagged)).toBe(7)
    })

    test.each(["alone", "among others"])("of a work that throws nothing stays, %s", async (how) => {
      const bad = leadData({ email: "a@x.y", tags: ["t"], latitude: 1, longitude: 1 })
      const neighbours =
        how === "alone" ? [] : Array.from({ length: 4 }, (_, i) => leadData({ name: `n${i}` }))
      const failing = write(async (tx) => {
        await tx.leads.insert(mine, bad, 0)
        throw new Error("no")
      })
      const writes = [...neighbours.slice(0, 2).map((lead) => insert(mine, lead)), failing]
      writes.push(...neighbours.slice(2).map((lead) => insert(mine, lead)))
      const results = await Promise.allSettled(writes)
      expect(results.filter(({ status }) => status === "rejected")).toHaveLength(1)
      expect(failing).rejects.toThrow("no")
      expect(await store.read.leads.find(mine, bad.id)).toBeUndefined()
      expect(await store.read.leads.count(mine, NO_FILTER)).toBe(neighbours.length)
      expect(await store.read.accounts.countLeads(mine)).toBe(neighbours.length)
      await insert(mine, bad)
    })

    test.each(["alone", "among others"])("a failed attempt undoes only itself, %s", async (how) => {
      const kept = [leadData({ name: "before" }), leadData({ name: "after" }), leadData({ name: "inner" })]
      const neighbour = how === "alone" ? [] : [insert(mine, leadData({ name: "neighbour" }))]
      const work = write(async (tx) => {
        await tx.leads.insert(mine, kept[0]!, 0)
        const lost = leadData({ email: "a@x.y" })
        const failure = tx.attempt(async () => {
          await tx.leads.insert(mine, lost, 0)
          await tx.attempt(() => tx.leads.insert(mine, leadData({ email: "b@x.y" }), 0))
          throw new Error("inner")
        })
        expect(failure).rejects.toThrow("inner")
        await failure.catch(() => {})
        await tx.attempt(() => tx.leads.insert(mine, kept[2]!, 0))
        await tx.leads.insert(mine, kept[1]!, 0)
        return "done"
      })
      expect((await Promise.all([work, ...neighbour]))[0]).toBe("done")
      for (const lead of kept) expect(await store.read.leads.find(mine, lead.id)).toBeDefined()
      expect((await duplicates(store.read.leads, mine, { email: "a@x.y" })).email).toBeUndefined()
      expect((await duplicates(store.read.leads, mine, { email: "b@x.y" })).email).toBeUndefined()
      expect(await store.read.accounts.countLeads(mine)).toBe(3 + neighbour.length)
    })

    test("an attempt's error that is not caught undoes the whole work", async () => {
      const work = write(async (tx) => {
        await tx.leads.insert(mine, leadData(), 0)
        await tx.attempt(async () => {
          await tx.leads.insert(mine, leadData(), 0)
          throw new Error("through")
        })
      })
      expect(work).rejects.toThrow("through")
      await work.catch(() => {})
      expect(await store.read.leads.count(mine, NO_FILTER)).toBe(0)
    })

    test("gives ids whose text order is the order of the writes", async () => {
      const ids = await Promise.all(Array.from({ length: 300 }, () => write(async (tx) => tx.newId("cl_"))))
      expect(ids).toEqual(ids.toSorted())
      expect(new Set(ids).size).toBe(300)
    })

    test("is refused once the store is closing, what was queued before is done", async () => {
      const queued = write((tx) =>
        tx.accounts.insert({ id: "acc_3", name: "n", plan: "free", created_at: NOW }),
      )
      const closing = opened.pop()!.close()
      expect(await queued).toBeGreaterThan(0)
      expect(write(async () => {})).rejects.toMatchObject({ kind: "unavailable" })
      await closing
    })
  })

  part("accounts", () => {
    test("are listed in the order they were made, with the limits of their plan", async () => {
      const both = { default_country: null, time_zone: "UTC", leads: 0 }
      const free = { leads: 100, requests: 100, batch: 100, storage: 50_000_000 }
      const pro = { leads: 500, requests: 1_000, batch: 500, storage: 500_000_000 }
      const first = {
        key: mine,
        id: "acc_1",
        name: "mine",
        plan: "free",
        limits: free,
        ...both,
        created_at: NOW,
      }
      const second = {
        ...{ key: theirs, id: "acc_2", name: "theirs", plan: "pro", limits: pro },
        ...{ ...both, created_at: NOW + 1 },
      }
      expect(await store.read.accounts.list()).toEqual([first, second])
      expect(await store.read.accounts.find("acc_2")).toEqual(second)
      expect(await store.read.accounts.find("acc_3")).toBeUndefined()
    })

    test("an override replaces a plan's number until null removes it; undefined leaves it", async () => {
      type Limit = number | null | undefined
      const set = async (plan: string, leads_limit: Limit, batch_limit: Limit) => {
        const limits = { leads_limit, batch_limit, requests_limit: undefined }
        await write((tx) => tx.accounts.setPlan(mine, plan, limits))
        const { leads, requests, batch, storage } = (await store.read.accounts.find("acc_1"))!.limits
        return [leads, requests, batch, storage]
      }
      expect(await set("free", 7, 0)).toEqual([7, 100, 0, 50_000_000])
      expect(await set("pro", undefined, undefined)).toEqual([7, 1_000, 0, 500_000_000])
      expect(await set("enterprise", null, undefined)).toEqual([null, null, 0, null])
      expect(await set("enterprise", undefined, null)).toEqual([null, null, 1_000, null])
    })

    test("count their leads", async () => {
      const [one] = await Promise.all([insert(mine, leadData()), insert(mine, leadData())])
      await insert(theirs, leadData())
      expect(await store.read.accounts.countLeads(mine)).toBe(2)
      await change(mine, one, { name: "x" })
      await remove(mine, one)
      expect(await store.read.accounts.countLeads(mine)).toBe(1)
      expect((await store.read.accounts.list()).map(({ leads }) => leads)).toEqual([1, 1])
      expect(await store.read.accounts.countLeads(99)).toBe(0)
    })
  })

  part("API keys", () => {
    test("are found by hash in any account, with the account and its limits", async () => {
      const editor = keyRow("key_2", { role: "editor", expires_at: NOW + 5 })
      await write(async (tx) => {
        await tx.apiKeys.insert(mine, { ...keyRow("key_1"), hash: hash("one") })
        await tx.apiKeys.insert(theirs, { ...editor, hash: hash("two") })
      })
      expect(await store.read.apiKeys.findByHash(hash("two"))).toEqual({
        account: {
          key: theirs,
          id: "acc_2",
          name: "theirs",
          plan: "pro",
          limits: { leads: 500, requests: 1_000, batch: 500, storage: 500_000_000 },
          default_country: null,
          time_zone: "UTC",
        },
        key: editor,
      })
      expect(await store.read.apiKeys.findByHash(hash("three"))).toBeUndefined()
      expect(await store.read.apiKeys.list(mine)).toEqual([keyRow("key_1")])
      expect(await store.read.apiKeys.find(mine, "key_1")).toEqual(keyRow("key_1"))
      expect(await store.read.apiKeys.find(mine, "key_2")).toBeUndefined()
    })

    test("are gone once removed, by their own account alone", async () => {
      await write((tx) => tx.apiKeys.insert(mine, { ...keyRow("key_1"), hash: hash("one") }))
      expect(await write((tx) => tx.apiKeys.remove(theirs, "key_1"))).toBe(false)
      expect(await write((tx) => tx.apiKeys.remove(mine, "key_1"))).toBe(true)
      expect(await write((tx) => tx.apiKeys.remove(mine, "key_1"))).toBe(false)
      expect(await store.read.apiKeys.findByHash(hash("one"))).toBeUndefined()
    })

    test("remember their latest use", async () => {
      await write((tx) => tx.apiKeys.insert(mine, { ...keyRow("key_1"), hash: hash("one") }))
      const touch = async (at: number) => {
        await write((tx) =>
          tx.apiKeys.touch(
            new Map([
              ["key_1", at],
              ["key_gone", at],
            ]),
          ),
        )
        return (await store.read.apiKeys.find(mine, "key_1"))!.last_used_at
      }
      expect(await touch(NOW + 5)).toBe(NOW + 5)
      expect(await touch(NOW + 3)).toBe(NOW + 5)
    })
  })

  part("members", () => {
    test("a passkey's challenge is used once, until it ends", async () => {
      const use = (challenge: string, now: number) =>
        write((tx) => tx.members.useChallenge(challenge, NOW + 300, now))
      expect(await use("one", NOW)).toBe(true)
      expect(await use("one", NOW + 299)).toBe(false)
      expect(await use("two", NOW + 299)).toBe(true)
    })

    test("an invitation ends with whoever made it, in their own account", async () => {
      const invite = { hash: Bun.SHA256.hash("token") as Uint8Array, expires_at: NOW + 60, by: "key_1" }
      await write(async (tx) => {
        await tx.apiKeys.insert(mine, { ...keyRow("key_1"), hash: hash("one") })
        const member = { id: "mem_1", name: "Ada", name_key: "ada", role: "editor", created_at: NOW } as const
        await tx.members.insert(mine, member)
        await tx.members.setInvite(mine, "mem_1", invite)
      })
      const end = (account: number, by: string) => write((tx) => tx.members.endInvites(account, by))
      expect([await end(theirs, "key_1"), await end(mine, "key_2")]).toEqual([[], []])
      expect((await store.read.members.findByInvite(invite.hash, NOW))?.id).toBe("mem_1")
      expect(await end(mine, "key_1")).toEqual(["mem_1"])
      expect(await store.read.members.findByInvite(invite.hash, NOW)).toBeUndefined()
      expect(await end(mine, "key_1")).toEqual([])
    })
  })

  part("leads", () => {
    test("are found by what they are recognised by, in their own account", async () => {
      const lead = leadData({
        name: "Müller",
        email: "A@X.y",
        source_id: "S",
        phone: "+49 (30) 1",
        city: "Köln",
      })
      const row = await insert(mine, lead)
      const { leads } = store.read
      const finders = (account: number) =>
        Promise.all([
          leads.find(account, lead.id),
          leads.findByRef(account, row.ref),
          duplicates(leads, account, { email: "a@x.y" }).then((found) => found.email),
          duplicates(leads, account, { source_id: "S" }).then((found) => found.source_id),
        ])
      expect(await finders(mine)).toEqual([row, row, row, row])
      expect(await finders(theirs)).toEqual([undefined, undefined, undefined, undefined])
      expect((await duplicates(leads, mine, { phone: "49301" })).phone).toEqual([
        { ref: row.ref, name: "müller" },
      ])
      expect((await duplicates(leads, theirs, { phone: "49301" })).phone).toEqual([])
      expect((await duplicates(leads, mine, { name: "müller", city: "köln" })).nameAndCity).toEqual({
        id: lead.id,
      })
      expect((await duplicates(leads, theirs, { name: "müller", city: "köln" })).nameAndCity).toBeUndefined()
      expect((await duplicates(leads, mine, { email: "A@X.y" })).email).toBeUndefined()
      expect((await duplicates(leads, mine, { source_id: "s" })).source_id).toBeUndefined()
    })

    test("with the same phone, or name and city, come the oldest first", async () => {
      const same = { phone: "030 1", city: "Ulm" }
      const rows = []
      for (const name of ["b", "a", "c", "a"]) rows.push(await insert(mine, leadData({ name, ...same })))
      const found = (await duplicates(store.read.leads, mine, { phone: "0301" })).phone
      expect(found.map(({ ref }) => ref)).toEqual(rows.map(({ ref }) => ref))
      expect(found.map(({ name }) => name)).toEqual(["b", "a", "c", "a"])
      expect((await duplicates(store.read.leads, mine, { name: "a", city: "ulm" })).nameAndCity).toEqual({
        id: rows[1]!.data().id,
      })
    })

    test("have the same phone number, of the lead's country or the account's, whatever its writing", async () => {
      await store.write(mine, (tx) => tx.accounts.setDefaultCountry(mine, "IT"))
      const phone = "(030) 80730693"
      const german = await insert(mine, leadData({ phone, country: "Germany" }))
      const own = await insert(mine, leadData({ phone }))
      const unknown = await insert(theirs, leadData({ phone }))
      const { leads } = store.read
      const found = async (account: number, key: string, number: string | null) =>
        (await duplicates(leads, account, { phone: key, number })).phone.map(({ ref }) => ref)
      expect(await found(mine, "493080730693", "+493080730693")).toEqual([german.ref])
      expect(await found(mine, "03080730693", "+493080730693")).toEqual([german.ref])
      expect(await found(mine, "03080730693", "+3903080730693")).toEqual([own.ref])
      expect(await found(mine, "03080730693", null)).toEqual([german.ref, own.ref])
      expect(await found(theirs, "03080730693", "+493080730693")).toEqual([unknown.ref])
      const same = (key: string, ...numbers: string[]) =>
        leads.count(mine, { all: [{ on: "phone", not: false, key, numbers }], any: [] })
      expect(await same("493080730693", "+493080730693")).toBe(1)
      expect(await same("493080730693", "+493080730693", "+3903080730693")).toBe(2)
      expect(await same("03080730693")).toBe(2)
      expect(await same("1", "+1")).toBe(0)
    })

    test("no two of an account have the same email or source_id; of two accounts they may", async () => {
      await insert(mine, leadData({ email: "A@x.y", source_id: "S" }))
      await insert(theirs, leadData({ email: "A@x.y", source_id: "S" }))
      const other = await insert(mine, leadData({ source_id: "s", email: "b@x.y" }))
      const conflict = (field: string) => ({ kind: "conflict", message: `Duplicate ${field}` })
      expect(insert(mine, leadData({ email: "a@X.Y" }))).rejects.toMatchObject(conflict("email"))
      expect(insert(mine, leadData({ source_id: "S" }))).rejects.toMatchObject(conflict("source_id"))
      expect(change(mine, other, { email: "a@x.y" })).rejects.toMatchObject(conflict("email"))
      expect(change(mine, other, { source_id: "S" })).rejects.toMatchObject(conflict("source_id"))
      await insert(mine, leadData())
      expect(await store.read.leads.count(mine, NO_FILTER)).toBe(3)
      expect(await store.read.leads.find(mine, other.data().id)).toEqual(other)
    })

    test("what a change takes away is not found any more, what it brings is", async () => {
      const full: Partial<LeadData> = {
        email: "a@x.y",
        source_id: "S",
        phone: "1",
        city: "Ulm",
        rating: 1,
        tags: ["Old", "both"],
        latitude: 10,
        longitude: 10,
        attributes: [
          { id: "1", name: "size", type: "number", value: 1 },
          { id: "2", name: "langs", type: "list", value: ["de", "en"] },
        ],
      }
      const changed: Partial<LeadData> = {
        email: "b@x.y",
        source_id: "T",
        phone: "2",
        city: "Bonn",
        rating: 2,
        tags: ["new", "Both"],
        latitude: 20,
        longitude: 20,
        attributes: [{ id: "2", name: "langs", type: "text", value: "fr" }],
      }
      const found = async (fields: Partial<LeadData>, expected: boolean) => {
        const { leads } = store.read
        expect(Boolean((await duplicates(leads, mine, { email: fields.email! })).email)).toBe(expected)
        expect(Boolean((await duplicates(leads, mine, { source_id: fields.source_id! })).source_id)).toBe(
          expected,
        )
        expect((await duplicates(leads, mine, { phone: fields.phone! })).phone).toHaveLength(Number(expected))
        expect(
          Boolean((await duplicates(leads, mine, { name: "acme", city: fold(fields.city!) })).nameAndCity),
        ).toBe(expected)
        const { latitude, longitude } = fields as { latitude: number; longitude: number }
        const conditions: Condition[] = [
          { on: "text", not: false, field: "city", operator: "eq", values: [fold(fields.city!)] },
          { on: "number", not: false, field: "rating", operator: "eq", values: [fields.rating!] },
          { on: "tags", not: false, operator: "any", values: [fold(fields.tags![0]!)] },
          { on: "location", not: false, operator: "within", latitude, longitude, kilometres: 1 },
          fields.attributes!.length > 1
            ? { on: "attribute", not: false, name: "langs", items: { operator: "any", values: ["en"] } }
            : { on: "attribute", not: false, name: "langs", texts: { operator: "eq", values: ["fr"] } },
        ]
        for (const condition of conditions) {
          const count = await leads.count(mine, { all: [condition], any: [] })
          expect([condition, count]).toEqual([condition, Number(expected)])
        }
        const names = fields.attributes!.map(({ name }) => name).toSorted()
        if (expected) expect(await leads.attributeNames(mine, NO_FILTER)).toEqual(names)
      }
      const row = await insert(mine, leadData(full))
      await found(full, true)
      const after = await change(mine, row, changed)
      await found(full, false)
      await found(changed, true)
      expect(after.data()).toMatchObject(changed)
      await change(mine, after, full)
      await found(full, true)
      await found(changed, false)
      await remove(mine, row)
      await found(full, false)
      expect(await store.read.leads.find(mine, row.data().id)).toBeUndefined()
    })

    test("have a version that grows with every change of the lead or its score", async () => {
      const first = await insert(mine, leadData())
      const second = await change(mine, first, { city: "Ulm" }, 7)
      expect(second.version).toBeGreaterThan(first.version)
      expect(second.score).toBe(7)
      expect(await write((tx) => tx.leads.setScore(mine, first.ref, second.version, 9))).toBe(true)
      const third = (await store.read.leads.findByRef(mine, first.ref))!
      expect(third.version).toBeGreaterThan(second.version)
      expect(third.score).toBe(9)
      expect(third.data()).toEqual(second.data())
    })

    test("a score is written only on the version it was worked out from, in its own account", async () => {
      const row = await insert(mine, leadData())
      const set = (account: number, version: number) =>
        write((tx) => tx.leads.setScore(account, row.ref, version, 50))
      expect(await set(theirs, row.version)).toBe(false)
      expect(await set(mine, row.version + 1)).toBe(false)
      await change(mine, row, { city: "Ulm" })
      expect(await set(mine, row.version)).toBe(false)
      expect((await store.read.leads.findByRef(mine, row.ref))!.score).toBe(0)
    })

    test("a score worked out for a lead that is gone never lands on one that came after it", async () => {
      const row = await insert(mine, leadData())
      await remove(mine, row)
      const next = await insert(mine, leadData())
      expect(await write((tx) => tx.leads.setScore(mine, row.ref, row.version, 50))).toBe(false)
      expect((await store.read.leads.find(mine, next.data().id))!.score).toBe(0)
    })
  })

  part("lists of leads", () => {
    /** Leads by letter in creation order. Letters of equal values tie. */
    async function openWithLeads(fields: Record<string, Partial<LeadData>>) {
      await insert(theirs, leadData({ name: "foreign", city: "ulm", rating: 2, tags: ["t"] }))
      await write(async (tx) => {
        for (const [name, more] of Object.entries(fields)) {
          await tx.leads.insert(mine, leadData({ ...more, id: tx.newId("cl_"), name }), more.rating ?? 0)
        }
      })
    }
    const letters = (rows: StoredLead[]) => rows.map((row) => row.data().name).join("")

    async function find(filter: LeadFilter): Promise<string> {
      const sort: LeadSort = { key: { on: "id" }, descending: false }
      const { rows, next } = await store.read.leads.list(mine, { filter, sort, limit: 100 })
      expect(next).toBeUndefined()
      expect(await store.read.leads.count(mine, filter)).toBe(rows.length)
      return letters(rows)
    }

    const attribute = (type: "number" | "text" | "bool" | "list" | "object", value: unknown) =>
      ({ attributes: [{ id: "1", name: "x", type, value }] }) as Partial<LeadData>
    const SAMPLE: Record<string, Partial<LeadData>> = {
      A: { city: "Ulm", rating: 1, tags: ["t", "U"], latitude: 1, longitude: 1, ...attribute("number", 2) },
      B: {
        city: "ULM am See",
        rating: 2,
        tags: ["T"],
        latitude: 1.001,
        longitude: 1,
        ...attribute("text", "Big"),
      },
      C: { city: "50%", rating: 3, ...attribute("bool", true) },
      D: { latitude: 1, ...attribute("list", ["p", "Q"]) },
      E: { city: "bonn", rating: 2, latitude: 80, longitude: -170, ...attribute("object", { a: 1 }) },
    }
    const on = (condition: object) => ({ not: false, ...condition }) as unknown as Condition
    const text = (operator: string, ...values: string[]) =>
      on({ on: "text", field: "city", operator, values })
    const number = (operator: string, ...values: number[]) =>
      on({ on: "number", field: "rating", operator, values })
    const tags = (operator: string, ...values: string[]) => on({ on: "tags", operator, values })
    const within = (kilometres: number) =>
      on({ on: "location", operator: "within", latitude: 1, longitude: 1, kilometres })
    const own = (readings: object) => on({ on: "attribute", name: "x", ...readings })
    const CONDITIONS: [Condition, string][] = [
      [text("eq", "ulm"), "A"],
      [text("contains", "lm"), "AB"],
      [text("contains", "%"), "C"],
      [text("starts_with", "ulm"), "AB"],
      [text("ends_with", "see"), "B"],
      [text("in", "ulm", "bonn", "x"), "AE"],
      [text("is_empty"), "D"],
      [number("eq", 2), "BE"],
      [number("gt", 1), "BCE"],
      [number("gte", 2), "BCE"],
      [number("lt", 2), "A"],
      [number("lte", 2), "ABE"],
      [number("between", 1, 2), "ABE"],
      [number("in", 1, 3), "AC"],
      [number("is_empty"), "D"],
      [on({ on: "number", field: "score", operator: "gte", values: [2] }), "BCE"],
      [on({ on: "number", field: "created_at", operator: "eq", values: [NOW] }), "ABCDE"],
      [tags("any", "t"), "AB"],
      [tags("any", "u", "v"), "A"],
      [tags("all", "t", "u"), "A"],
      [tags("all", "t", "v"), ""],
      [tags("is_empty"), "CDE"],
      [within(1), "AB"],
      [within(0.05), "A"],
      [on({ on: "location", operator: "is_set" }), "ABE"],
      [own({ numbers: { operator: "gte", values: [2] } }), "A"],
      [own({ texts: { operator: "eq", values: ["big"] } }), "B"],
      [own({ texts: { operator: "contains", values: ["i"] } }), "B"],
      [own({ bool: true }), "C"],
      [own({ bool: false }), ""],
      [own({ items: { operator: "any", values: ["q", "z"] } }), "D"],
      [own({ items: { operator: "all", values: ["q", "p"] } }), "D"],
      [own({ items: { operator: "all", values: ["q", "z"] } }), ""],
      [own({ empty: true }), ""],
      [on({ on: "attribute", name: "none", empty: true }), "ABCDE"],
      [
        own({
          texts: { operator: "eq", values: ["big"] },
          numbers: { operator: "eq", values: [2] },
          bool: true,
        }),
        "ABC",
      ],
    ]
    test("hold every condition, and its opposite for all other leads", async () => {
      await openWithLeads(SAMPLE)
      for (const [condition, expected] of CONDITIONS) {
        expect([condition, await find({ all: [condition], any: [] })]).toEqual([condition, expected])
        expect([condition, await find({ all: [], any: [condition] })]).toEqual([condition, expected])
        const opposite = [..."ABCDE"].filter((letter) => !expected.includes(letter)).join("")
        const not = { ...condition, not: true }
        expect([not, await find({ all: [not], any: [] })]).toEqual([not, opposite])
      }
    })

    test("find every part of a text, in any script and with what patterns are made of", async () => {
      const TEXTS = {
        A: "Straße 50% _off_ a\\b\\%",
        B: "Йорданова Zahnärztin",
        C: "東京都千代田区 丸の内",
        D: "ΟΔΟΣ Σίσυφος 12",
        E: "e\u0301cole İstanbul 😀😀😀 ok",
        F: "กรุงเทพมหานคร",
        G: "a  b--c.d@e.example",
      }
      await openWithLeads(
        Object.fromEntries(
          Object.entries(TEXTS).map(([name, value], i) => [
            name,
            i % 2 === 0 ? { address: value } : { address: "x", ...attribute("text", value) },
          ]),
        ),
      )
      await insert(theirs, leadData({ name: "other", address: Object.values(TEXTS).join() }))
      const folded = Object.entries(TEXTS).map(([name, value]) => [name, fold(value)] as const)
      const HOLDS = {
        contains: (value: string, part: string) => value.includes(part),
        starts_with: (value: string, part: string) => value.startsWith(part),
        ends_with: (value: string, part: string) => value.endsWith(part),
      }
      const reading = (values: object) => on({ on: "attribute", name: "x", texts: values })
      for (const [, value] of folded) {
        const points = [...value]
        for (let at = 0; at < points.length; at++) {
          const part = points.slice(at, at + 1 + ((at * 3) % 7)).join("")
          for (const [operator, holds] of Object.entries(HOLDS)) {
            const asked = { operator, values: [part] }
            const any = [on({ on: "text", field: "address", ...asked }), reading(asked)]
            const all = [on({ on: "any", conditions: any })]
            const own = folded.filter(([, one]) => holds(one, part)).map(([name]) => name)
            const expected = [..."ABCDEFG"].filter(
              (name, i) => own.includes(name) || (i % 2 === 1 && holds("x", part)),
            )
            expect([asked, await find({ all: [], any })]).toEqual([asked, expected.join("")])
            expect([asked, await find({ all, any: [] })]).toEqual([asked, expected.join("")])
          }
        }
      }
    })

    test("hold all of `all` and one of `any`", async () => {
      await openWithLeads(SAMPLE)
      const all = [number("gte", 2)]
      const any = [text("eq", "bonn"), tags("any", "t"), own({ items: { operator: "any", values: ["p"] } })]
      expect(await find({ all, any })).toBe("BE")
      expect(await find({ all: [], any })).toBe("ABDE")
      expect(await find({ all: [...all, text("is_empty")], any })).toBe("")
      expect(await find(NO_FILTER)).toBe("ABCDE")
    })

    test("name the attributes of the leads that match", async () => {
      await openWithLeads({
        A: {
          attributes: [
            { id: "1", name: "b", type: "object", value: {} },
            { id: "2", name: "a", type: "list", value: [] },
          ],
        },
        B: {
          city: "ulm",
          attributes: [
            { id: "3", name: "ä", type: "text", value: "" },
            { id: "4", name: "B", type: "bool", value: true },
          ],
        },
      })
      const names = (filter: LeadFilter) => store.read.leads.attributeNames(mine, filter)
      expect(await names(NO_FILTER)).toEqual(["B", "a", "b", "ä"])
      expect(await names({ all: [text("eq", "ulm")], any: [] })).toEqual(["B", "ä"])
      expect(await store.read.leads.attributeNames(theirs, NO_FILTER)).toEqual([])
    })

    const SORTS: [SortKey, ascending: string, descending: string][] = [
      [{ on: "id" }, "ABCDE", "EDCBA"],
      [{ on: "text", field: "city" }, "CEABD", "BAECD"],
      [{ on: "text", field: "name" }, "ABCDE", "EDCBA"],
      [{ on: "text", field: "phone" }, "ABCDE", "EDCBA"],
      [{ on: "number", field: "rating" }, "ABECD", "CEBAD"],
      [{ on: "number", field: "latitude" }, "ADBEC", "EBDAC"],
      [{ on: "number", field: "score" }, "DABEC", "CEBAD"],
      [{ on: "number", field: "created_at" }, "ABCDE", "EDCBA"],
      [{ on: "attribute", name: "x" }, "CABDE", "ACBED"],
      [{ on: "attribute", name: "none" }, "ABCDE", "EDCBA"],
    ]
    test("are sorted with nulls last and ties by id, as a whole and through pages of any size", async () => {
      await openWithLeads(SAMPLE)
      for (const [key, ...expected] of SORTS) {
        for (const descending of [false, true]) {
          const query = { filter: NO_FILTER, sort: { key, descending } }
          const wanted = expected[Number(descending)]!
          let whole = ""
          for await (const rows of store.read.leads.walk(mine, query)) whole += letters(rows)
          expect([key, descending, whole]).toEqual([key, descending, wanted])
          for (const limit of [1, 2, 5, 100])
            expect([key, descending, limit, await walk(query, limit)]).toEqual([
              key,
              descending,
              limit,
              wanted,
            ])
        }
      }
    })

    /** Pages through a list; a position goes out to clients as JSON and comes back from it. */
    async function walk(query: { filter: LeadFilter; sort: LeadSort }, limit: number) {
      let found = ""
      let after: Position | undefined
      do {
        const page = await store.read.leads.list(mine, { ...query, limit, after })
        expect(page.rows.length).toBeLessThanOrEqual(limit)
        if (page.next) expect(page.rows).toHaveLength(limit)
        found += letters(page.rows)
        after = page.next && JSON.parse(JSON.stringify(page.next))
      } while (after)
      return found
    }
  })

  part("the audit trail", () => {
    test("keeps whole states, the newest first, and outlives its lead", async () => {
      const lead = leadData({ name: 'a "b" \u2028 🚀', rating: 1e300 })
      const row = await insert(mine, lead)
      const state = { data: lead, score: 0 }
      const record = (
        tx: Transaction,
        action: "created" | "updated" | "deleted",
        before: LeadState | null,
        after: LeadState | null,
      ) =>
        tx.changes.record(mine, {
          lead_id: lead.id,
          actor_id: "user_1",
          key_id: "key_1",
          action,
          before,
          after,
          reason: action === "updated" ? "dedup:email" : null,
          created_at: NOW,
        })
      await write(async (tx) => {
        await record(tx, "created", null, state)
        await record(tx, "updated", state, state)
      })
      await write(async (tx) => {
        await tx.leads.remove(mine, row, lead)
        await record(tx, "deleted", state, null)
      })
      const changes = await store.read.changes.list(mine, lead.id, 10)
      expect(changes.map(({ action }) => action)).toEqual(["deleted", "updated", "created"])
      expect(changes[1]).toEqual({
        position: expect.any(Number),
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        lead_id: lead.id,
        actor_id: "user_1",
        key_id: "key_1",
        action: "updated",
        before: leadOf(lead, NO_ACTIVITY, 0),
        after: leadOf(lead, NO_ACTIVITY, 0),
        reason: "dedup:email",
        batch_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        import_id: null,
        created_at: NOW,
      })
      expect(await store.read.changes.list(mine, lead.id, 2)).toHaveLength(2)
      expect(await store.read.changes.list(theirs, lead.id, 10)).toEqual([])
      expect(await store.read.changes.list(mine, "cl_other", 10)).toEqual([])
    })
  })

  part("notes", () => {
    const note = (id: string, lead_id: string): Note => ({
      id,
      lead_id,
      content: `of ${id}`,
      author: "Eva",
      created_at: NOW,
      updated_at: NOW,
    })

    test("belong to a lead, the oldest first, and go with it", async () => {
      const [lead, other] = [leadData(), leadData()]
      const [row, otherRow] = [await insert(mine, lead), await insert(mine, other)]
      await write(async (tx) => {
        await tx.notes.insert(mine, row, note("note_2", lead.id))
        await tx.notes.insert(mine, row, note("note_1", lead.id))
        await tx.notes.insert(mine, otherRow, note("note_3", other.id))
      })
      expect(await store.read.notes.list(mine, row)).toEqual([
        note("note_2", lead.id),
        note("note_1", lead.id),
      ])
      expect(await store.read.notes.find(mine, "note_3")).toEqual(note("note_3", other.id))
      expect(await store.read.notes.find(theirs, "note_3")).toBeUndefined()
      expect(await store.read.notes.list(theirs, row)).toEqual([])
      await remove(mine, row)
      expect(await store.read.notes.find(mine, "note_1")).toBeUndefined()
      expect(await store.read.notes.find(mine, "note_3")).toBeDefined()
    })

    test("are counted with their lead, which knows when it was contacted too", async () => {
      const [lead, other] = [leadData(), leadData()]
      const row = await insert(mine, lead)
      await insert(mine, other)
      const find = async () => (await store.read.leads.find(mine, lead.id))!
      expect((await find()).activity).toEqual({ last_note_at: null, note_count: 0, last_contacted_at: null })
      const newer = { ...note("note_2", lead.id), created_at: NOW + 9 }
      await write(async (tx) => {
        await tx.notes.insert(mine, row, newer)
        await tx.notes.insert(mine, row, note("note_1", lead.id))
      })
      const noted = await find()
      expect(noted.activity).toEqual({ last_note_at: NOW + 9, note_count: 2, last_contacted_at: null })
      expect(noted.version).not.toBe(row.version)
      const answered = await write((tx) => tx.leads.setContacted(mine, noted, NOW + 20))
      const contacted = { last_note_at: NOW + 9, note_count: 2, last_contacted_at: NOW + 20 }
      expect(answered.activity).toEqual(contacted)
      expect((await find()).version).toBe(answered.version)
      const changed = { ...lead, city: "Bonn" }
      await write((tx) => tx.leads.replace(mine, answered, lead, changed, 7))
      expect(JSON.parse((await find()).json())).toEqual(leadOf(changed, contacted, 7))
      const sort: LeadSort = { key: { on: "number", field: "note_count" }, descending: true }
      const page = await store.read.leads.list(mine, { filter: NO_FILTER, sort, limit: 10 })
      expect(page.rows.map((one) => [one.data().id, one.activity.note_count])).toEqual([
        [lead.id, 2],
        [other.id, 0],
      ])
      const out = Buffer.alloc(page.rows[0]!.room)
      const text = out.toString("utf8", 0, page.rows[0]!.writeJson(out, 0))
      expect(JSON.parse(text)).toEqual(leadOf(changed, contacted, 7))
      const asked: Condition = {
        on: "number",
        not: false,
        field: "last_contacted_at",
        operator: "gt",
        values: [NOW],
      }
      expect(await store.read.leads.ids(mine, { all: [asked], any: [] })).toEqual([lead.id])
      const touched: Condition = { ...asked, field: "last_touched_at", operator: "gte", values: [NOW + 20] }
      expect(await store.read.leads.ids(mine, { all: [touched], any: [] })).toEqual([lead.id])
      const byTouch: LeadSort = { key: { on: "number", field: "last_touched_at" }, descending: true }
      const latest = await store.read.leads.list(mine, { filter: NO_FILTER, sort: byTouch, limit: 10 })
      expect(latest.rows.map((one) => one.lastTouchedAt)).toEqual([NOW + 20, other.last_interaction_at])
      await write((tx) => tx.notes.remove(theirs, newer.id))
      await write((tx) => tx.notes.remove(mine, newer.id))
      expect((await find()).activity).toEqual({ ...contacted, last_note_at: NOW, note_count: 1 })
    })

    test("change and go by their own account alone", async () => {
      const lead = leadData()
      const row = await insert(mine, lead)
      const old = note("note_1", lead.id)
      await write((tx) => tx.notes.insert(mine, row, old))
      const edited = { ...old, content: "edited", updated_at: NOW + 1 }
      await write((tx) => tx.notes.update(theirs, edited))
      await write((tx) => tx.notes.remove(theirs, old.id))
      expect(await store.read.notes.find(mine, old.id)).toEqual(old)
      await write((tx) => tx.notes.update(mine, edited))
      expect(await store.read.notes.find(mine, old.id)).toEqual(edited)
      await write((tx) => tx.notes.remove(mine, old.id))
      expect(await store.read.notes.list(mine, row)).toEqual([])
    })
  })

  part("activities", () => {
    const activity = (id: string, lead_id: string, at = NOW): LoggedActivity => ({
      ...{ id, lead_id, kind: "call", outcome: "no_answer", text: `of ${id}`, at },
      ...{ author: "Eva", member_id: null, created_at: NOW },
    })

    test("belong to a lead, the newest first, and go with it", async () => {
      const [lead, other] = [leadData(), leadData()]
      const [row, otherRow] = [await insert(mine, lead), await insert(mine, other)]
      const all = [
        activity("act_2", lead.id),
        activity("act_1", lead.id),
        activity("act_3", lead.id, NOW - 9),
      ]
      const theOther = activity("act_4", other.id)
      await write(async (tx) => {
        for (const one of all) await tx.activities.insert(mine, row, one)
        await tx.activities.insert(mine, otherRow, theOther)
      })
      const { activities } = store.read
      expect(await activities.list(mine, row)).toEqual(all)
      expect(await activities.list(mine, row, { after: undefined, limit: 2 })).toEqual(all.slice(0, 2))
      expect(await activities.list(mine, row, { after: `${NOW} act_1`, limit: 9 })).toEqual(all.slice(2))
      expect(await activities.find(mine, "act_4")).toEqual(theOther)
      expect(await activities.find(theirs, "act_4")).toBeUndefined()
      expect(await activities.list(theirs, row)).toEqual([])
      await remove(mine, row)
      expect(await activities.find(mine, "act_1")).toBeUndefined()
      expect(await activities.find(mine, "act_4")).toEqual(theOther)
    })

    test("say when their lead was contacted last, beside its status", async () => {
      const lead = leadData()
      const row = await insert(mine, lead)
      const contactedAt = async () => (await store.read.leads.find(mine, lead.id))!.activity.last_contacted_at
      await write((tx) => tx.activities.insert(mine, row, activity("act_1", lead.id, NOW + 9)))
      expect(await contactedAt()).toBe(NOW + 9)
      await write((tx) => tx.activities.insert(mine, row, activity("act_2", lead.id, NOW + 3)))
      expect(await contactedAt()).toBe(NOW + 9)
      const found = (await store.read.leads.find(mine, lead.id))!
      const answered = await write((tx) => tx.leads.setContacted(mine, found, NOW + 5))
      expect([answered.activity.last_contacted_at, await contactedAt()]).toEqual([NOW + 9, NOW + 9])
      await write((tx) => tx.activities.remove(theirs, "act_1"))
      expect(await contactedAt()).toBe(NOW + 9)
      await write((tx) => tx.activities.remove(mine, "act_1"))
      expect(await contactedAt()).toBe(NOW + 5)
      await write(async (tx) => tx.leads.setContacted(mine, (await tx.leads.find(mine, lead.id))!, null))
      expect(await contactedAt()).toBe(NOW + 3)
      await write((tx) => tx.activities.remove(mine, "act_2"))
      expect(await contactedAt()).toBeNull()
    })

    test("are counted by what is asked for, within a time", async () => {
      const lead = leadData()
      const row = await insert(mine, lead)
      const { id } = lead
      await write(async (tx) => {
        await tx.activities.insert(mine, row, activity("act_1", id, 900))
        await tx.activities.insert(mine, row, { ...activity("act_2", id, 1_799), kind: "email" })
        await tx.activities.insert(mine, row, { ...activity("act_3", id, 1_800), member_id: "mem_1" })
      })
      const counts = (...[asked, of = mine]: [Parameters<typeof store.read.activities.counts>[1], number?]) =>
        store.read.activities.counts(of, asked)
      expect(await counts({ by: [] })).toEqual([{ count: 3 }])
      expect(await counts({ by: [] }, theirs)).toEqual([{ count: 0 }])
      expect(await counts({ by: [], since: 1_799, until: 1_799 })).toEqual([{ count: 1 }])
      expect(await counts({ by: [], kind: "call" })).toEqual([{ count: 2 }])
      expect((await counts({ by: ["time", "member"] })).toSorted((a, b) => a.count - b.count)).toEqual([
        { quarter: 2, member_id: "mem_1", author: "Eva", count: 1 },
        { quarter: 1, member_id: null, author: "Eva", count: 2 },
      ])
    })
  })

  part("scoring rules", () => {
    const rule = (id: string, priority = 0): ScoringRule => ({
      id,
      name: id,
      expression: "rating * 2",
      weight: 0.5,
      priority,
      created_at: NOW,
      updated_at: NOW,
    })

    test("come by priority, then by creation", async () => {
      const rules = [rule("r3", 5), rule("r2", -1), rule("r1", 5), rule("r0", 0)]
      await write(async (tx) => {
        for (const one of rules) await tx.rules.insert(mine, one)
      })
      expect((await store.read.rules.list(mine)).map(({ id }) => id)).toEqual(["r2", "r0", "r3", "r1"])
      expect(await store.read.rules.find(mine, "r3")).toEqual(rules[0]!)
      expect(await store.read.rules.find(theirs, "r3")).toBeUndefined()
      expect(await store.read.rules.list(theirs)).toEqual([])
    })

    test("have a revision that differs after every change of their account's rules", async () => {
      const before = await store.read.rules.revision(theirs)
      const seen = [await store.read.rules.revision(mine)]
      const see = async () => seen.push(await store.read.rules.revision(mine))
      await write((tx) => tx.rules.insert(mine, rule("r1")))
      await see()
      await write((tx) => tx.rules.update(mine, { ...rule("r1"), weight: 2 }))
      await see()
      await write(async (tx) => {
        const unchanged = await tx.rules.revision(mine)
        await tx.rules.insert(mine, rule("r2"))
        expect(await tx.rules.revision(mine)).not.toBe(unchanged)
        throw new Error("back")
      }).catch(() => {})
      expect(await store.read.rules.revision(mine)).toBe(seen.at(-1)!)
      expect(await write((tx) => tx.rules.remove(mine, "r1"))).toBe(true)
      await see()
      expect(new Set(seen).size).toBe(seen.length)
      expect(await store.read.rules.revision(theirs)).toBe(before)
      expect(await write((tx) => tx.rules.remove(theirs, "r1"))).toBe(false)
    })
  })

  trailContract(openWithAccounts)
  jobsContract(openWithAccounts)
}
