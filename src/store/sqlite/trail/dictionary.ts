// The dictionary of the trail: numbers for leads, batches and texts that many changes share.
import type { Database } from "bun:sqlite"
import type { BatchRef } from "../../contract/changes.ts"
import { packId } from "../../tables/trail/ids.ts"
import { prepare } from "../connection/database.ts"

/** The numbers of an account's leads, texts and batches. Those of texts are remembered: make one for a transaction. */
export function trailNumbers(db: Database) {
  const findLead = prepare<{ key: number }>(
    db,
    "SELECT key FROM trail_leads WHERE account_id = ? AND lead_id = ?",
  )
  const insertLead = prepare(db, "INSERT OR IGNORE INTO trail_leads (account_id, lead_id) VALUES (?, ?)")
  const findName = prepare<{ key: number }>(
    db,
    "SELECT key FROM trail_names WHERE account_id = ? AND name = ?",
  )
  const insertName = prepare(db, "INSERT INTO trail_names (account_id, name) VALUES (?, ?)")
  const findBatch = prepare<{ key: number }>(
    db,
    "SELECT key FROM trail_batches WHERE account_id = ? AND id = ?",
  )
  const insertBatch = prepare(
    db,
    "INSERT INTO trail_batches (account_id, id, import_id, first, last) VALUES (?, ?, ?, ?, ?)",
  )
  const stretch = prepare(db, "UPDATE trail_batches SET last = ? WHERE account_id = ? AND key = ?")

  return (account: number) => {
    const names = new Map<string, number>()
    const batches = new Map<string, { key: number; last: number }>()
    const nameOf = (name: string) =>
      findName.get(account, name)?.key ?? Number(insertName.run(account, name).lastInsertRowid)

    function batchOf({ id, import_id }: BatchRef, seq: number) {
      const packed = packId(id, "")
      const key =
        findBatch.get(account, packed)?.key ??
        Number(insertBatch.run(account, packed, import_id ?? null, seq, seq).lastInsertRowid)
      return { key, last: seq }
    }

    return {
      /** `isNew` of one that most likely has no number yet: a created lead. */
      lead(id: string, isNew = false): number {
        const packed = packId(id, "cl_")
        const row = isNew ? null : findLead.get(account, packed)
        if (row) return row.key
        const { changes, lastInsertRowid } = insertLead.run(account, packed)
        return changes > 0 ? Number(lastInsertRowid) : findLead.get(account, packed)!.key
      },
      name: (name: string): number => names.getOrInsertComputed(name, () => nameOf(name)),
      /** The batch of a change at this place. */
      batch(ref: BatchRef, seq: number): number {
        const batch = batches.getOrInsertComputed(ref.id, () => batchOf(ref, seq))
        batch.last = seq
        return batch.key
      },
      /** Writes up to which places the batches go. */
      close(): void {
        for (const { key, last } of batches.values()) stretch.run(last, account, key)
      },
    }
  }
}
