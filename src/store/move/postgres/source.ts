// A database that is read from, as of one moment.

import {
  connectForMaintenance,
  lockTables,
  refuseInstances,
  reserveForMaintenance,
  shownPlace,
} from "../../postgres/connection/maintenance.ts"
import { sendQuery } from "../../postgres/connection/query.ts"
import { PG_MIGRATIONS, schemaVersion } from "../../postgres/schema/migrations.ts"
import type { MoveSource } from "../ends.ts"
import { postgresLines } from "./lines.ts"
import { shiftsOf } from "./shifts.ts"

/** Throws an Error that a person can act on while instances are connected, and when there is nothing to move. */
export async function openPostgresSource(url: string): Promise<MoveSource> {
  const pool = connectForMaintenance(url)
  const place = shownPlace(url)
  try {
    const version = await schemaVersion(pool)
    if (version !== PG_MIGRATIONS.length) {
      throw new Error(
        version === 0
          ? `${place} holds no leaddb`
          : `${place} has schema ${version}, and this leaddb knows ${PG_MIGRATIONS.length}: start the service once`,
      )
    }
    await refuseInstances(pool, place)
    const sql = await reserveForMaintenance(pool)
    await sendQuery(sql, "BEGIN ISOLATION LEVEL REPEATABLE READ")
    await lockTables(sql, "accounts, locks", place)
    const shifts = await shiftsOf(sql)
    return {
      place,
      renumbers: shifts.size > 0,
      async count({ name }) {
        const text =
          name === "trail"
            ? "SELECT coalesce(sum(trail_head - trail_floor), 0)::bigint AS n FROM accounts"
            : `SELECT count(*)::bigint AS n FROM ${name}`
        const [row] = await sendQuery(sql, text)
        return (row as { n: number }).n
      },
      lines: (table, after) => postgresLines(sql, table, { shifts, after, isOrdered: true }),
      async close() {
        await sendQuery(sql, "ROLLBACK").catch(() => undefined)
        sql.release()
        await pool.close()
      },
    }
  } catch (error) {
    // Closes the reserved connections, too.
    await pool.close({ timeout: 0 })
    throw error
  }
}
