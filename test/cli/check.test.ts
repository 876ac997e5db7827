import { Database } from "bun:sqlite"
import { beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { openPlace, type Place } from "../support/process.ts"

/** A database with an account and a lead, as the service left it. */
let stock: Uint8Array

beforeAll(async () => {
  await using place = openPlace()
  const service = await place.serve()
  const headers = { "X-API-Key": service.key }
  const body = JSON.stringify({ name: "Ada", source: "test", tags: ["a"], latitude: 1, longitude: 2 })
  const made = await fetch(`${service.url}/leads`, { method: "POST", headers, body })
  expect(made.status).toBe(201)
  service.signal("SIGTERM")
  expect((await service.ended).code).toBe(0)
  change(join(place.folder, "data/leads.db"), "PRAGMA wal_checkpoint(TRUNCATE)")
  stock = await Bun.file(join(place.folder, "data/leads.db")).bytes()
})

/** A copy of the stocked database in a place of its own. */
async function stocked(place: Place): Promise<string> {
  const file = join(place.folder, "data/leads.db")
  await Bun.write(file, stock)
  return file
}

function change(file: string, ...sql: string[]): void {
  const db = new Database(file)
  for (const one of sql) db.run(one)
  db.close()
}

describe("leaddb check", () => {
  test("finds nothing in a sound database, beside a running service too", async () => {
    await using place = openPlace()
    const file = await stocked(place)
    await place.serve()
    const { code, json } = await place.run(["check", "--json"])
    expect({ code, ...json }).toEqual({
      code: 0,
      file,
      bytes: expect.any(Number),
      ok: true,
      checks: ["schema", "integrity", "foreign keys", "lead tables", "lead counts"],
      findings: [],
    })
    expect((await place.run(["check"])).out).toBe(`${file} is sound: ${json.checks.join(", ")}.\n`)
  })

  test.each<[string, string[], string, string]>([
    [
      "orphans",
      ["INSERT INTO lead_tags VALUES (1, 'x', 99)"],
      "lead tables",
      "1 rows of lead_tags belong to no lead",
    ],
    [
      "orphan places",
      ["INSERT INTO lead_locations VALUES (99, 1, 1, 1, 1, 1, 1)"],
      "lead tables",
      "1 rows of lead_locations belong to no lead",
    ],
    [
      "leads without a document",
      ["DELETE FROM lead_documents"],
      "lead tables",
      "1 leads have no row in lead_documents",
    ],
    [
      "wrong counts",
      ["UPDATE accounts SET lead_count = 7"],
      "lead counts",
      "is charged for 7 leads and has 1",
    ],
    [
      "broken references",
      ["UPDATE api_keys SET account_id = 99"],
      "foreign keys",
      "row 1 of api_keys points to a row of accounts that does not exist",
    ],
    [
      "other migrations",
      ["UPDATE migrations SET sha256 = 'x'"],
      "schema",
      "migration 0001_initial in the database differs",
    ],
    [
      "a newer schema",
      ["PRAGMA user_version = 99"],
      "schema",
      "the database is of a newer leaddb (schema 99",
    ],
    ["an older schema", ["PRAGMA user_version = 0"], "schema", "the database has 0 of"],
    [
      "another program's file",
      ["PRAGMA application_id = 1"],
      "schema",
      "the file is an SQLite database of another program",
    ],
  ])("finds %s and says what to do", async (_, sql, name, message) => {
    await using place = openPlace()
    change(await stocked(place), "PRAGMA foreign_keys = OFF", ...sql)
    const { code, err, json } = await place.run(["check", "--json"])
    expect({ code, err, ok: json.ok }).toEqual({ code: 1, err: "", ok: false })
    expect(json.findings).toEqual([
      { check: name, message: expect.stringContaining(message), advice: expect.any(String) },
    ])
  })

  test("what it advises repairs", async () => {
    await using place = openPlace()
    const file = await stocked(place)
    change(file, "INSERT INTO lead_tags VALUES (1, 'x', 99)", "UPDATE accounts SET lead_count = 7")
    const { findings } = (await place.run(["check", "--json"])).json
    expect(findings.length).toBe(2)
    change(file, ...findings.map(({ advice }: { advice: string }) => advice.split("sqlite3 program: ")[1]!))
    expect((await place.run(["check"])).code).toBe(0)
  })

  test("finds damaged pages", async () => {
    await using place = openPlace()
    const file = await stocked(place)
    const bytes = await Bun.file(file).bytes()
    bytes.fill(0xa5, 8192, 8192 + 30 * 4096)
    await Bun.write(file, bytes)
    const { code, out } = await place.run(["check"])
    expect(code).toBe(1)
    expect(out).toContain("is not sound")
    expect(out).toContain("restore the newest good backup")
  })

  test("finds a file that is no database at all", async () => {
    await using place = openPlace()
    await Bun.write(join(place.folder, "data/leads.db"), "not a database, ".repeat(1000))
    const { code, json } = await place.run(["check", "--json"])
    expect(code).toBe(1)
    expect(json.findings).toMatchObject([{ check: "schema", message: "file is not a database" }])
  })
})
