// Brings a database to the schema that this executable knows, while others may be working with it.
import type { ReservedSQL, SQL } from "bun"
import { makeViews } from "../../sql/views.ts"
import { sqlState } from "../connection/errors.ts"
import { sendQuery } from "../connection/query.ts"
import listIndexes from "./0042_list_indexes.sql" with { type: "text" }
import roomForUpdates from "./0043_room_for_updates.sql" with { type: "text" }
import noTriggers from "./0044_no_triggers.sql" with { type: "text" }
import base from "./base.sql" with { type: "text" }

/** The schema of `base.sql`, which holds all migrations of before 2.0. */
const BASE = 41

interface Migration {
  sql: string
  /** The oldest schema whose executables can go on working beside this one. */
  least: number
}

/** In order. Each after the first brings the schema's version one further. */
export const PG_MIGRATIONS: readonly Migration[] = [
  { sql: base, least: BASE },
  { sql: listIndexes, least: BASE },
  { sql: roomForUpdates, least: BASE },
  { sql: noTriggers, least: BASE },
]

/** The version of the schema that this executable knows. */
export const PG_SCHEMA = BASE + PG_MIGRATIONS.length - 1

/**
 * Throws an Error that a person can act on where the database is too new or may not be changed. A role that may not
 * create anything is enough for a database that is up to date.
 */
export async function pgMigrate(sql: SQL): Promise<void> {
  if ((await schemaVersion(sql)) >= PG_SCHEMA) return refuseNewer(sql)
  const connection = await sql.reserve()
  try {
    await makeVersions(connection)
    // Whoever else starts waits here, and then finds it done.
    await begin(connection)
    const version = await schemaVersion(connection)
    if (version > 0 && version < BASE) throw tooOld(version)
    for (const [i, { sql: text, least }] of PG_MIGRATIONS.entries()) {
      if (BASE + i <= version) continue
      await connection.unsafe(text)
      await sendQuery(connection, "INSERT INTO schema_versions (version, least) VALUES ($1, $2)", [
        BASE + i,
        least,
      ])
    }
    await connection.unsafe(makeViews("postgres"))
    const { command } = await sendQuery(connection, "COMMIT")
    if (command !== "COMMIT") throw new Error("the database did not keep its new schema")
  } catch (error) {
    await sendQuery(connection, "ROLLBACK").catch(() => undefined)
    throw sqlState(error) === "42501" ? await notAllowed(sql, error) : error
  } finally {
    connection.release()
  }
  await refuseNewer(sql)
}

const begin = (sql: ReservedSQL) => sql.unsafe("BEGIN; SELECT 1 FROM schema_lock FOR UPDATE")

function tooOld(version: number): Error {
  return new Error(
    `the database has schema ${version} of a leaddb before 2.0, which none of the released ones made: bring it to schema ` +
      `${BASE} with the sources of 29 November 2026 (commit 696008ff), then start this one`,
  )
}

async function notAllowed(sql: SQL, cause: unknown): Promise<Error> {
  const [row] = await sendQuery(sql, "SELECT current_user AS role, current_schema() AS schema")
  const { role, schema } = row as { role: string; schema: string | null }
  return new Error(
    `the role ${role} may not make or change tables: an administrator runs GRANT CREATE ON SCHEMA ${schema ?? "public"} ` +
      `TO "${role}", or starts leaddb once with a role that owns them`,
    { cause },
  )
}

/** The version of a database's schema; 0 where it has no tables of leaddb. */
export async function schemaVersion(sql: SQL | ReservedSQL): Promise<number> {
  try {
    const [row] = await sendQuery(sql, "SELECT max(version)::int AS version FROM schema_versions")
    return (row?.version as number | null) ?? 0
  } catch (error) {
    if (sqlState(error) === "42P01") return 0
    throw error
  }
}

/** Two that make these at once: the second fails on a name that is taken, and finds them there the next time. */
async function makeVersions(sql: ReservedSQL): Promise<void> {
  const text = `
    CREATE TABLE IF NOT EXISTS schema_lock (one int PRIMARY KEY);
    INSERT INTO schema_lock VALUES (1) ON CONFLICT DO NOTHING;
    CREATE TABLE IF NOT EXISTS schema_versions (
      version int PRIMARY KEY, least int NOT NULL, applied_at timestamptz NOT NULL DEFAULT now()
    )`
  for (let tries = 1; ; tries++) {
    try {
      await sql.unsafe(text)
      return
    } catch (error) {
      if (tries === 5 || !["23505", "42P07", "42710"].includes(sqlState(error) ?? "")) throw error
    }
  }
}

/** Newer executables say with each migration which older ones can go on working. */
async function refuseNewer(sql: SQL): Promise<void> {
  const text = "SELECT max(version)::int AS version, max(least)::int AS least FROM schema_versions"
  const [row] = await sendQuery(sql, text)
  const { version, least } = row as { version: number; least: number }
  if (least > PG_SCHEMA) {
    throw new Error(
      `the database has schema ${version} of a newer leaddb, and this one knows ${PG_SCHEMA}: use the newer one`,
    )
  }
}
