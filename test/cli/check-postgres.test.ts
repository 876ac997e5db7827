import { describe, expect, test } from "bun:test"
import { SQL } from "bun"
import { ask } from "../support/ask.ts"
import { pluck } from "../support/pluck.ts"
import { emptyDatabase, hasPostgres, newDatabase, startPostgres } from "../support/postgres.ts"
import { openPlace, type Running } from "../support/service.ts"
import { until } from "../support/until.ts"

await startPostgres()

/** The URL of the same database for a role that has been given these rights. */
async function asRole(url: string, name: string, ...rights: string[]): Promise<string> {
  const sql = new SQL(url, { max: 1 })
  await sql.unsafe(`DROP ROLE IF EXISTS ${name}`)
  await sql.unsafe(`CREATE ROLE ${name} LOGIN`)
  for (const right of rights) await sql.unsafe(`${right} TO ${name}`)
  await sql.close()
  const own = new URL(url)
  own.username = name
  return own.href
}

const ROWS = "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public"

describe.skipIf(!hasPostgres)("a PostgreSQL database", () => {
  test("is checked: server, schema, rights, secrets and clock", async () => {
    await using place = openPlace()
    const check = async (LEADDB_DATABASE: string, more = {}) => {
      const { code, json } = await place.run(["check", "--json"], { LEADDB_DATABASE, ...more })
      return [code, pluck(json.findings, "code")]
    }
    const url = await newDatabase()
    expect(await check(url)).toEqual([0, []])
    expect(await check(await emptyDatabase())).toEqual([0, ["schema_older"]])
    expect(await check(await asRole(url, "no_rows"))).toEqual([1, ["rights_missing", "cannot_migrate"]])
    expect(await check(await asRole(url, "rows_only", ROWS))).toEqual([0, ["cannot_migrate"]])
    expect(
      await check(await asRole(url, "some_rows", "GRANT SELECT ON ALL TABLES IN SCHEMA public")),
    ).toEqual([1, ["rights_missing", "cannot_migrate"]])
    const gone = await place.run(["check"], { LEADDB_DATABASE: "postgres://nobody@127.0.0.1:1/none" })
    expect([gone.code, gone.err]).toEqual([1, expect.stringContaining("Failed to connect")])
    const mode = await place.run(["check"], { LEADDB_DATABASE: `${url}?sslmode=always` })
    expect([mode.code, mode.err]).toEqual([
      2,
      expect.stringContaining("must have an sslmode of disable, allow"),
    ])
  }, 120_000)

  test.each([
    ["rows of no lead", "INSERT INTO lead_tags SELECT key, 'x', 99 FROM accounts", "orphan_rows", true],
    [
      "emails of no lead",
      "INSERT INTO lead_contacts (account_id, rid, kind, item, text) SELECT key, 99, 'email', 1, 'a@x.example' FROM accounts",
      "orphan_rows",
      true,
    ],
    ["notes of no lead", "UPDATE notes SET lead_rid = 99", "orphan_rows", false],
    ["columns that differ from documents", "UPDATE leads SET city = 'elsewhere'", "columns_differ", true],
    ["leads without a score", "DELETE FROM lead_scores", "missing_rows", false],
    ["gaps of the trail", "DELETE FROM trail WHERE seq = 1", "trail_gaps", false],
    [
      "events that are sent to none",
      "INSERT INTO events (account_id, id, event, body, created_at) SELECT key, 'e', 'x', '{}', 0 FROM accounts",
      "events_without_deliveries",
      false,
    ],
  ])(
    "is looked through for %s, as a file is",
    async (_, harm, found, isMended) => {
      await using place = openPlace()
      const url = await newDatabase()
      const env = { LEADDB_DATABASE: url }
      const served = await place.serve([], env)
      const lead = { name: "Zimt", source: "a", city: "Wien" }
      const { id } = (await served.call("POST", "/leads", lead)).body
      await served.call("POST", `/leads/${id}/notes`, { content: "called" })
      const codes = async () => pluck((await place.run(["check", "--json"], env)).json.findings, "code")
      expect(await codes()).toEqual([])
      const sql = new SQL(url, { max: 1 })
      await sql.unsafe(harm)
      await sql.close()
      expect(await codes()).toEqual([found])
      await place.run(["check", "--repair"], env)
      expect(await codes()).toEqual(isMended ? [] : [found])
    },
    120_000,
  )

  test("is repaired: counts, heads and what leads are found by, and it is said what changed", async () => {
    await using place = openPlace()
    const url = await newDatabase()
    const env = { LEADDB_DATABASE: url }
    const { account, api_key } = (await place.run(["accounts", "create", "--name", "a", "--json"], env)).json
    const served = await place.serve([], env)
    const send = async (path: string, body?: object) =>
      (await ask(served, api_key, body ? "POST" : "GET", path, body)).body
    const { id } = await send("/leads", { name: "Zimt Stern", source: "a" })
    await send(`/leads/${id}/notes`, { content: "Marzipan" })
    const sql = new SQL(url, { max: 1 })
    await sql`UPDATE accounts SET lead_count = 7, lead_head = 0, trail_head = 0`
    for (const table of ["lead_words", "lead_texts", "known_words"]) await sql.unsafe(`DELETE FROM ${table}`)
    await sql`INSERT INTO lead_texts (account_id, rid, text) SELECT key, 99, 'left' FROM accounts`
    const codes = async () => pluck((await place.run(["check", "--json"], env)).json.findings, "code")
    expect(await codes()).toEqual([
      ...["wrong_lead_count", "wrong_lead_head", "wrong_trail_head", "derived_incomplete"],
    ])
    const { repaired } = (await place.run(["check", "--repair", "--json"], env)).json
    const own = { account: account.id, from: 0, to: 1 }
    expect(repaired).toEqual([
      { ...own, what: "lead_count", from: 7 },
      { ...own, what: "lead_head" },
      { ...own, what: "trail_head" },
      { what: "derived", account: null, from: "2 rows wrong", to: "whole" },
    ])
    expect(await codes()).toEqual([])
    for (const q of ["zimt", "marzipan", "marzzipan"])
      expect((await send(`/leads?q=${q}`)).leads.map((lead: { id: string }) => lead.id)).toEqual([id])
    expect((await send("/leads?filter=and.contains.name.mt%20st")).leads).toHaveLength(1)
    await sql.close()
  }, 120_000)

  test("serves a role that may not make tables, once they are there; else it is said who has to do what", async () => {
    await using place = openPlace()
    const url = await newDatabase()
    await place.run(["accounts", "create", "--name", "a"], { LEADDB_DATABASE: url })
    const served = await place.serve([], {
      LEADDB_DATABASE: await asRole(url, "serving", ROWS, "GRANT USAGE ON ALL SEQUENCES IN SCHEMA public"),
    })
    expect((await fetch(new URL("/readyz", served.url))).status).toBe(200)
    const metrics = await (await fetch(new URL("/metrics", served.url))).text()
    expect(metrics).toMatch(/leaddb_database_connections \d+/)
    const empty = await asRole(await emptyDatabase(), "no_tables")
    const refused = await place.run(["accounts", "create", "--name", "a"], { LEADDB_DATABASE: empty })
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('GRANT CREATE ON SCHEMA public TO "no_tables"'),
    ])
  }, 120_000)

  test("serves without the index for parts of texts where it cannot be made, and makes it once it can", async () => {
    await using place = openPlace()
    const url = await emptyDatabase()
    const sql = new SQL(url, { max: 1 })
    const indexes = async () => {
      const found =
        await sql`SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('lead_texts_trigrams')`
      return pluck(found, "valid")
    }
    const findings = async (LEADDB_DATABASE: string) => {
      const { json } = await place.run(["check", "--json"], { LEADDB_DATABASE })
      return pluck(json.findings, "code")
    }
    const made = await place.run(["accounts", "create", "--name", "a", "--json"], { LEADDB_DATABASE: url })
    const key = made.json.api_key
    const leads = ["Zahnärztin Йорданова", "Jordan's bar"].map((name) => ({
      name,
      source: "a",
      address: "Old Pier 50%",
    }))
    async function found(served: Running) {
      const get = async (filter: string) => {
        const { body } = await ask(served, key, "GET", `/leads?filter=${encodeURIComponent(filter)}`)
        return pluck(body.leads, "name")
      }
      return [
        await get("and.contains.name.ЙОРД"),
        await get("and.contains.address.pier 5"),
        await get("and.ends_with.address.0%"),
      ]
    }
    const both = expect.arrayContaining(leads.map(({ name }) => name))

    const rows = await asRole(url, "texts_serving", ROWS, "GRANT USAGE ON ALL SEQUENCES IN SCHEMA public")
    {
      const served = await place.serve([], { LEADDB_DATABASE: rows })
      expect((await ask(served, key, "POST", "/leads/batch", { leads })).status).toBe(201)
      expect(await found(served)).toEqual([[leads[0]!.name], both, both])
      await served.stop()
    }
    expect(await indexes()).toEqual([])
    expect(await findings(url)).toEqual(["text_index_missing"])
    for (const isBroken of [false, true]) {
      if (isBroken)
        await sql`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'lead_texts_trigrams'::regclass`
      const served = await place.serve([], { LEADDB_DATABASE: url })
      await until("the index is there", async () => (await indexes())[0])
      expect(await found(served)).toEqual([[leads[0]!.name], both, both])
      await served.stop()
    }
    expect(await findings(url)).toEqual([])
    await sql.close()
  }, 120_000)

  test.each([
    [["backup", "x.db"], "pg_dump --format=custom"],
    [["restore", "x.db"], "pg_restore"],
    [["compact"], "autovacuum"],
  ])("leaddb %p says what takes its place", async (args, instead) => {
    await using place = openPlace()
    const { code, err } = await place.run(args, { LEADDB_DATABASE: "postgres://nobody@127.0.0.1:1/none" })
    expect([code, err]).toEqual([1, expect.stringContaining(instead)])
  })
})
