import { Database } from "bun:sqlite"
import { afterEach, describe, expect, test } from "bun:test"
import { createWriteQueue } from "../../src/store/sqlite/queue/write-queue.ts"
import type { ToWorker } from "../../src/worker/messages.ts"
import { createScoringHost } from "../../src/worker/scoring/host.ts"

const opened: Database[] = []
afterEach(() => {
  for (const db of opened.splice(0)) db.close()
})

/** A host with a real queue, and what it says to the worker. */
function openHost() {
  const db = new Database(":memory:")
  opened.push(db)
  const queue = createWriteQueue(db)
  const said: ToWorker[] = []
  const host = createScoringHost((message) => void said.push(message), queue.lend)
  const told: number[] = []
  const looked: number[] = []
  const begin = () =>
    host.score(
      { account: 1, now: 0, tellMax: 10, lease: "ours" },
      async ({ count }) => {
        if (count > 10) throw new Error("too many")
        told.push(count)
      },
      (count) => {
        if (count > 10) throw new Error("nobody waits")
        looked.push(count)
      },
    )
  const write = () => queue.enqueue(async () => "written")
  return { host, queue, said, told, looked, begin, write }
}

const turn = { type: "turn", run: 1 } as const
const answers = (said: ToWorker[]) => said.filter(({ type }) => type === "answer")
const yes = { type: "answer", run: 1, goOn: true } as const
const no = { ...yes, goOn: false }

describe("a scoring run", () => {
  test("has the turn until it says that it is over, and ends with what it did", async () => {
    const { host, said, begin, write } = openHost()
    const scored = begin()
    host.receive(turn)
    expect(said).toEqual([{ type: "score", run: 1, account: 1, now: 0, tellMax: 10, lease: "ours" }, yes])
    let isWritten = false
    const written = write().then(() => {
      isWritten = true
    })
    for (let i = 0; i < 5; i++) await new Promise(setImmediate)
    expect(isWritten).toBe(false)
    host.receive({ type: "over", run: 1 })
    await written
    host.receive({ type: "scored", run: 1, count: 5, changed: 3 })
    expect(await scored).toEqual({ count: 5, changed: 3 })
  })

  test("that fails in its turn gives it back, and says what the disk did", async () => {
    const { host, queue, begin, write } = openHost()
    const scored = begin()
    host.receive(turn)
    const error = { message: "database or disk is full", stack: "", code: "SQLITE_FULL" }
    host.receive({ type: "failed", run: 1, ...error })
    await expect(scored).rejects.toMatchObject({ kind: "storage_full" })
    expect(queue.stats.failure()).toBeDefined()
    expect(await write()).toBe("written")
  })

  test("whose worker dies in its turn gives it back", async () => {
    const { host, begin, write } = openHost()
    const scored = begin()
    host.receive(turn)
    host.fail(new Error("the worker thread ended"))
    await expect(scored).rejects.toThrow("the worker thread ended")
    expect(await write()).toBe("written")
  })

  test("is ended when what it tells cannot be written", async () => {
    const { host, said, told, begin } = openHost()
    const scored = begin()
    host.receive({ type: "tell", run: 1, leads: { count: 10, json: "[]" } })
    await Promise.resolve()
    host.receive({ type: "tell", run: 1, leads: { count: 11, json: "[]" } })
    await expect(scored).rejects.toThrow("too many")
    expect(told).toEqual([10])
    expect(answers(said)).toEqual([yes, no])
  })

  test("is heard of how far it is, and ended when nobody wants to hear", async () => {
    const { host, said, looked, begin } = openHost()
    const scored = begin()
    host.receive({ type: "progress", run: 1, count: 10 })
    await new Promise(setImmediate)
    expect([looked, answers(said)]).toEqual([[10], [yes]])
    host.receive({ type: "progress", run: 1, count: 11 })
    await expect(scored).rejects.toThrow("nobody waits")
    expect(answers(said)).toEqual([yes, no])
  })

  test("is ended when the service stops: it gets no turn, and no other begins", async () => {
    const { host, said, begin } = openHost()
    const scored = begin()
    host.stop()
    await expect(scored).rejects.toMatchObject({ kind: "unavailable" })
    host.receive(turn)
    await new Promise(setImmediate)
    expect(answers(said)).toEqual([no])
    await expect(begin()).rejects.toMatchObject({ kind: "unavailable" })
  })
})
