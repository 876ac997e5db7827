import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { withLists } from "../../src/lead/contacts.ts"
import { type LeadData, NO_ACTIVITY, withActivity } from "../../src/lead/lead.ts"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import type { ScoringRow, ScoringStore } from "../../src/store/contract/store.ts"
import { openScoringStore, openSqliteStore, type SqliteStore } from "../../src/store/sqlite/index.ts"
import { writeEmptyDatabase } from "../support/empty-database.ts"
import { temporaryFolder } from "../support/folder.ts"
import { leadData } from "./given.ts"

let folder: string
let store: SqliteStore
let scoring: ScoringStore
let many: number
let few: number

/** An account with 60 leads, another with 7 between them. */
beforeEach(async () => {
  folder = temporaryFolder()
  const file = writeEmptyDatabase(join(folder, "leads.db"))
  store = openSqliteStore(file, createIds(systemClock))
  scoring = openScoringStore(file)
  await store.writeAcross(async (tx) => {
    many = await tx.accounts.insert({ id: "acc_1", name: "many", plan: "pro", created_at: 1 })
    few = await tx.accounts.insert({ id: "acc_2", name: "few", plan: "pro", created_at: 1 })
    for (let i = 0; i < 67; i++) await tx.leads.insert(i % 10 === 9 || i === 4 ? few : many, lead(i), i)
  })
})
afterEach(async () => {
  scoring.close()
  await store.close()
  rmSync(folder, { recursive: true })
})

const lead = (i: number): LeadData =>
  leadData({
    id: `cl_${String(i).padStart(3, "0")}`,
    name: `Lead ${i}`,
    rating: i / 10,
    status: i % 2 ? "new" : "converted",
    attributes:
      i % 3 === 0
        ? [
            { id: `n${i}`, name: "size", type: "number", value: i },
            { id: `b${i}`, name: "open", type: "bool", value: true },
            { id: `t${i}`, name: "field", type: "text", value: "Food" },
          ]
        : [],
  })

/** All leads of an account as a run reads them. */
async function allOf(
  account: number,
  fields: string[],
  attributes: string[],
  size = 9,
): Promise<ScoringRow[]> {
  const needs = { fields: new Set(fields), attributes: new Set(attributes) }
  return (await Array.fromAsync(scoring.pages(account, needs, { size, ids: true }))).flat()
}

describe("leads for scoring", () => {
  test.each([
    ["most of the leads", () => many, 60],
    ["a few of the leads", () => few, 7],
  ])(
    "are all those of an account with %s, in the order of creation, in pages of any size",
    async (_, of, count) => {
      for (const size of [1, 7, 60, 500]) {
        const found = await allOf(of(), ["rating", "status"], [], size)
        const ids = found.map(({ id }) => id!)
        expect(ids).toHaveLength(count)
        expect(ids).toEqual(ids.toSorted())
        for (const { id, rating, status, stored } of found) {
          const { rating: own, status: state } = lead(Number(id!.slice(3)))
          expect({ rating, status, stored }).toEqual({ rating: own, status: state, stored: own! * 10 })
        }
      }
    },
  )

  test("have the attributes that are asked for, whatever their types", async () => {
    for (const { id, attributes } of await allOf(many, ["rating"], ["size", "open", "field"])) {
      const i = Number(id!.slice(3))
      const own = [
        { name: "size", value: i },
        { name: "open", value: true },
        { name: "field", value: "Food" },
      ]
      const found = attributes?.map(({ name, value }) => ({ name, value: name === "open" ? !!value : value }))
      expect(found ?? []).toEqual(i % 3 === 0 ? own : [])
    }
  })

  test("are read from their documents where a rule asks for texts", async () => {
    for (const account of [many, few]) {
      for (const { ref, version, stored, ...found } of await allOf(account, ["name"], [])) {
        expect(found).toEqual(withLists(withActivity(lead(stored), NO_ACTIVITY)))
      }
    }
  })

  test("are there as well when some go and others come between two pages", async () => {
    const needs = { fields: new Set(["rating"]), attributes: new Set<string>() }
    for (const account of [many, few]) {
      const pages = scoring.pages(account, needs, { size: 3, ids: true })[Symbol.asyncIterator]()
      const first: ScoringRow[] = (await pages.next()).value
      const last = first.at(-1)!
      await store.writeAcross(async (tx) => {
        const row = (await tx.leads.findByRef(account, last.ref))!
        await tx.leads.remove(account, row, row.data())
      })
      expect((await pages.next()).value[0].ref).toBeGreaterThan(last.ref)
    }
  })
})

test("scores of a run are written where the lead is still the one that was read, and nowhere else", async () => {
  const [first, second, third] = await allOf(many, ["rating"], [])
  const other = (await allOf(few, ["rating"], []))[0]!
  const before: LeadData = lead(second!.stored)
  await store.writeAcross(async (tx) => {
    const row = (await tx.leads.findByRef(many, second!.ref))!
    await tx.leads.replace(many, row, before, { ...before, rating: 5 }, 77)
  })
  const changes = [first!, second!, third!, other].map(({ ref, version }) => ({ ref, version, score: 99 }))
  await store.write(many, (tx) => tx.rules.lease(many, { name: "ours", now: 0, until: 1 }))
  await expect(scoring.write(many, changes, "theirs")).rejects.toThrow("lease")
  expect(await scoring.write(many, changes, "ours")).toBe(2)
  const scores = [first!, second!, third!].map(async ({ ref }) => {
    return (await store.read.leads.findByRef(many, ref))!.score
  })
  expect(await Promise.all(scores)).toEqual([99, 77, 99])
  expect((await store.read.leads.findByRef(few, other.ref))!.score).toBe(other.stored)
  // The same scores again: their leads have changed since.
  expect(await scoring.write(many, changes, "ours")).toBe(0)
})
