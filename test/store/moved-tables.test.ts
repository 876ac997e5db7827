// What a database that moves leaves behind is said here, column by column: nothing new is forgotten.
import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { SQL } from "bun"
import { MOVED } from "../../src/store/move/tables.ts"
import { migrate } from "../../src/store/sqlite/file/migrations.ts"
import { hasPostgres, newDatabase, startPostgres } from "../support/postgres.ts"

await startPostgres()

const moved = new Map(MOVED.map(({ name, columns }) => [name, columns.map((column) => column.name)]))

/** Columns that no table of the move has; `*` is a whole table. */
function leftOut(columns: readonly { table: string; column: string }[]): string[] {
  const found = columns.flatMap(({ table, column }) => {
    const own = moved.get(table)
    if (!own) return [`${table}.*`]
    return own.includes(column) ? [] : [`${table}.${column}`]
  })
  return [...new Set(found)].toSorted()
}

describe("a database that moves", () => {
  test("leaves of a file only what is made of what is moved, or stands in another table", () => {
    const db = new Database(":memory:")
    migrate(db)
    const columns = db
      .query<{ table: string; column: string }, []>(
        `SELECT m.name AS "table", c.name AS "column" FROM sqlite_schema m, pragma_table_info(m.name) c
         WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name NOT LIKE 'lead\\_%\\_%' ESCAPE '\\'`,
      )
      .all()
    expect(leftOut(columns)).toEqual([
      "changes.*",
      "idempotent_answers.rid",
      "lead_documents.*",
      "lead_locations.*",
      "lead_texts.*",
      "lead_words.*",
      "migrations.*",
      "trail.data",
      "trail_batches.*",
      "trail_leads.*",
      "trail_names.*",
      "trail_states.*",
    ])
  })

  test.skipIf(!hasPostgres)("leaves of PostgreSQL only what is worked out of what is moved", async () => {
    const sql = new SQL(await newDatabase(), { max: 1 })
    const columns = await sql`
      SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
      WHERE table_schema = 'public'`
    await sql.close()
    expect(leftOut(columns)).toEqual([
      "accounts.last_id",
      "accounts.lead_head",
      "kept_files.created_at",
      "lead_texts.*",
      "lead_words.*",
      "locks.*",
      "matching_leases.*",
      "request_counts.*",
      "schema_lock.*",
      "schema_versions.*",
    ])
  })
})
