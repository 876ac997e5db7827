import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { indexFile, makeIndex } from "../../src/store/sqlite/derived/file.ts"
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
