// A service that is killed in the middle of an import which goes on behind its answer.
import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import type * as v from "valibot"
import type { ImportDetailOutput } from "../../src/domain/imports/run/records.ts"
import { pluck } from "../support/pluck.ts"
import { openPlace, type Place } from "../support/service.ts"
import { importDone } from "../support/settled.ts"
import { until } from "../support/until.ts"
import { walk } from "../support/walk.ts"

type Import = v.InferOutput<typeof ImportDetailOutput>
const CSV = { "Content-Type": "text/csv" }

const ROWS = 6_000
/** Some repeat one before, some cannot be a lead, some have a value that is left out. */
const rowOf = (i: number) => {
  if (i % 500 === 7) return ",,,"
  const own = i % 100 === 50 ? i - 40 : i
  return `Lead ${own},l${own}@x.de,${i % 300 === 1 ? "bad" : 4},${i}`
}
const ROWS_OF_FILE = Array.from({ length: ROWS }, (_, i) => rowOf(i))
/** The third kind of row is empty, and none at all. */
const FILE = `name,email,rating,seats\n${ROWS_OF_FILE.map((row) => (row === ",,," ? ",,x," : row)).join("\n")}\n`

/** What a killed import says of itself, and how many leads it created or merged rows into. */
async function leftBy(place: Place) {
  const [{ created, merged, rejected, progress }] = (await place.run(["imports", "--json"])).json.imports
  using db = new Database(join(place.folder, "data", "leads.db"))
  const { n } = db.query<{ n: number }, []>("SELECT count(*) AS n FROM import_leads").get()!
  return { created, done: progress.done, counted: created + merged + rejected, leads: n }
}

test("goes on where it was after kill -9, again and again: nothing is doubled, nothing lost", async () => {
  await using place = openPlace()
  const env = { LEADDB_LOG: "off" }
  let service = await place.serve([], env)
  const { id } = (await service.call("POST", "/leads/import?background=true", FILE, CSV)).body
  const now = async (): Promise<Import> => (await service.call("GET", `/imports/${id}`)).body
  const seen: number[] = []
  for (const least of [1, ROWS / 3, (2 * ROWS) / 3]) {
    await until(
      "it has come further",
      async () => {
        const { progress } = await now()
        if (progress.done < least) return false
        seen.push(progress.done)
        return true
      },
      120_000,
    )
    await service.kill()
    const left = await leftBy(place)
    expect(left).toMatchObject({ created: left.leads, counted: left.done })
    service = await place.serve([], env)
    const { state, progress } = await now()
    expect(["running", "done"]).toContain(state)
    expect(progress.done).toBeGreaterThanOrEqual(seen.at(-1)!)
  }
  const done: Import = await importDone(service.call, id)
  const rejected = ROWS_OF_FILE.filter((row) => row === ",,,").length
  const merged = ROWS / 100
  const warned = ROWS_OF_FILE.filter((row) => row.includes(",bad,")).length
  expect(done).toMatchObject({ created: ROWS - merged - rejected, merged, rejected, warnings: warned })
  expect(done.progress).toMatchObject({ done: ROWS, of: ROWS })
  const report = done.report!
  expect(report.total).toBe(ROWS)
  const lines = (one: { line: number }[]) => one.map(({ line }) => line)
  const linesOf = (is: (row: string) => boolean) => ROWS_OF_FILE.flatMap((row, i) => (is(row) ? i + 2 : []))
  expect(lines(report.errors)).toEqual(linesOf((row) => row === ",,,"))
  expect(lines(report.warnings)).toEqual(linesOf((row) => row.includes(",bad,")))
  expect(report.columns.find(({ column }) => column === "seats")?.filled).toBe(ROWS - rejected)
  const leads = await walk(service.call, `limit=1000&fields=email&filter=and.eq.import.${id}`)
  expect([leads.length, new Set(pluck(leads, "email")).size]).toEqual([done.created, done.created])
  expect((await service.call("GET", "/stats")).body.total_leads).toBe(done.created)
  await until("its file is gone", () => readdirSync(join(place.folder, "data", "imports")).length === 0)
}, 240_000)

test("ends as failed where it was cut off three times at one place; what is in stays and can be undone", async () => {
  await using place = openPlace()
  const env = { LEADDB_LOG: "off" }
  let service = await place.serve([], env)
  const rows = Array.from({ length: 20_000 }, (_, i) => `Lead ${i},m${i}@x.de\n`)
  const file = `name,email\n${rows.join("")}`
  const { id } = (await service.call("POST", "/leads/import?background=true", file, CSV)).body
  const now = async (): Promise<Import> => (await service.call("GET", `/imports/${id}`)).body
  await until("some rows are in", async () => (await now()).progress.done > 0, 120_000)
  await service.kill()
  const left = await leftBy(place)
  expect(left).toMatchObject({ created: left.leads, counted: left.done })
  // As three processes leave it that end there.
  using db = new Database(join(place.folder, "data", "leads.db"))
  db.run(`UPDATE imports SET report = json_set(report, '$.opened', json_object('rows', done, 'times', 3))`)
  db.close()
  service = await place.serve([], env)
  const failed = await until(
    "the import ends",
    async () => {
      const one = await now()
      return one.state !== "running" && one
    },
    120_000,
  )
  const { done } = failed.progress
  expect(failed).toMatchObject({ state: "failed", code: "file_too_costly", created: done })
  expect(failed.error).toMatch(/^The import was cut off 3 times after [\d,]+ rows/)
  const total = async () => (await service.call("GET", "/stats")).body.total_leads
  expect(await total()).toBe(done)
  await service.call("POST", `/imports/${id}/undo`)
  await until("nothing of it is left", async () => (await total()) === 0, 120_000)
  await until("its file is gone", () => readdirSync(join(place.folder, "data", "imports")).length === 0)
}, 240_000)
