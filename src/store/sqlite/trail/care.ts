import type { Database } from "bun:sqlite"
import { CHANGE_ACTIONS, type ChangeWrites, type TrailCare } from "../../contract/changes.ts"
import { STEP, textsOf, trailCareOn } from "../../tables/trail/care.ts"
import { textsLeft } from "../../tables/trail/change-facts.ts"
import { prepare, sqliteDb } from "../connection/database.ts"
import type { PendingWrites } from "../queue/transaction.ts"
import { packId, ROW_BYTES, unpackText } from "./trail-rows.ts"

const BYTES = `${ROW_BYTES} + coalesce(octet_length(facts), 0)`

interface Old {
  seq: number
  at: number
  bytes: number
  lead: number
  action: number
}

export function trailCare(db: Database): TrailCare {
  const removeStates = prepare(db, "DELETE FROM trail_states WHERE account_id = ? AND lead = ? AND seq <= ?")
  const removeLead = prepare(
    db,
    `DELETE FROM trail_leads WHERE account_id = ?1 AND key = ?2
     AND NOT EXISTS (SELECT 1 FROM trail t WHERE t.account_id = ?1 AND t.lead = ?2)`,
  )
  const removeBatches = prepare(db, "DELETE FROM trail_batches WHERE account_id = ? AND last <= ?")
  const setFloor = prepare(
    db,
    "UPDATE accounts SET trail_floor = max(trail_floor, ?), stored_bytes = max(stored_bytes - ?, 0) WHERE key = ?",
  )
  const deleted = CHANGE_ACTIONS.indexOf("deleted")
  const columns = `lead, action, ${BYTES} AS bytes`
  return trailCareOn<Old>(sqliteDb(db), columns, async (account, old, floor, bytes) => {
    for (const lead of new Set(old.map((one) => one.lead))) removeStates.run(account, lead, floor)
    for (const { lead, action } of old) if (action === deleted) removeLead.run(account, lead)
    removeBatches.run(account, floor)
    setFloor.run(floor, bytes, account)
  })
}

interface Range {
  from: number
  to: number
}
const ALL: Range = { from: 0, to: Number.MAX_SAFE_INTEGER }

/**
 * Takes out of a lead's changes what they say of it. That they were made stays: when, by whom, and what kind of change
 * each was. `erased` takes the texts that went.
 */
export function trailErasing(
  db: Database,
  pending: PendingWrites,
  erased: (account: number, texts: readonly string[]) => void,
): Pick<ChangeWrites, "erase"> {
  const find = prepare<{ key: number }>(
    db,
    "SELECT key FROM trail_leads WHERE account_id = ? AND lead_id = ?",
  )
  const states = prepare<{ state: Uint8Array; notes: Uint8Array | null }>(
    db,
    "SELECT state, notes FROM trail_states WHERE account_id = ? AND lead = ? AND seq BETWEEN ? AND ?",
  )
  const removeStates = prepare(
    db,
    "DELETE FROM trail_states WHERE account_id = ? AND lead = ? AND seq BETWEEN ? AND ?",
  )
  const telling = prepare<{ seq: number; facts: Uint8Array | string | null; bytes: number }>(
    db,
    `SELECT seq, facts, coalesce(octet_length(facts), 0) AS bytes FROM trail INDEXED BY trail_lead WHERE account_id = ? AND lead = ? AND seq BETWEEN ? AND ?
     AND (facts IS NOT NULL OR score IS NOT NULL) ORDER BY seq LIMIT ${STEP}`,
  )
  const blank = prepare(
    db,
    `UPDATE trail SET touched = NULL, moved = NULL, score = NULL, score_before = NULL, same = NULL, attributes = NULL,
       facts = NULL WHERE account_id = ? AND seq = ?`,
  )
  const freed = prepare(db, "UPDATE accounts SET stored_bytes = max(stored_bytes - ?, 0) WHERE key = ?")

  function eraseStates(account: number, lead: number, { from, to }: Range, texts: string[]): number {
    let bytes = 0
    for (const { state, notes } of states.iterate(account, lead, from, to)) {
      texts.push(...textsOf(JSON.parse(unpackText(state))))
      if (notes) texts.push(...textsLeft(JSON.parse(unpackText(notes))))
      bytes += state.length + (notes?.length ?? 0)
    }
    removeStates.run(account, lead, from, to)
    return bytes
  }

  return {
    async erase(account, leadId, range = ALL) {
      pending.flush()
      const lead = find.get(account, packId(leadId, "cl_"))?.key
      if (lead === undefined) return false
      const texts: string[] = []
      let bytes = eraseStates(account, lead, range, texts)
      const rows = telling.all(account, lead, range.from, range.to)
      for (const { seq, facts, bytes: size } of rows) {
        if (facts !== null) texts.push(...textsOf(JSON.parse(unpackText(facts))))
        blank.run(account, seq)
        bytes += size
      }
      freed.run(bytes, account)
      erased(account, texts)
      return rows.length === STEP
    },
  }
}
