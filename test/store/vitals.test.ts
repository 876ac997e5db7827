import { Database } from "bun:sqlite"
import { afterEach, describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import { openSqliteStore, type SqliteStore } from "../../src/store/sqlite/index.ts"
import { createWriteQueue } from "../../src/store/sqlite/queue/write-queue.ts"
import { temporaryFolder } from "../support/folder.ts"

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

function openStore(): SqliteStore {
  const folder = temporaryFolder()
  const store = openSqliteStore(join(folder, "leads.db"), createIds(systemClock))
  closing.push(
    () => rmSync(folder, { recursive: true }),
    () => store.close(),
  )
  return store
}

describe("the vitals of a store", () => {
  test("say how many writes commit together, and how long that takes", async () => {
    const { writeAcross, vitals } = openStore()
    await Promise.all(Array.from({ length: 10 }, () => writeAcross(async () => {})))
    await writeAcross(async () => {})
    const { upTo, sum, count } = vitals.writes.sizes.read()
    expect([sum, count]).toEqual([11, 2])
    expect(upTo[vitals.writes.sizes.bounds.indexOf(1)]).toBe(1)
    expect(upTo[vitals.writes.sizes.bounds.indexOf(16)]).toBe(2)
    expect(vitals.writes.seconds.read().count).toBe(2)
    expect(vitals.writes.underWay()).toBe(0)
  })

  test("try writing with what really reaches the disk", async () => {
    const { vitals } = openStore()
    const before = vitals.files!()
    for (let i = 0; i < 100; i++) await vitals.writes.probe()
    expect(vitals.files!().wal).toBeGreaterThan(before.wal)
    expect(before.database).toBeGreaterThan(0)
    expect(before.free).toBeGreaterThan(0)
  })
})

test("the last failure of the write queue is that of the disk, until a write works; what a work itself refuses is none", async () => {
  const folder = temporaryFolder()
  const db = new Database(join(folder, "q.db"), { create: true, readwrite: true, strict: true })
  closing.push(
    () => rmSync(folder, { recursive: true }),
    () => db.close(),
  )
  db.run("CREATE TABLE t (name TEXT PRIMARY KEY, filler BLOB)")
  const queue = createWriteQueue(db)
  const put = (name: string, bytes: number) => async () => {
    db.query("INSERT INTO t VALUES (?, zeroblob(?))").run(name, bytes)
  }
  await queue.enqueue(put("a", 1))
  db.run("PRAGMA max_page_count = 20")
  await expect(queue.enqueue(put("b", 1_000_000))).rejects.toThrow("The disk is full")
  expect(queue.stats.failure()).toMatchObject({ kind: "storage_full" })
  expect(queue.stats.underWay()).toBe(0)
  const group = [queue.enqueue(put("c", 1)), queue.enqueue(put("b", 1_000_000))]
  await Promise.allSettled(group)
  expect(queue.stats.failure()).toMatchObject({ kind: "storage_full" })
  await queue.enqueue(put("d", 1))
  expect(queue.stats.failure()).toBeUndefined()
  await expect(queue.enqueue(put("d", 1))).rejects.toThrow("UNIQUE")
  expect(queue.stats.failure()).toBeUndefined()
})
