// A PostgreSQL database of an older leaddb.
import { describe, expect, test } from "bun:test"
import { SQL } from "bun"
import { PG_SCHEMA, pgMigrate, schemaVersion } from "../../src/store/postgres/schema/migrations.ts"
import { emptyDatabase, hasPostgres, runOnce, startPostgres } from "../support/postgres.ts"

await startPostgres()

describe.skipIf(!hasPostgres)("a database of before 2.0", () => {
  test("is refused with the way to upgrade it, and left as it was", async () => {
    const database = await emptyDatabase()
    const sql = new SQL(database, { max: 2 })
    await pgMigrate(sql)
    expect(await schemaVersion(sql)).toBe(PG_SCHEMA)
    await runOnce(database, "DELETE FROM schema_versions")
    await runOnce(database, "INSERT INTO schema_versions (version, least) VALUES (40, 9)")
    await expect(pgMigrate(sql)).rejects.toThrow(
      /^the database has schema 40 of a leaddb before 2\.0, .* start this one$/,
    )
    expect(await schemaVersion(sql)).toBe(40)
    await runOnce(database, `UPDATE schema_versions SET version = ${PG_SCHEMA}`)
    await pgMigrate(sql)
    await sql.close()
  })
})
