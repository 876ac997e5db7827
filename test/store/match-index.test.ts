import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { prepare } from "../../src/store/sqlite/connection/database.ts"
import { packed } from "../../src/store/sqlite/derived/entries.ts"
import { indexFile, makeIndex } from "../../src/store/sqlite/derived/file.ts"
import { indexEntries, keyRowsWhere, lead_matching } from "../../src/store/sqlite/derived/matching-index.ts"
import { openMatchIndex } from "../../src/store/sqlite/duplicates/index-store.ts"
import { temporaryFolder } from "../support/folder.ts"

/** Lead 7 was deleted. */
const GONE = {
  ...{ ref: 7, turn: 0, entries: undefined, isThere: false },
  ...{ keys: [], dropTerms: [], addTerms: [] },
}

test("an index that is made again while leads are compared takes nothing of them, and is worked with from then on", async () => {
  const file = join(temporaryFolder(), "leads.db")
  writeFileSync(file, "")
  const make = () => makeIndex(file, new Uint8Array(8))
  make()
  const matching = openMatchIndex(file)
  expect(matching.take()).toBe(true)
  make()
  const queue = new Database(indexFile(file))
  queue.run("INSERT INTO match_queue (account_id, rid, turn) VALUES (1, 7, 0)")
  await matching.store.index(1, [GONE])
  matching.done(1, [])
  expect(queue.query("SELECT rid FROM match_queue").all()).toEqual([{ rid: 7 }])
  expect(matching.take()).toBe(true)
  expect(matching.accounts()).toEqual([1])
  await matching.store.index(1, [GONE])
  expect(queue.query("SELECT rid FROM match_queue").all()).toEqual([])
  queue.close()
  matching.close()
})

test("an index that another process writes for long is that process's, without an error, and worked with afterwards", async () => {
  const file = join(temporaryFolder(), "leads.db")
  writeFileSync(file, "")
  makeIndex(file, new Uint8Array(8))
  const matching = openMatchIndex(file)
  const other = new Database(indexFile(file))
  other.run("INSERT INTO match_queue (account_id, rid, turn) VALUES (1, 7, 0)")
  other.run("BEGIN IMMEDIATE")
  expect(matching.take()).toBe(false)
  await matching.store.index(1, [GONE])
  matching.release()
  other.run("COMMIT")
  expect(other.query("SELECT rid FROM match_queue").all()).toEqual([{ rid: 7 }])
  expect(matching.take()).toBe(true)
  await matching.store.index(1, [GONE])
  expect(other.query("SELECT rid FROM match_queue").all()).toEqual([])
  other.close()
  matching.close()
})

test("keys join those before them a stretch at a time, and are found and dropped wherever they are", () => {
  using db = new Database(":memory:")
  db.run(lead_matching.create)
  const { replace } = indexEntries(db)
  const keysOf = (ref: number) => Array.from({ length: 20 }, (_, i) => Bun.hash.xxHash32(`${ref} ${i}`) | 0)
  const entriesOf = (ref: number) => {
    const probes = keysOf(ref).map((key) => ({ key, weight: 1, isOwn: true }))
    return packed({ row: new Int32Array(1), probes, terms: [] })
  }
  const put = (refs: readonly number[], isThere: boolean) =>
    replace(
      1,
      refs.map((ref) => ({ ref, entries: isThere ? entriesOf(ref) : undefined, isDue: false })),
    )
  const refs = Array.from({ length: 6_000 }, (_, i) => i + 1)
  for (let from = 0; from < refs.length; from += 500) put(refs.slice(from, from + 500), true)
  const rows = (table: string) => db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()!.n
  expect(rows("match_new_keys")).toBeLessThanOrEqual(50_000)
  expect(rows("match_new_keys") + rows("match_keys")).toBe(120_000)
  const members = prepare<{ key: number; rid: number }>(db, keyRowsWhere("key = ?2"))
  for (const ref of [1, 2_500, 6_000])
    for (const key of keysOf(ref)) expect(members.all(1, key)).toContainEqual({ key, rid: ref })
  put(refs, false)
  expect(rows("match_new_keys") + rows("match_keys")).toBe(0)
})
