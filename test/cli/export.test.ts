import { describe, expect } from "bun:test"
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { readXlsx } from "hucre"
import { runCli } from "../../src/surfaces/cli/cli.ts"
import { addAccount } from "../support/account.ts"
import { openPlace, type Place } from "../support/service.ts"
import { testWith } from "../support/test-with.ts"
import { ioOf } from "./io.ts"

const test = testWith(placeWithLeads)

async function placeWithLeads(): Promise<Place> {
  const place = openPlace()
  await addAccount(join(place.folder, "data/leads.db"))
  const leads = [1, 2, 3, 4, 5].map((rating) => ({ name: `Lead ${rating}`, source: "w", rating }))
  const file = join(place.folder, "leads.json")
  await Bun.write(file, JSON.stringify(leads))
  const { io } = ioOf({ LEADDB_DATA: join(place.folder, "data") })
  expect(await runCli(["import", file], { ...io, stopRequested: () => new Promise(() => {}) })).toBe(0)
  return place
}

describe("leaddb export", () => {
  test("writes to standard output, filtered and sorted", async (place) => {
    const filters = ["--filter", "and.gte.rating.2", "--filter", "and.lte.rating.4"]
    const sorted = [...filters, "--sort-by", "rating", "--sort-order", "desc"]
    const { code, json } = await place.run(["export", "--format", "json", ...sorted])
    expect([code, json.map(({ rating }: { rating: number }) => rating)]).toEqual([0, [4, 3, 2]])
    const csv = (await place.run(["export"])).out.trim().split("\n")
    expect([csv.length, csv[0]]).toEqual([6, expect.stringMatching(/^id,name,source,/)])
  })

  test("columns are said together or one by one, as the fields that an import keeps", async (place) => {
    const fields = ["--fields", "name,rating", "--fields", "website"]
    const { out } = await place.run(["export", ...fields])
    expect(out.split("\n").slice(0, 2)).toEqual(["name,rating,website", "Lead 1,1,"])
    await Bun.write(join(place.folder, "more.csv"), "name,source,email\nAda,w,a@x.example\n")
    await Bun.write(join(place.folder, "again.csv"), "name,source,email,city\nEva,v,a@x.example,Ulm\n")
    expect((await place.run(["import", "more.csv"])).code).toBe(0)
    expect((await place.run(["import", "again.csv", "--keep", "source,name"])).code).toBe(0)
    const { json } = await place.run(["export", "--format", "json", "--filter", "and.eq.email.a@x.example"])
    expect(json).toMatchObject([{ name: "Ada", source: "w", city: "Ulm" }])
    expect((await place.run(["duplicates", "list", "--filter", "and.eq.city.Ulm"])).code).toBe(0)
  }, 20_000)

  test("writes a file of the format that its name ends in, for its owner's eyes", async (place) => {
    const { out } = await place.run(["export", "leads.xlsx"])
    const file = join(place.folder, "leads.xlsx")
    expect(out).toBe(`Exported 5 leads to ${file}: ${statSync(file).size.toLocaleString("en-US")} bytes.\n`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const { sheets } = await readXlsx(await Bun.file(file).bytes())
    expect(sheets[0]!.rows).toHaveLength(6)
    const told = await place.run(["export", "all.csv", "--json"])
    expect(told.json.export).toMatchObject({ format: "csv", leads: 5, file: join(place.folder, "all.csv") })
  })

  test("never overwrites unless told to, and leaves nothing half done", async (place) => {
    await Bun.write(join(place.folder, "mine.csv"), "precious")
    const refused = await place.run(["export", "mine.csv"])
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining("mine.csv exists: choose another name"),
    ])
    const wrong = await place.run(["export", "mine.csv", "--force", "--filter", "nonsense"])
    expect(wrong.code).toBe(2)
    expect(await Bun.file(join(place.folder, "mine.csv")).text()).toBe("precious")
    expect((await place.run(["export", "mine.csv", "--force"])).code).toBe(0)
    expect(readdirSync(place.folder).toSorted()).toEqual(["data", "leads.json", "mine.csv"])
  })

  test("refuses what it cannot do, saying why", async (place) => {
    const at = (name: string) => join(place.folder, name)
    const cases: [args: string[], why: string][] = [
      [[at("leads.pdf")], "FILE must end in one of .csv, .json, .xlsx, .vcf, or --format says what it is"],
      [[at("nowhere/leads.csv")], "nowhere does not exist: make the folder first"],
      [["--json"], "--json needs a FILE"],
      [[at("data"), "--format", "csv"], "data is a folder"],
    ]
    for (const [args, why] of cases) {
      const { io, said } = ioOf({ LEADDB_DATA: at("data") })
      expect(await runCli(["export", ...args], io)).toBeGreaterThan(0)
      expect(said().err).toContain(why)
    }
  })
})
