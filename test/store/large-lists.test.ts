// Lists of more leads than one slice reads, with and without the text index, against plain JavaScript.

import type { Database } from "bun:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { parseSort } from "../../src/domain/leads/list/list.ts"
import type { GroupFigure, GroupKey } from "../../src/lead/group-query.ts"
import type { LeadData } from "../../src/lead/lead.ts"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import type { Position, StoredLead } from "../../src/store/contract/store.ts"
import { createSlices } from "../../src/store/sqlite/connection/database.ts"
import { openReader } from "../../src/store/sqlite/file/connections.ts"
import { openSqliteStore, type SqliteStore } from "../../src/store/sqlite/index.ts"
import { leadLists } from "../../src/store/sqlite/leads/list/list.ts"
import { leadStats } from "../../src/store/sqlite/leads/stats.ts"
import { heldClock } from "../support/clock.ts"
import { parseFilters } from "../support/filters.ts"
import { temporaryFolder } from "../support/folder.ts"
import { accountIn, leadData } from "./given.ts"

const LEADS = 2_500
const CITIES = ["ulm", "köln", "東京", "åre", null]

const DAY = 86_400
const START = 1_700_000_000

function lead(i: number): LeadData {
  return leadData({
    id: `cl_${String(i).padStart(6, "0")}`,
    name: `Firma ${i % 7}`,
    city: CITIES[i % 5] ?? null,
    source: ["web", "Web", "Messe", "žurnál", "ﬁ", "😀"][i % 6]!,
    category: ["Café", "CAFÉ", "ﬁsh", "😀", "Bar", null][i % 6] ?? null,
    phone: i % 9 === 0 ? `+49 30 ${i % 23}` : null,
    created_at: START + (i % 60) * (DAY / 2),
    // By UTF-16 the last would stand before the second.
    address: i % 3 === 0 ? `${["Straße", "ﬁn", "Weg", "😀"][i % 4]} ${i % 11}` : null,
    email: i % 4 === 0 ? null : `mail${i}@${i === 2_321 ? "rare-host" : "common-host"}.example`,
    description: i % 10 === 0 ? `say "hi" ${i % 20}` : null,
    rating: i % 6 === 0 ? null : (i % 9) / 2,
    status: i % 50 === 0 ? "converted" : "new",
    tags: tagsOf(i),
    latitude: i % 8 === 0 ? 50 + (i % 16) / 10 : null,
    longitude: i % 8 === 0 ? 8 : null,
    attributes: i % 5 === 0 ? [{ id: `a${i}`, name: "note", type: "text", value: `text ${i % 13} end` }] : [],
  })
}

const scoreOf = ({ id }: Pick<LeadData, "id">) => (Number(id.slice(3)) % 3) * 40

function tagsOf(i: number): string[] {
  if (i % 40 === 0) return ["a", "b"]
  if (i % 2 === 0) return ["a"]
  if (i % 10 === 3) return ["c"]
  return i % 12 === 7 ? ["d"] : []
}

type Case = [filters: string[], matches: (lead: LeadData) => boolean]

