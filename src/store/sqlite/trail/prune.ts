import type { Database } from "bun:sqlite"
import type { TrailCare } from "../../contract/changes.ts"
import { prepare } from "../file/database.ts"
import { decodeChunk, decodeHead } from "./chunk.ts"
import type { TrailLead } from "./write.ts"

/** Rows of the trail in one step; they take a few milliseconds. */
const STEP = 20

/** Forgets the oldest changes. What is younger can be put together without them. */
export function trailCare(db: Database): TrailCare {
  const keeps = prepare<{ account: number; keep: number | null }, []>(
    db,
    "SELECT key AS account, changes_keep AS keep FROM accounts ORDER BY key",
  )
  const setKeep = prepare(db, "UPDATE accounts SET changes_keep = ? WHERE key = ?")
  const oldest = prepare<{ seq: number; data: Uint8Array }>(
    db,
    `SELECT seq, data FROM trail WHERE account_id = ? ORDER BY seq LIMIT ${STEP}`,
  )
  const newest = prepare<{ data: Uint8Array }>(
    db,
    "SELECT data FROM trail WHERE account_id = ? ORDER BY seq DESC LIMIT 1",
  )
  const removeChunk = prepare(db, "DELETE FROM trail WHERE account_id = ? AND seq = ?")
  const removeStates = prepare(db, "DELETE FROM trail_states WHERE account_id = ? AND lead = ? AND seq <= ?")
  const lead = prepare<TrailLead>(db, "SELECT * FROM trail_leads WHERE key = ?")
  const removeLead = prepare(db, "DELETE FROM trail_leads WHERE key = ?")
  const removeBatches = prepare(db, "DELETE FROM trail_batches WHERE account_id = ? AND last <= ?")
  const setFloor = prepare(
    db,
    "UPDATE accounts SET trail_floor = max(trail_floor, ?), stored_bytes = max(stored_bytes - ?, 0) WHERE key = ?",
  )
  const unconverted = prepare<{ rid: number }, []>(db, "SELECT rid FROM changes LIMIT 1")

  return {
    keeps: async () => keeps.all(),
    async setKeep(account, seconds) {
      setKeep.run(seconds, account)
    },
    async prune(account, keep, now) {
      const last = newest.get(account)
      // What is not converted lies in the middle: it becomes prunable when it is.
      if (!last || unconverted.get()) return false
      // A clock that runs ahead must not make everything old.
      const before = Math.min(now, decodeHead(last.data).at) - keep
      let [floor, bytes] = [0, 0]
      for (const { seq, data } of oldest.all(account)) {
        const { at, entries } = decodeChunk(data)
        if (at >= before) break
        for (const [i, entry] of entries.entries()) {
          removeStates.run(account, entry.lead, seq + i)
          if (entry.action !== "deleted") continue
          const found = lead.get(entry.lead)
          if (found && Math.max(found.last, found.older) === seq + i) removeLead.run(entry.lead)
        }
        removeChunk.run(account, seq)
        bytes += data.length
        floor = seq + entries.length - 1
      }
      if (floor === 0) return false
      removeBatches.run(account, floor)
      setFloor.run(floor, bytes, account)
      return true
    },
  }
}
