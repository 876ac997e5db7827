import type { TrailCare } from "../../contract/changes.ts"
import type { WriteDb } from "../../sql/db.ts"

/** Changes of one step; they take a few milliseconds. */
export const STEP = 500

interface OldChange {
  seq: number
  at: number
  bytes: number
}

/** Forgets the oldest changes, with what `forget` takes of them. What is younger can be put together without them. */
export function trailCareOn<Old extends OldChange>(
  db: WriteDb,
  columns: string,
  forget: (account: number, old: readonly Old[], floor: number, bytes: number) => Promise<void>,
): TrailCare {
  const oldest = `SELECT seq, created_at AS at, ${columns} FROM trail WHERE account_id = $1 ORDER BY seq LIMIT ${STEP}`
  const newest = "SELECT created_at AS at FROM trail WHERE account_id = $1 ORDER BY seq DESC LIMIT 1"
  return {
    keeps: () => db.all("SELECT key AS account, changes_keep AS keep FROM accounts ORDER BY key"),
    async setKeep(account, seconds) {
      db.later("UPDATE accounts SET changes_keep = $2 WHERE key = $1", [account, seconds])
    },
    async prune(account, keep, now) {
      const all = await db.all<Old>(oldest, [account])
      const last = await db.get<{ at: number }>(newest, [account])
      if (!last) return false
      // A clock that runs ahead must not make everything old.
      const before = Math.min(now, last.at) - keep
      const young = all.findIndex(({ at }) => at >= before)
      const old = young < 0 ? all : all.slice(0, young)
      const floor = old.at(-1)?.seq
      if (floor === undefined) return false
      db.later("DELETE FROM trail WHERE account_id = $1 AND seq <= $2", [account, floor])
      const bytes = old.reduce((sum, one) => sum + one.bytes, 0)
      await forget(account, old, floor, bytes)
      return true
    },
  }
}

/** All texts in a JSON value. */
export function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value]
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(textsOf) : []
}