const has = (text: string | null, part: string) => text?.includes(part) ?? false
const CASES: Record<string, Case> = {
  "nothing asked": [[], () => true],
  "a part that no text has": [["and.contains.name.zzz"], () => false],
  "a part that one text has": [["and.contains.email.RARE-host"], ({ email }) => has(email, "rare-host")],
  "a part that most texts have": [["and.contains.email.common"], ({ email }) => has(email, "common")],
  "a part of two letters": [["and.contains.city.öl"], ({ city }) => has(city, "öl")],
  "one city": [["and.eq.city.Ulm"], ({ city }) => city === "ulm"],
  "one city and more": [
    ["and.eq.city.Ulm", "and.gt.rating.1", "and.contains.name.a"],
    ({ city, rating }) => city === "ulm" && (rating ?? 0) > 1,
  ],
  "a part in another script": [["and.eq.city.東京"], ({ city }) => city === "東京"],
  "quotes in a part": [['and.contains.description."hi"'], ({ description }) => has(description, '"hi"')],
  "the end of a text": [["and.ends_with.address.ße 7"], ({ address }) => address?.endsWith("ße 7") ?? false],
  "a part of an attribute": [
    ["and.contains.attr:note.text 12"],
    ({ attributes }) => attributes.some(({ value }) => String(value).includes("text 12")),
  ],
  "one part or another": [
    ["or.contains.email.rare-host", "or.eq.status.converted"],
    ({ email, status }) => has(email, "rare-host") || status === "converted",
  ],
  "a part of a status": [["and.contains.status.onvert"], ({ status }) => status === "converted"],
  "the end of a status": [["and.ends_with.status.verted"], ({ status }) => status === "converted"],
  "a part that must not be there": [
    ["and.not_contains.email.common-host"],
    ({ email }) => !has(email, "common-host"),
  ],
  "other values than the usual": [["and.neq.status.new"], ({ status }) => status !== "new"],
  "none of several values": [
    ["and.not_in.city.Ulm,Köln,東京"],
    ({ city }) => city === null || city === "åre",
  ],
  "two conditions with indexes": [
    ["and.eq.city.ulm", "and.array_contains_all.tags.a,b", "and.neq.status.new"],
    ({ city, tags, status }) => city === "ulm" && tags.length === 2 && status !== "new",
  ],
  "two conditions that many leads meet": [
    ["and.eq.city.ulm", "and.array_contains.tags.a"],
    ({ city, tags }) => city === "ulm" && tags.includes("a"),
  ],
  "a tag that a tenth has": [["and.array_contains.tags.c"], ({ tags }) => tags.includes("c")],
  "a tag that fewer have": [["and.array_contains.tags.d"], ({ tags }) => tags.includes("d")],
  "a tag that a tenth has, and a part": [
    ["and.array_contains.tags.c", "and.contains.name.3"],
    ({ tags, name }) => tags.includes("c") && name.includes("3"),
  ],
  "an attribute": [
    ["and.eq.attr:note.text 5 end"],
    ({ attributes }) => attributes.some(({ value }) => value === "text 5 end"),
  ],
  "a radius without an index": [
    ["and.within_radius.location.50,8,60", "and.array_contains.tags.a"],
    ({ latitude, tags }) => latitude !== null && latitude <= 50.5 && tags.includes("a"),
  ],
}

const SORTS = [
  "created_at",
  "name",
  "rating",
  "city",
  "address",
  "phone",
  "score",
  "attr:note",
  "id",
] as const

function sortValue({ attributes, ...lead }: LeadData, sort: (typeof SORTS)[number]): string | number | null {
  if (sort === "attr:note") return (attributes[0]?.value as string | undefined) ?? null
  if (sort === "score") return scoreOf(lead)
  const value = lead[sort]
  return typeof value === "string" ? value.toLowerCase() : value
}

function sorted(leads: LeadData[], sort: (typeof SORTS)[number], descending: boolean): string[] {
  const sign = descending ? -1 : 1
  const compare = (a: string | number, b: string | number) =>
    typeof a === "string" ? Buffer.compare(Buffer.from(a), Buffer.from(String(b))) : a - Number(b)
  return leads
    .toSorted((one, other) => {
      const a = sortValue(one, sort)
      const b = sortValue(other, sort)
      if (a === null || b === null) {
        if (a !== b) return a === null ? 1 : -1
        return (one.id < other.id ? -1 : 1) * sign
      }
      return (compare(a, b) || (one.id < other.id ? -1 : 1)) * sign
    })
    .map(({ id }) => id)
}

const folder = temporaryFolder()
const file = join(folder, "leads.db")
const all = Array.from({ length: LEADS }, (_, i) => lead(i))
/** Those of another account, which has few of the table's leads. */
const few = Array.from({ length: 250 }, (_, i) => ({ ...lead(i), id: `cl_${1_000_000 + i}` }))
let store: SqliteStore
let account: number
let smallAccount: number

