// What any engine behind store/contract/store.ts must do. An engine's own test calls this with how it is opened.
import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { type Condition, type LeadFilter, type LeadSort, NO_FILTER } from "../../src/filters/lead-query.ts"
import { type LeadData, leadOf, NO_ACTIVITY } from "../../src/lead/lead.ts"
import { dedupKeys, type LeadKeys } from "../../src/lead/lead-keys.ts"
import type {
  ApiKeyRow,
  Candidates,
  LeadReads,
  LeadRow,
  ScoringRule,
  Store,
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
  })

  part("API keys", () => {
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
  })

  part("leads", () => {
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
    async function find(filter: LeadFilter): Promise<string> {
      const sort: LeadSort = { key: { on: "id" }, descending: false }
      const { rows, next } = await store.read.leads.list(mine, { filter, sort, limit: 100 })
      expect(next).toBeUndefined()
      expect(await store.read.leads.count(mine, filter)).toBe(rows.length)
      return rows.map((row) => row.data().name).join("")
    }

    const on = (condition: object) => ({ not: false, ...condition }) as unknown as Condition
    const own = (value: string): Partial<LeadData> => ({
      attributes: [{ id: "1", name: "x", type: "text", value }],
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
      await write(async (tx) => {
        for (const [i, [name, value]] of Object.entries(TEXTS).entries()) {
          const where = i % 2 === 0 ? { address: value } : { address: "x", ...own(value) }
          await tx.leads.insert(mine, leadData({ id: tx.newId("cl_"), name, ...where }), 0)
        }
      })
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
            const holders = folded.filter(([, one]) => holds(one, part)).map(([name]) => name)
            const expected = [..."ABCDEFG"].filter(
              (name, i) => holders.includes(name) || (i % 2 === 1 && holds("x", part)),
            )
            expect([asked, await find({ all: [], any })]).toEqual([asked, expected.join("")])
            expect([asked, await find({ all, any: [] })]).toEqual([asked, expected.join("")])
          }
        }
      }
    })
  })

  part("scoring rules", () => {
    const rule = (id: string): ScoringRule => ({
      ...{ id, name: id, expression: "rating * 2", weight: 0.5, priority: 0 },
      ...{ created_at: NOW, updated_at: NOW },
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
