import { describe, expect, test } from "bun:test"
import { SQL } from "bun"
import { emptyDatabase, hasPostgres, newDatabase, startPostgres } from "../support/postgres.ts"
import { openPlace } from "../support/service.ts"

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
      return [code, json.findings.map(({ code }: { code: string }) => code)]
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
  }, 60_000)

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
  }, 60_000)

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