beforeAll(async () => {
  store = openSqliteStore(file, createIds(systemClock))
  account = await accountIn(store)
  smallAccount = await accountIn(store, "acc_2")
  await store.writeAcross(async (tx) => {
    for (const one of all) await tx.leads.insert(account, one, scoreOf(one))
    for (const one of few) await tx.leads.insert(smallAccount, one, scoreOf(one))
  })
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const idOf = (lead: StoredLead): string => lead.data().id

async function ids(filters: string[], sort_by: string, sort_order: "ASC" | "DESC", limit: number) {
  const query = { filter: parseFilters(filters), sort: parseSort({ sort_by, sort_order }), limit }
  const rows: StoredLead[] = []
  let after: Position | undefined
  do {
    const page = await store.read.leads.list(account, { ...query, after })
    expect(page.rows.length).toBeLessThanOrEqual(limit)
    rows.push(...page.rows)
    after = page.next
  } while (after)
  return rows.map(idOf)
}

const INDEXED = "out of the text index"

for (const state of ["before the text index has them", INDEXED]) {
  describe(`lists of ${LEADS} leads, ${state}`, () => {
    if (state === INDEXED) beforeAll(() => store.indexAll())

    test.each(Object.entries(CASES))("%s", async (_, [filters, matches]) => {
      const found = all.filter(matches)
      for (const [i, sort] of SORTS.entries()) {
        // One way before, the other afterwards.
        const order = (i % 2 === 0) === (state === INDEXED) ? "ASC" : "DESC"
        const read = await ids(filters, sort, order, 999)
        expect({ sort, order, ids: read }).toEqual({
          sort,
          order,
          ids: sorted(found, sort, order === "DESC"),
        })
      }
      expect(await store.read.leads.count(account, parseFilters(filters))).toBe(found.length)
      const names = found.some(({ attributes }) => attributes.length > 0) ? ["note"] : []
      expect(await store.read.leads.attributeNames(account, parseFilters(filters))).toEqual(names)
    })
  })
}

describe("pages of ten, read in slices of twenty", () => {
  test.each(Object.entries(CASES))("%s", async (_, [filters, matches]) => {
    using db = openReader(file)
    const slices = () => ({ size: () => 20, yieldIfDue: async () => undefined })
    const { list } = leadLists(db, slices)
    const expected = all.filter(matches)
    for (const [i, sort_by] of SORTS.entries()) {
      const sort_order = i % 2 === 0 ? "DESC" : "ASC"
      const query = { filter: parseFilters(filters), sort: parseSort({ sort_by, sort_order }), limit: 10 }
      const read: string[] = []
      let after: Position | undefined
      for (let page = 0; page < 3; page++) {
        const { rows, next } = await list(account, { ...query, after })
        read.push(...rows.map(idOf))
        after = next
        if (!next) break
      }
      const ids = sorted(expected, sort_by, sort_order === "DESC").slice(0, 30)
      expect({ sort_by, sort_order, read }).toEqual({ sort_by, sort_order, read: ids })
    }
  })
})

describe("groups, read in slices of twenty", () => {
  const TAGS: GroupKey = { on: "tags" }
  const CITY: GroupKey = { on: "text", field: "city" }
  const STATUS: GroupKey = { on: "text", field: "status" }
  const NUMBER: GroupKey = { on: "number", field: "rating" }
  const RATING: GroupFigure = { kind: "sum", of: { on: "number", field: "rating" } }

  test.each(Object.entries(CASES))("%s", async (_, [filters, matches]) => {
    using db = openReader(file)
    const slices = () => ({ size: () => 20, yieldIfDue: async () => undefined })
    const { groups } = leadLists(db, slices)
    for (const [keys, figures] of [
      [[TAGS], []],
      [[TAGS], [RATING]],
      [[CITY, TAGS], []],
      [[TAGS, CITY], []],
      [[CITY, STATUS], []],
      [[STATUS, NUMBER, CITY], []],
    ] satisfies [GroupKey[], GroupFigure[]][]) {
      const expected = new Map<string, number>()
      const hasTags = keys.some(({ on }) => on === "tags")
      for (const { tags, ...fields } of all.filter(matches)) {
        for (const tag of hasTags && tags.length > 0 ? tags : [null]) {
          const values = JSON.stringify(
            keys.map((key) => ("field" in key ? fields[key.field as "city"] : tag)),
          )
          expected.set(values, (expected.get(values) ?? 0) + 1)
        }
      }
      const found = await groups(account, parseFilters(filters), keys, figures)
      const counted = found.map(({ values, count }) => [JSON.stringify(values), count] as const)
      expect(counted.toSorted()).toEqual([...expected].toSorted())
    }
  })
})

describe("statistics, counted in slices of twenty", () => {
  const slices = () => ({ size: () => 20, yieldIfDue: async () => undefined })

  test("say of all leads what plain counting says", async () => {
    using db = openReader(file)
    const { stats } = leadStats(db, slices, 0)
    const now = START + 30 * DAY
    const number = (matches: (lead: LeadData) => unknown) => all.filter(matches).length
    const scores = all.map((_, i) => (i % 3) * 40)
    expect(await stats(account, now)).toEqual({
      total: LEADS,
      by_status: {
        new: number(({ status }) => status === "new"),
        contacted: 0,
        qualified: 0,
        disqualified: 0,
        converted: number(({ status }) => status === "converted"),
      },
      by_source: {
        web: number(({ source }) => /web/i.test(source)),
        Messe: number(({ source }) => source === "Messe"),
        žurnál: number(({ source }) => source === "žurnál"),
        ﬁ: number(({ source }) => source === "ﬁ"),
        "😀": number(({ source }) => source === "😀"),
      },
      score: {
        average: scores.reduce((sum, score) => sum + score, 0) / LEADS,
        min: 0,
        max: 80,
        hot: scores.filter((score) => score >= 70).length,
        warm: scores.filter((score) => score >= 40 && score < 70).length,
        cold: scores.filter((score) => score < 40).length,
      },
      with_email: number(({ email }) => email !== null),
      with_phone: number(({ phone }) => phone !== null),
      created_last_7_days: number(({ created_at }) => created_at >= now - 7 * DAY),
      created_last_30_days: LEADS,
    })
  })

  test("name the commonest values first, those as common by code points, as the oldest lead has them", async () => {
    using db = openReader(file)
    const { commonest } = leadStats(db, slices, 0)
    const count = (value: string) => all.filter(({ category }) => category?.toLowerCase() === value).length
    const expected = [
      { value: "Café", count: count("café") },
      { value: "ﬁsh", count: count("ﬁsh") },
      { value: "😀", count: count("😀") },
      { value: "Bar", count: count("bar") },
    ]
    expect(expected.map(({ count }) => count)).toEqual([834, 417, 417, 416])
    for (const most of [1, 2, 3, 10])
      expect(await commonest(account, "category", most)).toEqual(expected.slice(0, most))
  })
})

describe("a walk through all, places of a hundred found at a time", () => {
  test.each(Object.entries(CASES))("%s", async (_, [filters, matches]) => {
    using db = openReader(file)
    const slices = () => ({ size: () => 400, yieldIfDue: async () => undefined })
    const { walk } = leadLists(db, slices, 100)
    const expected = all.filter(matches)
    for (const [i, sort_by] of SORTS.entries()) {
      const sort_order = i % 2 === 0 ? "DESC" : "ASC"
      const read: string[] = []
      const query = { filter: parseFilters(filters), sort: parseSort({ sort_by, sort_order }) }
      for await (const rows of walk(account, query)) read.push(...rows.map(idOf))
      const ids = sorted(expected, sort_by, sort_order === "DESC")
      expect({ sort_by, sort_order, read }).toEqual({ sort_by, sort_order, read: ids })
    }
  })
})

describe("an order that no index has", () => {
  const sort = parseSort({ sort_by: "address", sort_order: "ASC" })
  const filter = parseFilters(["and.gt.latitude.50.2"])
  const matches = ({ latitude }: LeadData) => (latitude ?? 0) > 50.2

  test.each([
    [
      "an account with most of the leads",
      () => account,
      all,
      "SEARCH l USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)",
    ],
    [
      "one with few of them",
      () => smallAccount,
      few,
      "SEARCH l USING INDEX leads_id (account_id=? AND id>? AND id<?)",
    ],
  ])(
    "is found part by part, for %s, none of which reads all entries of an index",
    async (_, of, leads, search) => {
      using db = openReader(file)
      const read: string[] = []
      let rests = 0
      const slices = () => ({ size: () => 100, yieldIfDue: async () => void rests++ })
      const { list, count } = leadLists(recording(db, read), slices)
      const expected = sorted(leads.filter(matches), "address", false)
      const { rows } = await list(of(), { filter, sort, limit: 10 })
      expect(rows.map(idOf)).toEqual(expected.slice(0, 10))
      expect(rests).toBeGreaterThan(1)
      expect(await count(of(), filter)).toBe(expected.length)
      const plans = read
        .filter((sql) => /l\.r?id > \+\? AND l\.r?id <=/.test(sql))
        .map((sql) => planOf(db, sql))
      expect(plans.length).toBeGreaterThan(1)
      for (const plan of plans) expect(plan).toContain(search)
    },
  )
})

test("a few leads, sorted by an attribute are looked up one by one on every page, not each among all values there are", async () => {
  using db = openReader(file)
  const read: string[] = []
  const { list } = leadLists(recording(db, read))
  const sort = parseSort({ sort_by: "attr:note", sort_order: "ASC" })
  const query = { filter: parseFilters(["and.array_contains.tags.b"]), sort, limit: 5 }
  const { next: after } = await list(account, query)
  await list(account, { ...query, after })
  const plans = read.filter((sql) => sql.includes("lead_attributes x")).map((sql) => planOf(db, sql))
  expect(plans.length).toBeGreaterThan(2)
  expect(plans.join("\n")).toContain("SEARCH x USING PRIMARY KEY (account_id=? AND name=? AND rid=?)")
  expect(plans.join("\n")).not.toContain("lead_attributes_text")
})

describe("a page that indexes can end", () => {
  const three = ["and.in.category.Café,ﬁsh,Bar", "and.neq.source.Messe"]

  test.each(["name", "rating", "score", "created_at"])(
    "reads no row of a lead that it passes by, sorted by %s",
    async (sort_by) => {
      using db = openReader(file)
      const read: string[] = []
      const { list } = leadLists(recording(db, read), () => ({ size: () => 50, yieldIfDue: async () => {} }))
      const sort = parseSort({ sort_by, sort_order: "ASC" })
      const { rows } = await list(account, { filter: parseFilters(three), sort, limit: 10 })
      const expected = all.filter(
        ({ category, source }) =>
          ["café", "ﬁsh", "bar"].includes(category?.toLowerCase() ?? "") && source !== "Messe",
      )
      expect(rows.map(idOf)).toEqual(sorted(expected, sort_by, false).slice(0, 10))
      const walks = read
        .filter((sql) => /INDEXED BY leads?_[a-z_]+\s.*lead_documents d/s.test(sql))
        .map((sql) => planOf(db, sql))
      expect(walks.length).toBeGreaterThan(0)
      for (const plan of walks) {
        expect(plan).toContain("COVERING INDEX leads_category (account_id=? AND category=? AND rowid=?)")
        expect(plan).toContain("COVERING INDEX leads_source (account_id=? AND source=? AND rowid=?)")
        // Of the leads themselves nothing is read beside indexes.
        expect(plan).not.toMatch(/SEARCH l USING (INDEX|INTEGER PRIMARY KEY)/)
      }
    },
  )
})

describe("leads that an index names", () => {
  test.each([
    ["and.starts_with.name.firma 3", ({ name }: LeadData) => name === "Firma 3"],
    ["and.eq.rating.3", ({ rating }: LeadData) => rating === 3],
  ])("are read some at a time, and others have their turn between: %s", async (filter, matches) => {
    using db = openReader(file)
    const sizes: number[] = []
    let rests = 0
    const slices = () => ({ size: () => 60, yieldIfDue: async () => void rests++ })
    const { list, count } = leadLists(recordingLists(db, sizes), slices)
    const found = all.filter(matches)
    const sort = parseSort({ sort_by: "address", sort_order: "DESC" })
    const { rows } = await list(account, { filter: parseFilters([filter]), sort, limit: 20 })
    expect(rows.map(idOf)).toEqual(sorted(found, "address", true).slice(0, 20))
    expect(await count(account, parseFilters([filter]))).toBe(found.length)
    expect(rests).toBeGreaterThanOrEqual(2 * Math.floor(found.length / 60))
    expect(sizes.length).toBeGreaterThan(0)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(60)
  })
})

/** The same database, noting how many rids each statement is given that reads leads by them. */
function recordingLists(db: Database, sizes: number[]): Database {
  return new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (name !== "prepare") return typeof value === "function" ? value.bind(target) : value
      return (sql: string) => {
        const statement = target.prepare(sql)
        if (!sql.includes("json_each(+?)) q")) return statement
        return new Proxy(statement, {
          get(of, method) {
            const run = Reflect.get(of, method)
            if (typeof run !== "function") return run
            return (...args: unknown[]) => {
              for (const arg of args)
                if (typeof arg === "string" && arg.startsWith("[")) sizes.push(JSON.parse(arg).length)
              return Reflect.apply(run, of, args)
            }
          },
        })
      }
    },
  })
}

