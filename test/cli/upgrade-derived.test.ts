// A file as the version before wrote it, which kept what is derived from leads beside the leads: 12 leads in 6 pairs, of
// which one was dismissed and one merged, one decision taken back, weights as an account learns them, a note, and 3 leads
// that had yet to be indexed and compared when it was killed.
import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { join } from "node:path"
import { indexFile } from "../../src/store/sqlite/derived/file.ts"
import { ask } from "../support/ask.ts"
import { openPlace } from "../support/service.ts"
import { until } from "../support/until.ts"

const BEFORE = join(import.meta.dir, "../store/fixtures/before-derived.db.gz")
/** What people have said, which no index tells. */
const TRUTH = [
  "SELECT low, high, merge_rid, created_at FROM duplicate_dismissals ORDER BY low, high",
  "SELECT pair_rid, is_same, evidence FROM duplicate_decisions ORDER BY rid",
  "SELECT id, survivor_id, data, undone_at FROM merges ORDER BY rid",
  "SELECT weights, decided, learned, learning, auto_merge_above FROM duplicate_accounts",
  "SELECT kind, value, rid FROM lead_aliases ORDER BY kind, value",
  "SELECT rid, content FROM notes ORDER BY rid",
]

test("an upgrade keeps decisions, dismissals, merges and learned weights, and makes the rest behind complete answers", async () => {
  await using place = openPlace()
  const file = join(place.folder, "data/leads.db")
  await Bun.write(file, Bun.gunzipSync(await Bun.file(BEFORE).bytes()))
  const truth = () => {
    using db = new Database(file, { readonly: true })
    return TRUTH.map((sql) => db.query(sql).all())
  }
  const before = truth()
  for (const rows of before.slice(0, 4)) expect(rows).not.toEqual([])

  const [account] = (await place.run(["accounts", "list", "--json"])).json.accounts
  const made = (await place.run(["keys", "create", "--account", account.id, "--name", "k", "--json"])).json
  const service = await place.serve()
  const get = async (path: string) =>
    (await ask(service, made.api_key, "GET", path, undefined, { "X-List-Style": "object" })).body
  const names = async (query: string) => {
    const { leads } = await get(`/leads?${query}`)
    return leads.map(({ name }: { name: string }) => name).toSorted()
  }
  const kardamom = ["Kardamom 0", "Kardamom 1", "Kardamom 2"]
  const all = async () => [
    await names("q=kardamom"),
    (await names("q=marzipan")).length,
    (await names("q=seestern")).length,
    await names("filter=and.contains.name.ardamo"),
  ]
  const expected = [kardamom, 1, 2, kardamom]
  expect(await all()).toEqual(expected)
  await until(
    "the index is whole",
    async () => (await place.run(["check", "--json"])).json.derived.state === "whole",
  )
  expect(await all()).toEqual(expected)
  await until("all is compared", async () => (await get("/duplicates/status")).waiting === 0)
  expect(truth()).toEqual(before)
  expect((await get("/duplicates?state=dismissed")).duplicates).toHaveLength(1)
  expect((await get("/duplicates?state=merged")).duplicates).toHaveLength(1)
  expect(await Bun.file(indexFile(file)).exists()).toBe(true)
  {
    using db = new Database(file, { readonly: true })
    const left = db.query(
      "SELECT name FROM sqlite_schema WHERE name LIKE 'lead_words%' OR name LIKE 'lead_texts%'",
    )
    expect(left.all()).toEqual([])
  }
  await service.stop()
}, 120_000)
