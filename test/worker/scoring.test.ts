import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import { openSqliteStore, type SqliteStore } from "../../src/store/sqlite/index.ts"
import type { FromWorker } from "../../src/worker/messages.ts"
import { createScoringRuns, type ScoringRuns } from "../../src/worker/scoring/runs.ts"
import { leadData } from "../store/given.ts"
import { writeEmptyDatabase } from "../support/empty-database.ts"
import { temporaryFolder } from "../support/folder.ts"
import { until } from "../support/until.ts"

/** More than are written in one turn. */
const LEADS = 2_750

let folder: string
let store: SqliteStore
let account: number
let runs: ScoringRuns
let said: FromWorker[]
/** What the main thread says to each question; unanswered without it. */
let answer: ((question: FromWorker) => boolean) | undefined

/** How far a run said that it is, and at which number of leads it is to end. */
let looked: number[]
let endAt = Number.POSITIVE_INFINITY

beforeEach(async () => {
  endAt = Number.POSITIVE_INFINITY
  folder = temporaryFolder()
  const file = writeEmptyDatabase(join(folder, "leads.db"))
  store = openSqliteStore(file, createIds(systemClock))
  said = []
  answer = () => true
  await store.writeAcross(async (tx) => {
    account = await tx.accounts.insert({ id: "acc_1", name: "one", plan: "pro", created_at: 1 })
    for (let i = 0; i < LEADS; i++) await tx.leads.insert(account, leadData({ rating: i % 5 }), 0)
    const times = { created_at: 1, updated_at: 1 }
    const rule = { id: "r", name: "r", expression: "rating * 10", weight: 1, priority: 0, ...times }
    await tx.rules.insert(account, rule)
    await tx.rules.lease(account, { name: "ours", now: 0, until: 1 })
  })
  looked = []
  runs = createScoringRuns({ file }, (message) => {
    if (message.type === "progress") {
      looked.push(message.count)
      setImmediate(() => runs.answer(message.run, message.count < endAt))
      return
    }
    said.push(message)
    if ((message.type === "turn" || message.type === "tell") && answer) {
      const goOn = answer(message)
      setImmediate(() => runs.answer(message.run, goOn))
    }
  })
})
afterEach(async () => {
  await runs.stop()
  await store.close()
  rmSync(folder, { recursive: true })
})

const told = () => said.flatMap((message) => (message.type === "tell" ? [message.leads] : []))
const types = () => said.map(({ type }) => type)
const ended = () => until("the end of the run", async () => /scored|failed/.test(types().at(-1) ?? ""))
const begin = (tellMax: number) =>
  runs.begin({ type: "score", run: 1, account, now: 0, tellMax, lease: "ours" })
const stats = async () => (await store.read.leads.stats(account, 0)).score

describe("a scoring run on its thread", () => {
  test("writes what differs, a turn after the other, and then nothing", async () => {
    begin(0)
    await ended()
    expect(said.at(-1)).toEqual({ type: "scored", run: 1, count: LEADS, changed: (LEADS / 5) * 4 })
    expect(types()).toEqual(["turn", "over", "turn", "over", "scored"])
    expect(await stats()).toMatchObject({ min: 0, max: 40, average: 20 })
    said = []
    begin(0)
    await ended()
    expect(said).toEqual([{ type: "scored", run: 1, count: LEADS, changed: 0 }])
  })

  test("says how far it is, and ends where it hears that nobody waits", async () => {
    begin(0)
    await ended()
    expect(looked.length).toBeGreaterThan(0)
    expect(looked).toEqual([...new Set(looked)].sort((a, b) => a - b))
    expect(looked.at(-1)).toBeLessThanOrEqual(LEADS)
    const [first] = looked
    looked = []
    endAt = first!
    begin(0)
    await until("it is ended", async () => types().at(-1) === "failed")
    expect(looked).toEqual([first!])
  })

  test("tells of every lead once, never of more at a time than it may, and after the score is written", async () => {
    const known = new Map<string, number>()
    let isAhead = false
    answer = (question) => {
      if (question.type !== "tell") return true
      for (const { id, score } of JSON.parse(question.leads.json)) known.set(id, score)
      isAhead ||= said.findLast(({ type }) => type === "turn" || type === "over")?.type === "turn"
      return true
    }
    begin(600)
    await ended()
    expect(told().map(({ count }) => count)).toEqual([600, 600, 600, 600, 350])
    expect(known.size).toBe(LEADS)
    expect([...known.values()].reduce((sum, score) => sum + score)).toBe(LEADS * 20)
    expect(types().filter((type) => type === "turn")).toHaveLength(5)
    expect(isAhead).toBe(false)
  })

  test("that is refused its turn writes nothing and ends", async () => {
    answer = () => false
    begin(0)
    await ended()
    expect(types()).toEqual(["turn", "failed"])
    expect(await stats()).toMatchObject({ max: 0 })
  })

  test("whose lease another process has taken meanwhile writes nothing and ends", async () => {
    await store.write(account, (tx) => tx.rules.lease(account, { name: "theirs", now: 2, until: 3 }))
    begin(0)
    await ended()
    expect(said.at(-1)).toMatchObject({ type: "failed", message: expect.stringContaining("lease") })
    expect(await stats()).toMatchObject({ max: 0 })
  })

  test("that reads only is ended by a stop as well", async () => {
    begin(0)
    await ended()
    said = []
    begin(0)
    await runs.stop()
    expect(types()).toEqual(["failed"])
  })

  test("is ended by a stop, and gives the file back", async () => {
    answer = undefined
    begin(0)
    await until("a question", async () => said.length > 0)
    await runs.stop()
    expect(types()).toEqual(["turn", "failed"])
    await store.writeAcross(async (tx) => {
      await tx.leads.insert(account, leadData(), 50)
    })
    expect(await stats()).toMatchObject({ max: 50 })
  })
})
