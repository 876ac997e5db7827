// Connections for maintenance of a whole database, and locks against instances that use it meanwhile.
import { type ReservedSQL, SQL } from "bun"
import { sqlState } from "./errors.ts"
import { sendQuery } from "./query.ts"

/** Application name of instances. */
const INSTANCE = "leaddb"

/** Settings for work that takes long, and for rows that are compared as text. */
const SETTINGS = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = 0;
  SET bytea_output = 'hex'; SET extra_float_digits = 1; SET standard_conforming_strings = on`

/** Opens connections for maintenance; where sessions are `shared`, nothing is prepared on them. */
export function connectForMaintenance(url: string, isShared = false): SQL {
  return new SQL(url, {
    ...{ max: 3, bigint: true, connectionTimeout: 10, prepare: !isShared },
    connection: { application_name: "leaddb alone" },
  })
}

/** Takes a connection for work that takes long. */
export async function reserveForMaintenance(pool: SQL): Promise<ReservedSQL> {
  const connection = await pool.reserve()
  await connection.unsafe(SETTINGS)
  return connection
}

/** The address of a database without what only its owner should see. */
export function shownPlace(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `postgres://${hostname}${port && `:${port}`}${pathname}`
}

/** How many connections instances have to a database, and from where. */
export async function instancesOn(
  sql: SQL | ReservedSQL,
): Promise<{ connections: number; hosts: string | null }> {
  const [row] = await sendQuery(
    sql,
    `SELECT count(*)::int AS connections, string_agg(DISTINCT coalesce(host(client_addr), 'this machine'), ', ') AS hosts
     FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1 AND pid <> pg_backend_pid()`,
    [INSTANCE],
  )
  return row as { connections: number; hosts: string | null }
}

/** Throws an Error that a person can act on while instances are connected. */
export async function refuseInstances(sql: SQL | ReservedSQL, place: string): Promise<void> {
  const { connections, hosts } = await instancesOn(sql)
  if (connections === 0) return
  throw new Error(
    `${place} is in use: leaddb has ${connections} connections to it, from ${hosts}: stop every instance, then try again`,
  )
}

/**
 * Locks tables against writes until the transaction under way ends. Throws an Error when they are in use, such as by
 * another move.
 */
export async function lockTables(sql: ReservedSQL, tables: string, place: string): Promise<void> {
  try {
    await sendQuery(sql, `LOCK TABLE ${tables} IN EXCLUSIVE MODE NOWAIT`)
  } catch (error) {
    if (sqlState(error) !== "55P03") throw error
    throw new Error(`${place} is in use: somebody writes to it, or another move is under way`, {
      cause: error,
    })
  }
}

/** Runs work in a transaction. Throws an Error where the database did not keep it. */
export async function inTransaction<T>(sql: ReservedSQL, work: () => Promise<T>): Promise<T> {
  await sendQuery(sql, "BEGIN")
  try {
    const done = await work()
    const { command } = await sendQuery(sql, "COMMIT")
    if (command !== "COMMIT") throw new Error("the database did not keep what was written")
    return done
  } catch (error) {
    await sendQuery(sql, "ROLLBACK").catch(() => undefined)
    throw error
  }
}
