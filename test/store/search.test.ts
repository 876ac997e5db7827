// Searches among leads of two accounts: the ways in which matches are ranked, against plain JavaScript.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { parseSort } from "../../src/domain/leads/list/list.ts"
import { parseSearch } from "../../src/domain/leads/list/search-words.ts"
import type { LeadData } from "../../src/lead/lead.ts"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import type { Position } from "../../src/store/contract/store.ts"
import { openReader } from "../../src/store/sqlite/file/connections.ts"
import { openSqliteStore, type SqliteStore } from "../../src/store/sqlite/index.ts"
import { leadLists } from "../../src/store/sqlite/leads/list/list.ts"
import { parseFilters } from "../support/filters.ts"
import { temporaryFolder } from "../support/folder.ts"
import { accountIn, leadData } from "./given.ts"

const LEADS = 900

function lead(i: number, account: string): LeadData {
  return leadData({
    id: `cl_${account}${String(i).padStart(6, "0")}`,
    name: i % 5 === 0 ? `Pizza Haus ${i}` : `Firma ${i}`,
    category: i % 3 === 0 ? "Pizza" : "Bar",
    city: i % 2 === 0 ? "Haus am See" : "Ulm",
    description: i % 7 === 0 ? "pizza im haus" : null,
    rating: i % 9,
  })
}

/** Where the words of "pizza haus" are: 0 both in the name, 1 in facts, 2 anywhere, undefined not both. */
function tierOf(i: number): number | undefined {
  if (i % 5 === 0) return 0
  const pizza = i % 3 === 0
  const haus = i % 2 === 0
  if (pizza && haus) return 1
  return i % 7 === 0 ? 2 : undefined
}

const folder = temporaryFolder()
const file = join(folder, "leads.db")
let store: SqliteStore
const accounts: number[] = []

beforeAll(async () => {
  store = openSqliteStore(file, createIds(systemClock))
  for (const name of ["a", "b"]) {
    accounts.push(await accountIn(store, `acc_${name}`))
  }
  // Leads of the two lie among each other.
  await store.writeAcross(async (tx) => {
    for (let i = 0; i < LEADS; i++) {
      await tx.leads.insert(accounts[0]!, lead(i, "a"), 0)
      if (i % 3 === 0) await tx.leads.insert(accounts[1]!, lead(i, "b"), 0)
    }
  })
  await store.indexAll()
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const numberOf = (id: string) => Number(id.slice(4))
const slices = () => ({ size: () => 50, yieldIfDue: async () => undefined })

/** All pages of a search, as the numbers of its leads. */
async function found(
  account: number,
  q: string,
  filters: string[],
  ranking: object,
  limit = 7,
  between = async () => {},
): Promise<number[]> {
  const db = openReader(file)
  const { list } = leadLists(db, slices, undefined, ranking)
  const filter = parseFilters(filters)
  filter.all.unshift(parseSearch(q))
  const numbers: number[] = []
  let after: Position | undefined
  do {
    const page = await list(account, { filter, sort: parseSort({ q }), limit, after })
    expect(page.rows.length).toBeLessThanOrEqual(limit)
    numbers.push(...page.rows.map((row) => numberOf(row.data().id)))
    after = page.next
    await between()
  } while (after)
  db.close()
  return numbers
}

const all = Array.from({ length: LEADS }, (_, i) => i)
const ascending = (numbers: number[]) => numbers.toSorted((a, b) => a - b)

/** The order of frequent words: tiers, then what came last first. */
const tiered = (numbers: number[]) => numbers.toSorted((a, b) => tierOf(a)! - tierOf(b)! || b - a)

describe("a list by relevance", () => {
  const fitting = all.filter((i) => tierOf(i) !== undefined)

  test("of rare words has every match once, whatever the pages", async () => {
    const ranked = await found(accounts[0]!, "pizza haus", [], {})
    expect(ascending(ranked)).toEqual(fitting)
    expect(await found(accounts[0]!, "pizza haus", [], {}, 500)).toEqual(ranked)
    expect(ranked.slice(0, 50).every((i) => tierOf(i) === 0)).toBe(true)
  })

  test("of frequent words has names first, then facts, then the rest, the newest first", async () => {
    expect(await found(accounts[0]!, "pizza haus", [], { ranked: 10 })).toEqual(tiered(fitting))
  })

  test("of words too frequent even for that goes on with the older ones, the newest first", async () => {
    const numbers = await found(accounts[0]!, "pizza haus", [], { ranked: 10, tiered: 300 })
    const before = (floor: number) => [
      ...tiered(fitting.filter((i) => i > floor)),
      ...fitting.filter((i) => i <= floor).toReversed(),
    ]
    const floors = fitting.filter((floor) => before(floor).join() === numbers.join())
    expect(floors.length).toBe(1)
    expect(floors[0]).toBeGreaterThan(LEADS / 4)
  })

  test.each([{}, { ranked: 10 }, { ranked: 10, tiered: 300 }])(
    "%j goes with filters and minus",
    async (ranking) => {
      const matches = fitting.filter((i) => i % 9 > 4 && i % 2 !== 0)
      const numbers = await found(accounts[0]!, "pizza haus -see", ["and.gt.rating.4"], ranking)
      expect(ascending(numbers)).toEqual(matches)
    },
  )

  test.each([{}, { ranked: 10 }, { ranked: 10, tiered: 300 }])(
    "%j has the account's own leads alone",
    async (ranking) => {
      const own = fitting.filter((i) => i % 3 === 0)
      expect(ascending(await found(accounts[1]!, "pizza haus", [], ranking))).toEqual(own)
      expect(await found(accounts[1]!, "firma 7", [], ranking)).toEqual([])
    },
  )
})

test("counts, groups and walks of frequent words are those of all matches", async () => {
  const db = openReader(file)
  const { count, groups, walk } = leadLists(db, slices)
  const filter = { all: [parseSearch("pizza")], any: [] }
  const matches = all.filter((i) => i % 5 === 0 || i % 3 === 0 || i % 7 === 0)
  expect(await count(accounts[0]!, filter)).toBe(matches.length)
  const byCity = await groups(accounts[0]!, filter, [{ on: "text", field: "city" }], [])
  expect(byCity.map(({ values, count }) => [values[0], count]).toSorted()).toEqual([
    ["haus am see", matches.filter((i) => i % 2 === 0).length],
    ["ulm", matches.filter((i) => i % 2 !== 0).length],
  ])
  const walked: number[] = []
  for await (const rows of walk(accounts[0]!, { filter, sort: parseSort({ sort_by: "rating" }) }))
    walked.push(...rows.map((row) => numberOf(row.data().id)))
  expect(ascending(walked)).toEqual(matches)
  expect(walked.map((i) => i % 9)).toEqual(walked.map((i) => i % 9).toSorted((a, b) => a - b))
  db.close()
})

test("a list by relevance goes on behind the same lead when other accounts have written the same words", async () => {
  const fitting = all.filter((i) => tierOf(i) !== undefined)
  let i = LEADS
  const ranked = await found(accounts[0]!, "pizza haus", [], {}, 50, async () => {
    await store.writeAcross(async (tx) => {
      for (const end = i + 5; i < end; i++) await tx.leads.insert(accounts[1]!, lead(i, "b"), 0)
    })
    await store.indexAll()
  })
  expect(ascending(ranked)).toEqual(fitting)
})
