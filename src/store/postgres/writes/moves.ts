// What a move to a file tells the instances on a database: that it is under way, and that the data is elsewhere now.
import type { ReservedSQL, SQL } from "bun"
import { MovedAway } from "../../shared/moved-away.ts"
import { sqlState } from "../connection/errors.ts"
import { connectForMaintenance, shownPlace } from "../connection/maintenance.ts"
import { sendQuery } from "../connection/query.ts"

/** A lock that the session of a move holds to its end: it goes with the process. */
const LOCK = 0x6d6f7665

/** Columns of a statement: where the data has been moved to, and whether a move is under way. */
export const MOVED_TO = "(SELECT value FROM settings WHERE name = 'moved_to') AS moved_to"
export const IS_MOVING = `NOT pg_try_advisory_xact_lock_shared(${LOCK}) AS is_moving`

interface Moved {
  moved_to: Uint8Array | null
}

/** The place in a row with `MOVED_TO`; undefined where the data is still here. */
export function placeIn({ moved_to: value }: Moved): string | undefined {
  return value ? Buffer.from(value).toString() : undefined
}

/** Throws `MovedAway` for a row with `MOVED_TO` of a database that is not to be written any more. */
export function refuseMoved(row: Moved): void {
  const place = placeIn(row)
  if (place !== undefined) throw new MovedAway(place)
}

export async function movedTo(sql: SQL | ReservedSQL): Promise<string | undefined> {
  const [row] = await sendQuery(sql, `SELECT ${MOVED_TO}`)
  return placeIn(row as unknown as Moved)
}

export async function setMovedTo(sql: SQL | ReservedSQL, place: string | undefined): Promise<void> {
  await sendQuery(sql, "DELETE FROM settings WHERE name = 'moved_to'")
  if (place !== undefined)
    await sendQuery(sql, "INSERT INTO settings (name, value) VALUES ('moved_to', $1)", [Buffer.from(place)])
}

/**
 * Keeps two moves of a database apart for as long as the connection lasts, and makes instances stop writing. Throws an Error
 * that a person can act on while another move is under way.
 */
export async function holdMoveLock(sql: ReservedSQL, place: string): Promise<void> {
  try {
    // Instances hold it for a moment, whenever they look.
    await sql.unsafe("SET lock_timeout = '2s'")
    await sendQuery(sql, `SELECT pg_advisory_lock(${LOCK})`)
  } catch (error) {
    if (sqlState(error) !== "55P03") throw error
    throw new Error(`${place} is being moved by another leaddb move`, { cause: error })
  }
}

/** Takes a database into use again that was moved. Answers with where it had been moved to. */
export async function cancelMove(url: string): Promise<string | undefined> {
  const pool = connectForMaintenance(url)
  try {
    const sql = await pool.reserve()
    await holdMoveLock(sql, shownPlace(url))
    const place = await movedTo(sql)
    await setMovedTo(sql, undefined)
    return place
  } finally {
    await pool.close({ timeout: 0 })
  }
}
