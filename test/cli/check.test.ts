import { Database } from "bun:sqlite"
import { beforeAll, describe, expect } from "bun:test"
import { join } from "node:path"
import { checkFile } from "../../src/store/sqlite/file/check.ts"
import { MIGRATIONS, migrate } from "../../src/store/sqlite/file/migrations.ts"
import { openPlace, type Place } from "../support/service.ts"
import { testWith } from "../support/test-with.ts"
import { until } from "../support/until.ts"

const test = testWith(openPlace)

/** A database with an account and a lead, as the service left it. */
let stock: Uint8Array

beforeAll(async () => {
  await using place = openPlace()
  const service = await place.serve()
  const lead = { name: "Ada", source: "test", tags: ["a"], latitude: 1, longitude: 2 }
  expect((await service.call("POST", "/leads", lead)).status).toBe(201)
  await service.stop()
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
  test("finds nothing in a sound database, beside a running service too", async (place) => {
    const file = await stocked(place)
    await place.serve()
    await until(
      "it is whole",
      async () => (await place.run(["check", "--json"])).json.derived.state === "whole",
    )
    const { code, json } = await place.run(["check", "--json"])
    expect({ code, ...json }).toEqual({
      code: 0,
      file,
      bytes: expect.any(Number),
      use: {
        leads: expect.any(Number),
        trail: expect.any(Number),
        outbox: expect.any(Number),
        other: expect.any(Number),
        free: expect.any(Number),
      },
      ok: true,
      checks: [
        "schema",
        "integrity",
        "foreign keys",
        "lead tables",
        "lead counts",
        "trail",
        "outbox",
        "derived index",
        "disk",
      ],
      findings: [],
      derived: {
        file: file.replace(".db", ".index.db"),
        bytes: expect.any(Number),
        behind: 0,
        state: "whole",
      },
    })
    expect((await place.run(["check"])).out).toStartWith(
      `${file} is sound: ${json.checks.join(", ")}.\nBytes: leads `,
    )
  })

  test.for<[string, string[], string, string, string]>([
    [
      "orphans",
      ["INSERT INTO lead_tags VALUES (1, 'x', 99)"],
      "lead tables",
      "orphan_rows",
      "1 row of lead_tags belongs to no lead",
    ],
    [
      "orphan places",
      ["INSERT INTO lead_locations VALUES (99, 1, 1, 1, 1, 1, 1)"],
      "lead tables",
      "orphan_rows",
      "1 row of lead_locations belongs to no lead",
    ],
    [
      "leads without a document",
      ["DELETE FROM lead_documents"],
      "lead tables",
      "missing_rows",
      "1 lead has no row in lead_documents",
    ],
    [
      "wrong counts",
      ["UPDATE accounts SET lead_count = 7"],
      "lead counts",
      "wrong_lead_count",
      "is charged for 7 leads and has 1",
    ],
    [
      "a do-not-contact list that is not looked at",
      [
        `INSERT INTO suppressions (account_id, id, kind, value, key, created_at)
         SELECT key, 'sup_1', 'email', 'a@b.example', 'email:a@b.example', 0 FROM accounts`,
        "UPDATE accounts SET suppression_count = 1",
      ],
      "lead counts",
      "wrong_suppressed_kinds",
      "leads on it may come in",
    ],
    [
      "columns that differ from documents",
      ["UPDATE leads SET city = 'elsewhere'"],
      "lead tables",
      "columns_differ",
      "1 lead differs from what it is found and sorted by",
    ],
    ["gaps of the trail", ["DELETE FROM trail"], "trail", "trail_gaps", "lacks 1 change"],
    [
      "broken references",
      ["UPDATE api_keys SET account_id = 99"],
      "foreign keys",
      "broken_reference",
      "row 1 of api_keys points to a row of accounts that does not exist",
    ],
    [
      "other migrations",
      ["UPDATE migrations SET sha256 = 'x'"],
      "schema",
      "schema_unfit",
      "migration 0001_initial in the database differs",
    ],
    [
      "a newer schema",
      ["PRAGMA user_version = 99"],
      "schema",
      "schema_unfit",
      "the database is of a newer leaddb (schema 99",
    ],
    [
      "migrations that are not noted",
      ["PRAGMA user_version = 0"],
      "schema",
      "schema_unfit",
      "migrations, and yet tables",
    ],
    [
      "another program's file",
      ["PRAGMA application_id = 1"],
      "schema",
      "schema_unfit",
      "the file is an SQLite database of another program",
    ],
  ])("finds %s and says what to do", async ([_, sql, check, found, message], place) => {
    change(await stocked(place), "PRAGMA foreign_keys = OFF", ...sql)
    const { code, err, json } = await place.run(["check", "--json"])
    expect({ code, err, ok: json.ok }).toEqual({ code: 1, err: "", ok: false })
    expect(json.findings).toEqual([
      {
        code: found,
        severity: "error",
        check,
        message: expect.stringContaining(message),
        advice: expect.any(String),
      },
    ])
  })

  test("an older schema is worth a warning, and no more", async (place) => {
    const file = join(place.folder, "data/leads.db")
    await Bun.write(file, "")
    const db = new Database(file)
    migrate(db, MIGRATIONS.slice(0, 2))
    db.close()
    const { code, json } = await place.run(["check", "--json"])
    expect([code, json.ok, json.checks]).toEqual([0, true, ["schema", "integrity", "foreign keys", "disk"]])
    expect(json.findings).toMatchObject([{ code: "schema_older", severity: "warning" }])
  })

  test("what it advises repairs", async (place) => {
    const file = await stocked(place)
    change(file, "INSERT INTO lead_tags VALUES (1, 'x', 99)", "UPDATE accounts SET lead_count = 7")
    const { findings } = (await place.run(["check", "--json"])).json
    expect(findings.length).toBe(2)
    const statements = findings.flatMap(
      ({ advice }: { advice: string }) => advice.split("sqlite3 program: ")[1] ?? [],
    )
    change(file, ...statements)
    expect((await place.run(["check", "--repair"])).code).toBe(0)
    expect((await place.run(["check"])).code).toBe(0)
  })

  test("--repair mends counts, heads and derived data, and says what it changed", async (place) => {
    const file = await stocked(place)
    const index = file.replace(".db", ".index.db")
    const [account] = (await place.run(["accounts", "list", "--json"])).json.accounts
    const first = (await place.run(["check", "--repair", "--json"])).json
    expect(first).toMatchObject({ ok: true, derived: { state: "whole" } })
    change(file, "UPDATE accounts SET lead_count = 7, trail_head = 0, suppressed_kinds = 4")
    change(index, "DELETE FROM lead_words")
    const found = (await place.run(["check", "--json"])).json
    expect(found.findings.map(({ code }: { code: string }) => code)).toEqual([
      "wrong_lead_count",
      "wrong_suppressed_kinds",
      "wrong_trail_head",
      "derived_incomplete",
    ])
    expect(found.derived.state).toBe("damaged")
    const mended = await place.run(["check", "--repair", "--json"])
    expect(mended.code).toBe(0)
    expect(mended.json.repaired).toEqual([
      { what: "lead_count", account: account.id, from: 7, to: 1 },
      { what: "suppressed_kinds", account: account.id, from: 4, to: 0 },
      { what: "trail_head", account: account.id, from: 0, to: expect.any(Number) },
      { what: "derived", account: null, from: "damaged", to: "whole" },
    ])
    await Bun.write(index, "this is no database any more, ".repeat(1_000))
    const told = await place.run(["check", "--repair"])
    expect([told.code, told.out]).toEqual([
      0,
      expect.stringContaining("Repaired: derived data, from damaged to whole"),
    ])
    expect((await place.run(["check", "--repair"])).out).toStartWith("Nothing to repair.\n")
  })

  test("finds damaged pages", async (place) => {
    const file = await stocked(place)
    const bytes = await Bun.file(file).bytes()
    bytes.fill(0xa5, 8192, 8192 + 30 * 4096)
    await Bun.write(file, bytes)
    const { code, out } = await place.run(["check"])
    expect(code).toBe(1)
    expect(out).toContain("is not sound")
    expect(out).toContain("restore the newest good backup")
  })

  test("finds a file that is no database at all", async (place) => {
    await Bun.write(join(place.folder, "data/leads.db"), "not a database, ".repeat(1000))
    const { code, json } = await place.run(["check", "--json"])
    expect(code).toBe(1)
    expect(json.findings).toMatchObject([
      { code: "unreadable", check: "schema", message: "file is not a database" },
    ])
  })
})