/** The same database, noting the statements that are prepared. */
function recording(db: Database, statements: string[]): Database {
  return new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (typeof value !== "function") return value
      return (...args: unknown[]) => {
        if (name === "prepare") statements.push(String(args[0]))
        return Reflect.apply(value, target, args)
      }
    },
  })
}

function planOf(db: Database, sql: string): string {
  const parameters = Array.from({ length: sql.split("?").length - 1 }, () => null)
  const steps = db.query<{ detail: string }, null[]>(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters)
  return steps.map(({ detail }) => detail).join("\n")
}

describe("a search in slices", () => {
  test("lets others have their turn when it has taken a while, not after every little", async () => {
    const clock = heldClock()
    const slices = createSlices(false, clock)
    let turns = 0
    setImmediate(() => turns++)
    await slices.yieldIfDue()
    expect(turns).toBe(0)
    clock.advance(3)
    await slices.yieldIfDue()
    expect(turns).toBe(1)
  })

  test("reads more at a time while that is quick, and less when it is not", async () => {
    const clock = heldClock()
    const slices = createSlices(false, clock)
    const first = slices.size()
    await slices.yieldIfDue()
    const quick = slices.size()
    expect(quick).toBeGreaterThan(first)
    clock.advance(50)
    await slices.yieldIfDue()
    expect(slices.size()).toBeLessThan(quick)
  })
})

