import type { Database, Statement } from "bun:sqlite"

type Value = string | number | null | Uint8Array

/**
 * Prepares a statement so that binding other values does not make SQLite plan it anew: it does that at every
 * execution where the planner has looked at a bare parameter (any ORDER BY or join). The no-op `+` hides it:
 * a lookup with an ORDER BY costs 1.5 us instead of 14.
 */
export function prepare<Row = unknown, Params extends Value[] = Value[]>(db: Database, sql: string) {
  return db.prepare(sql.replaceAll("?", "+?")) as unknown as Statement<Row, Params>
}

/** Tells whether another connection has committed since the last time, at first always. */
export function changeWatch(db: Database): () => boolean {
  const version = prepare<{ data_version: number }, []>(db, "PRAGMA data_version")
  let seen = -1
  return () => {
    const { data_version: now } = version.get()!
    const isNew = now !== seen
    seen = now
    return isNew
  }
}