describe("leaddb check of the outbox", () => {
  const NOW = Date.UTC(2026, 0, 10)
  const HOUR = 3_600_000
  const webhook = (rid: number, set: string) =>
    `INSERT INTO webhooks (rid, account_id, id, url, events, active, created_at, updated_at, failing_since, disabled_reason)
     SELECT ${rid}, 1, 'wh_${rid}', 'http://x', '[]', 1, 0, 0, NULL, NULL; UPDATE webhooks SET ${set} WHERE rid = ${rid}`
  const EVENT = "INSERT INTO events VALUES (1, 1, 'evt_1', 'lead.created', '{}', 0)"
  const delivery = (due: number, set = "code = NULL") =>
    `INSERT INTO deliveries (account_id, id, webhook_rid, event_rid, status, due_at, created_at, updated_at)
     VALUES (1, 'dlv', 1, 1, 'pending', ${due}, ${(NOW - 72 * HOUR) / 1000}, 0); UPDATE deliveries SET ${set}`

  test.for<[string, string[], string, RegExp]>([
    [
      "deliveries that are overdue",
      [webhook(1, "active = 1"), EVENT, delivery(NOW - 3 * HOUR)],
      "deliveries_overdue",
      /^1 delivery is overdue, the oldest for 3 hours$/,
    ],
    [
      "deliveries that a process took along when it died",
      [webhook(1, "active = 1"), EVENT, delivery(NOW - 1000, `lease = 'x', leased_until = ${NOW - 1}`)],
      "dead_leases",
      /^1 delivery was about to be sent by a process that died$/,
    ],
    [
      "webhooks that are off while deliveries wait",
      [webhook(1, "active = 0, disabled_reason = 'the endpoint answered 410 Gone'"), EVENT, delivery(NOW)],
      "webhook_off_waiting",
      /^webhook wh_1 is off \(the endpoint answered 410 Gone\) and 1 delivery waits for it, the oldest for 3 days$/,
    ],
    [
      "webhooks that fail",
      [webhook(1, `failing_since = ${NOW - 26 * HOUR}`)],
      "webhook_failing",
      /^webhook wh_1 has had nothing but failures for 26 hours$/,
    ],
    ["events without a delivery", [EVENT], "events_without_deliveries", /^1 event has no delivery/],
  ])("warns of %s", async ([_, sql, code, message], place) => {
    const file = await stocked(place)
    change(file, ...sql.flatMap((text) => text.split("; ")))
    expect(checkFile(file, { now: NOW }).findings).toEqual([
      {
        code,
        severity: "warning",
        check: "outbox",
        message: expect.stringMatching(message),
        advice: expect.any(String),
      },
    ])
    expect((await place.run(["check"])).code).toBe(0)
  })

  test("finds nothing wrong with deliveries that wait for their time", async (place) => {
    const file = await stocked(place)
    const sql = [
      webhook(1, "active = 1"),
      EVENT,
      delivery(NOW + HOUR, `lease = 'x', leased_until = ${NOW + 1}`),
    ]
    change(file, ...sql.flatMap((text) => text.split("; ")))
    expect(checkFile(file, { now: NOW }).findings).toEqual([])
  })
})

