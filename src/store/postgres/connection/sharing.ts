// Finds out whether a pooler between an instance and its database gives each transaction another session.
import { type ReservedSQL, SQL } from "bun"
import { directUrl, type Ways } from "./ways.ts"

/** Two connections ask in this order, so that any rule of handing out sessions shows. */
const ORDER = [0, 1, 1, 0, 0, 1] as const
const CONNECT_S = 5

/**
 * Whether connections to this address have sessions that are not their own: two that are open see one, or one sees two.
 * Throws an Error that a person can act on where not even a transaction has one, and that of the driver where the server is
 * not reached.
 */
export async function sharesSessions(url: string): Promise<boolean> {
  const pools = [0, 1].map(
    () =>
      new SQL(url, {
        ...{ max: 1, prepare: false, connectionTimeout: CONNECT_S },
        connection: { application_name: "leaddb alone" },
      }),
  )
  try {
    const connections = await Promise.all(pools.map((pool) => pool.reserve()))
    const seen = new Map<number, number>()
    for (const at of ORDER) {
      const process = await backend(connections[at]!)
      if ((seen.get(at) ?? process) !== process || seen.get(1 - at) === process) {
        await refuseStatementMode(connections[at]!)
        return true
      }
      seen.set(at, process)
    }
    return false
  } finally {
    await Promise.allSettled(pools.map((pool) => pool.close({ timeout: 0 })))
  }
}

async function refuseStatementMode(connection: ReservedSQL): Promise<void> {
  try {
    await connection.unsafe("BEGIN")
    await connection.unsafe("ROLLBACK")
  } catch (cause) {
    throw new Error(
      "LEADDB_DATABASE leads to a pooler that takes no transactions, as PgBouncer with pool_mode = statement: " +
        "set pool_mode to session or transaction, or LEADDB_DATABASE to the address of PostgreSQL itself",
      { cause },
    )
  }
}

/** As plain text, which is one message. */
async function backend(connection: ReservedSQL): Promise<number> {
  const [row] = await connection.unsafe("SELECT pg_backend_pid() AS pid")
  return (row as { pid: number }).pid
}

/** The ways to a database, with what was found out of the first of them. */
export async function explored(ways: Ways): Promise<Ways & { sharesSessions: boolean }> {
  return { ...ways, sharesSessions: ways.sharesSessions ?? (await sharesSessions(ways.url)) }
}

/** The address for maintenance. Throws an Error that a person can act on where a pooler is in the way. */
export async function ownSessions(ways: Ways): Promise<string> {
  const url = directUrl(ways)
  if (await sharesSessions(url))
    throw new Error(
      `${ways.direct === undefined ? "LEADDB_DATABASE" : "LEADDB_DATABASE_DIRECT"} leads to a pooler that gives each ` +
        "transaction another session: set LEADDB_DATABASE_DIRECT to the address of PostgreSQL itself",
    )
  return url
}