describe("the text index", () => {
  const find = (part: string) => ids([`and.contains.website.${part}`], "id", "ASC", 50)
  const rowOf = (id: string) => store.read.leads.find(account, id)

  /** Changes one lead, and looks before and after the index has taken notice. */
  async function afterwards(work: () => Promise<unknown>, look: () => Promise<unknown>, expected: unknown) {
    await work()
    expect(await look()).toEqual(expected)
    await store.indexAll()
    expect(await look()).toEqual(expected)
  }

  test("follows a lead that comes, changes and goes, and one that takes its place", async () => {
    const first = leadData({ id: "cl_900001", website: "https://first.example" })
    const insert = (one: LeadData) => store.writeAcross((tx) => tx.leads.insert(account, one, 0))
    await afterwards(
      () => insert(first),
      () => find("first"),
      [first.id],
    )
    const changed = { ...first, website: "https://second.example" }
    const row = (await rowOf(first.id))!
    await afterwards(
      () => store.writeAcross((tx) => tx.leads.replace(account, row, first, changed, 0)),
      async () => [await find("first"), await find("second")],
      [[], [first.id]],
    )
    const last = (await rowOf(first.id))!
    await afterwards(
      () => store.writeAcross((tx) => tx.leads.remove(account, last, changed)),
      () => find("second"),
      [],
    )
    const next = leadData({ id: "cl_900002", website: "https://third.example" })
    await afterwards(
      () => insert(next),
      async () => [await find("second"), await find("third")],
      [[], [next.id]],
    )
    expect((await rowOf(next.id))!.ref).toBe(row.ref)
    await store.writeAcross(async (tx) => tx.leads.remove(account, (await rowOf(next.id))!, next))
  })

  test("misses no lead that is written in one group with a step of its filling", async () => {
    const insert = (one: LeadData) => store.writeAcross((tx) => tx.leads.insert(account, one, 0))
    await insert(leadData({ id: "cl_900003", website: "https://waiting.example" }))
    const together = leadData({ id: "cl_900004", website: "https://together.example" })
    await Promise.all([insert(together), store.indexAll()])
    await store.indexAll()
    expect(await find("together")).toEqual([together.id])
  })
})