describe("leaddb check of the disk", () => {
  const MIB = 2 ** 20
  test.for([
    [{ free: 31 * MIB, database: MIB, log: 0 }, ["error disk_full"]],
    [{ free: 90 * MIB, database: 60 * MIB, log: 40 * MIB }, ["warning disk_low"]],
    [{ free: 101 * MIB, database: 60 * MIB, log: 40 * MIB }, []],
    [{ free: 9_000 * MIB, database: MIB, log: 300 * MIB }, ["warning log_large"]],
  ])("of %j", async ([disk, expected], place) => {
    const { findings } = checkFile(await stocked(place), { now: 0, disk })
    expect(findings.map(({ code, severity }) => `${severity} ${code}`)).toEqual([...expected])
  })

  test("finds what a backup that was cut off has left", async (place) => {
    const file = await stocked(place)
    const left = join(place.folder, `data/.leads.db.${crypto.randomUUID()}.partial`)
    await Bun.write(left, "half")
    const { code, out } = await place.run(["check"])
    expect(code).toBe(0)
    expect(out).toStartWith(`${file} is sound: schema, `)
    expect(out).toContain(
      "\n  warning left_over_files: 1 file was left by a backup or restore that was cut off\n",
    )
    expect(out).toContain(`delete ${left}`)
  })
})
