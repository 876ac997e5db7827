// What is derived from leads, in a file of its own that follows the writes.
import { Database } from "bun:sqlite"
import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { WordsCondition } from "../../src/filters/lead-query.ts"
import type { LeadData } from "../../src/lead/lead.ts"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import type { Store } from "../../src/store/contract/store.ts"
import { checkDerived } from "../../src/store/sqlite/derived/check.ts"
import { indexFile, removeIndex } from "../../src/store/sqlite/derived/file.ts"
import { openIndexer } from "../../src/store/sqlite/file/follower.ts"
import { openSqliteStore } from "../../src/store/sqlite/index.ts"
import { leadData } from "../store/given.ts"
import { openTestApp } from "../support/app.ts"
import { onPostgres } from "../support/database.ts"
import { temporaryFolder } from "../support/folder.ts"
import { until } from "../support/until.ts"

const words = (...all: string[]): { not: false } & WordsCondition => ({
  on: "words",
  not: false,
  all: all.map((word) => [{ words: [word], isBegun: false }]),
  none: [],
})

describe.skipIf(onPostgres)("the derived index of a file", () => {
  let file: string
  let store: Store
  let account: number
  const open = () => openSqliteStore(file, createIds(systemClock))

  beforeEach(async () => {
    file = join(temporaryFolder(), "leads.db")
    store = open()
    account = await store.writeAcross((tx) =>
      tx.accounts.insert({ id: "acc_1", name: "one", plan: "enterprise", created_at: 1 }),
    )
  })
  afterEach(() => store.close())

  let made = 0
  async function insert(lead: Partial<LeadData>): Promise<LeadData> {
    const whole = leadData({ id: `cl_${String(++made).padStart(6, "0")}`, ...lead })
    await store.write(account, (tx) => tx.leads.insert(account, whole, 0))
    return whole
  }
  const find = (...all: string[]) => store.read.leads.ids(account, { all: [words(...all)], any: [] })
  async function ranked(...all: string[]): Promise<string[]> {
    const query = { filter: { all: [words(...all)], any: [] }, after: undefined, limit: 50 }
    const sort = { key: { on: "relevance" }, descending: true } as const
    const { rows } = await store.read.leads.list(account, { ...query, sort })
    return rows.map((row) => row.data().id)
  }
  const row = async (id: string) => (await store.read.leads.find(account, id))!

  test("is behind, whole and seen through as leads come, change and go", async () => {
    const one = await insert({ name: "Alpha Zimt" })
    const two = await insert({ name: "Beta", city: "Zimt" })
    for (const isIndexed of [false, true]) {
      if (isIndexed) await store.indexAll()
      expect(await find("zimt")).toEqual([one.id, two.id])
      expect(await ranked("zimt")).toEqual([one.id, two.id])
      expect(await find("zimt", "beta")).toEqual([two.id])
    }
    expect(checkDerived(file).derived).toMatchObject({ state: "whole", behind: 0 })

    const changed = { ...one, name: "Alpha Nelke" }
    await store.write(account, async (tx) => tx.leads.replace(account, await row(one.id), one, changed, 0))
    expect(checkDerived(file).derived).toMatchObject({ state: "behind", behind: 1 })
    for (const isIndexed of [false, true]) {
      if (isIndexed) await store.indexAll()
      expect([await find("zimt"), await find("nelke")]).toEqual([[two.id], [one.id]])
      expect([await ranked("zimt"), await ranked("nelke")]).toEqual([[two.id], [one.id]])
      expect(await store.read.leads.hasWords(account, words("alpha", "zimt"))).toBe(false)
      expect(await store.read.leads.hasWords(account, words("alpha", "nelke"))).toBe(true)
    }

    await store.write(account, async (tx) => tx.leads.remove(account, await row(two.id), two))
    // It gets the number of the one that went.
    const three = await insert({ name: "Gamma", city: "Anis" })
    for (const isIndexed of [false, true]) {
      if (isIndexed) await store.indexAll()
      expect([await find("zimt"), await find("anis")]).toEqual([[], [three.id]])
    }
    expect(checkDerived(file)).toMatchObject({ derived: { state: "whole" }, findings: [] })
  })

  test("has the lead that gets the number of one whose end it has followed before", async () => {
    const [, two, three] = [
      await insert({ name: "A" }),
      await insert({ name: "B" }),
      await insert({ name: "C" }),
    ]
    await store.indexAll()
    await store.write(account, async (tx) => tx.leads.remove(account, await row(two.id), two))
    await store.indexAll()
    // The last one goes as well, so that the next lead gets the number of the second.
    await store.write(account, async (tx) => tx.leads.remove(account, await row(three.id), three))
    const next = await insert({ name: "Zimt" })
    expect((await row(next.id)).ref).toBe(2)
    for (const isIndexed of [false, true]) {
      if (isIndexed) await store.indexAll()
      expect(await find("zimt")).toEqual([next.id])
    }
    expect(checkDerived(file)).toMatchObject({ derived: { state: "whole" }, findings: [] })
  })

  test("notes are found before it has followed, and forms of phones and mistyped words are known", async () => {
    const lead = await insert({ name: "Konditorei", phone: "+49 (0)30 / 1234-567" })
    await store.indexAll()
    const note = {
      id: "note_1",
      lead_id: lead.id,
      content: "wants Marzipan",
      author: null,
      created_at: 1,
      updated_at: 1,
    }
    await store.write(account, async (tx) => tx.notes.insert(account, await row(lead.id), note))
    const other = await insert({ name: "Pfefferkuchen", phone: "+49 (0)30 / 7654-321" })
    expect(await find("marzipan")).toEqual([lead.id])
    expect(await find("307654321")).toEqual([other.id])
    expect(await store.read.leads.wordsLike(account, "pfeferkuchen")).toEqual(["pfefferkuchen"])
    await store.indexAll()
    expect(await find("marzipan")).toEqual([lead.id])
    expect(await store.read.leads.wordsLike(account, "pfeferkuchen")).toEqual(["pfefferkuchen"])
  })

  test.each<[string, (index: string) => void]>([
    ["missing", (index) => rmSync(index)],
    [
      "no database",
      (index) => writeFileSync(index, "this is no database, whatever its name says".repeat(200)),
    ],
    [
      "of another version",
      (index) => {
        using db = new Database(index)
        db.run("UPDATE index_state SET version = 'other'")
      },
    ],
    [
      "of a start of the machine before this one, which did not bring it to the disk",
      (index) => {
        using db = new Database(index)
        db.run("UPDATE index_state SET boot = 'other', clean = 0")
      },
    ],
    [
      "of a database that was restored since",
      (index) => {
        using db = new Database(index)
        db.run("UPDATE index_state SET epoch = x'00'")
      },
    ],
  ])("is made again where it is %s; searches see everything meanwhile", async (_, spoil) => {
    const one = await insert({ name: "Alpha Zimt" })
    await store.indexAll()
    await store.close()
    spoil(indexFile(file))
    store = open()
    expect(await find("zimt")).toEqual([one.id])
    await store.indexAll()
    expect(await find("zimt")).toEqual([one.id])
    expect(await store.read.leads.unindexed(account)).toBe(0)
    expect(checkDerived(file)).toMatchObject({ derived: { state: "whole" }, findings: [] })
  })

  test("goes on where another process stopped in the middle, and waits for one that is at it", async () => {
    for (let i = 0; i < 5; i++) await insert({ name: `Zimt ${i}` })
    const one = openIndexer(file)
    const two = openIndexer(file)
    expect(await one.step(2)).toMatchObject({ leads: 2, isAll: false })
    expect(await two.step(2)).toMatchObject({ leads: 0, isElsewhere: true })
    expect(await find("zimt")).toHaveLength(5)
    // It has died: its lease is over.
    {
      using db = new Database(indexFile(file))
      db.run("UPDATE index_state SET held_until = 1")
    }
    expect(await two.step(9)).toMatchObject({ leads: 3, isAll: true })
    expect(await find("zimt")).toHaveLength(5)
    for (const indexer of [one, two]) await indexer.close()
    expect(checkDerived(file)).toMatchObject({ derived: { state: "whole" }, findings: [] })
  })

  test("is asked anew once another process has put one in its place", async () => {
    const one = await insert({ name: "Zimt 1" })
    await store.indexAll()
    expect(await find("zimt")).toEqual([one.id])
    removeIndex(file)
    await store.indexAll()
    // Tells the new one from the old one, whose connections are still open.
    {
      using db = new Database(indexFile(file))
      db.run("DELETE FROM lead_words")
    }
    const two = await insert({ name: "Zimt 2" })
    expect(await find("zimt")).toEqual([two.id])
  })

  test("has nothing of a deleted account", async () => {
    for (let i = 0; i < 3; i++) await insert({ name: `Zimt ${i}` })
    await store.indexAll()
    while (await store.writeAcross((tx) => tx.accounts.remove(account)));
    await store.indexAll()
    using db = new Database(indexFile(file))
    const left = db.query(
      "SELECT id FROM lead_words_docsize UNION ALL SELECT id FROM lead_texts_docsize UNION ALL SELECT word FROM known_words",
    )
    expect(left.all()).toEqual([])
  })

  test("loses an erased lead and its words before the answer", async () => {
    await insert({ name: "Alpha Zimtstern" })
    const two = await insert({ name: "Ottilie Zimtstern", city: "Marzipanhausen" })
    await store.indexAll()
    await store.write(account, async (tx) => {
      await tx.leads.remove(account, await row(two.id), two)
      const change = { lead_id: two.id, reason: null, actor_id: "a", key_id: null, created_at: 1 }
      await tx.changes.record(account, {
        ...change,
        action: "deleted",
        before: { data: two, score: 0 },
        after: null,
      })
      await tx.changes.erase(account, two.id)
    })
    using db = new Database(indexFile(file))
    const found = (word: string) =>
      db.query("SELECT rowid FROM lead_words WHERE lead_words MATCH ?").all(word)
    expect(db.query("SELECT id FROM lead_words_docsize").all()).toHaveLength(1)
    expect(db.query("SELECT id FROM lead_texts_docsize").all()).toHaveLength(1)
    expect(found("marzipanhausen")).toEqual([])
    const known = db
      .query<{ word: string }, []>("SELECT word FROM known_words")
      .all()
      .map(({ word }) => word)
    expect(known).toContain("zimtstern")
    expect(known).not.toContain("ottilie")
    expect(known).not.toContain("marzipanhausen")
  })

  test("is told where the log of changes has lost what it had yet to follow", async () => {
    const one = await insert({ name: "Zimt" })
    await store.indexAll()
    for (const name of ["Anis", "Nelke", "Kardamom"]) {
      const was = await row(one.id)
      const now = { ...one, name }
      await store.write(account, (tx) => tx.leads.replace(account, was, was.data(), now, 0))
    }
    {
      using db = new Database(file)
      db.run("DELETE FROM lead_log WHERE n < (SELECT max(n) FROM lead_log)")
    }
    expect([await find("zimt"), await find("kardamom")]).toEqual([[], [one.id]])
    await store.indexAll()
    await store.close()
    store = open()
    expect([await find("zimt"), await find("kardamom")]).toEqual([[], [one.id]])
    expect(checkDerived(file)).toMatchObject({ derived: { state: "whole" }, findings: [] })
  })
})

test.skipIf(onPostgres)("a service brings its index up to date by itself after writes", async () => {
  const { call, config } = await openTestApp()
  await call("POST", "/leads", { name: "Zimt & Co", source: "web" })
  const { body } = await call("GET", "/leads?q=zimt")
  expect(JSON.stringify(body)).toContain("Zimt & Co")
  await until("the index is whole", async () => checkDerived(config.file).derived.state === "whole")
  expect(existsSync(indexFile(config.file))).toBe(true)
})

test.skipIf(onPostgres)("a service indexes what another process has written", async () => {
  const { config } = await openTestApp()
  const store = openSqliteStore(config.file, createIds(systemClock))
  const [account] = await store.read.accounts.list()
  await store.write(account!.key, (tx) => tx.leads.insert(account!.key, leadData({ name: "Zimt" }), 0))
  await store.close()
  await until("the index is whole", async () => checkDerived(config.file).derived.state === "whole")
})
