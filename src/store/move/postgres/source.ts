// A database that is read from, as of one moment. Instances on it go on reading; they stop writing for good where the move
// ends well.
import type { ReservedSQL } from "bun"
import { sqlState } from "../../postgres/connection/errors.ts"
import {
  connectForMaintenance,
  instancesOn,
  reserveForMaintenance,
  shownPlace,
} from "../../postgres/connection/maintenance.ts"
import { sendQuery } from "../../postgres/connection/query.ts"
import { PG_SCHEMA, schemaVersion } from "../../postgres/schema/migrations.ts"
import { holdMoveLock, movedTo, setMovedTo } from "../../postgres/writes/moves.ts"
import { alreadyMoved } from "../../shared/moved-away.ts"
import type { MoveSource } from "../ends.ts"
import { MOVED } from "../tables.ts"
import { postgresLines, shiftsOf } from "./lines.ts"

/** How long transactions under way are waited for. */
const PATIENCE = "30s"
/** Milliseconds after which every instance has seen the lock and refuses writes, so that none of them waits. */
const SEEN_MS = 1_200

/** Rows of accounts and of `locks` come first: with them nearly every transaction begins. */
const LOCKED = ["accounts", "locks", ...MOVED.map(({ name }) => name).filter((name) => name !== "accounts")]

/**
 * Holds a database until it is closed: nobody writes to it, everybody reads. Throws an Error that a person can act on when
 * there is nothing to move, when another move has it, when it has been moved to another place than `to`, and when somebody
 * else has it for long.
 */
export async function openPostgresSource(url: string, to: string): Promise<MoveSource> {
  const pool = connectForMaintenance(url)
  const place = shownPlace(url)
  try {
    const version = await schemaVersion(pool)
    if (version !== PG_SCHEMA) {
      throw new Error(
        version === 0
          ? `${place} holds no leaddb`
          : `${place} has schema ${version}, and this leaddb knows ${PG_SCHEMA}: start the service once`,
      )
    }
    const heldSince = (await instancesOn(pool)).connections > 0 ? performance.now() : undefined
    const sql = await reserveForMaintenance(pool)
    await holdMoveLock(sql, place)
    const moved = await movedTo(sql)
    if (moved !== undefined && moved !== to) throw alreadyMoved(place, moved)
    if (heldSince !== undefined) await Bun.sleep(SEEN_MS)
    await lockedSnapshot(sql, place)
    const shifts = await shiftsOf(sql)
    return {
      place,
      heldSince,
      async count({ name }) {
        const [row] = await sendQuery(sql, `SELECT count(*)::bigint AS n FROM ${name}`)
        return (row as { n: number }).n
      },
      lines: (table) => postgresLines(sql, table, shifts),
      async handOver(there) {
        await setMovedTo(sql, there)
        const { command } = await sendQuery(sql, "COMMIT")
        if (command !== "COMMIT") throw new Error(`${place} did not keep that its data is in ${there} now`)
      },
      async close() {
        await sendQuery(sql, "ROLLBACK").catch(() => undefined)
        // With its session goes the lock.
        await pool.close({ timeout: 0 })
      },
    }
  } catch (error) {
    await pool.close({ timeout: 0 })
    throw error
  }
}

/** Begins a transaction that sees what is committed once nobody else can write. */
async function lockedSnapshot(sql: ReservedSQL, place: string): Promise<void> {
  await sendQuery(sql, "BEGIN ISOLATION LEVEL REPEATABLE READ")
  await sendQuery(sql, `SET LOCAL lock_timeout = '${PATIENCE}'`)
  try {
    await sendQuery(sql, `LOCK TABLE ${LOCKED.join(", ")} IN EXCLUSIVE MODE`)
  } catch (error) {
    if (sqlState(error) !== "55P03") throw error
    throw new Error(`${place} is in use: somebody has been writing to it for ${PATIENCE}. Try again`, {
      cause: error,
    })
  }
  await sendQuery(sql, "SET LOCAL lock_timeout = 0")
}
