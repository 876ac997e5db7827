import type { Database } from "bun:sqlite"
import type { OutboxWrites } from "../../contract/store.ts"
import { prepare } from "../file/database.ts"

/** Clears away what nobody will ask for again, a little at a time. */
export function outboxPruning(db: Database): Pick<OutboxWrites, "prune" | "pruneRemoved"> {
  // What was never tried has no turn, and is not even looked at.
  const tried = prepare<{ rid: number; event_rid: number; turn: number; status: string; at: number }>(
    db,
    `SELECT rid, event_rid, turn, status, updated_at AS at FROM deliveries
     WHERE turn IS NOT NULL AND turn > ?1 ORDER BY turn LIMIT ?2`,
  )
  const ofRemoved = prepare<{ rid: number; event_rid: number }>(
    db,
    `SELECT v.rid, v.event_rid FROM webhooks w CROSS JOIN deliveries v ON v.webhook_rid = w.rid
     WHERE w.removed = 1 LIMIT ?`,
  )
  const deleteDelivery = prepare(db, "DELETE FROM deliveries WHERE rid = ?")
  const deleteEvent = prepare(
    db,
    "DELETE FROM events WHERE rid = ?1 AND NOT EXISTS (SELECT 1 FROM deliveries WHERE event_rid = ?1)",
  )
  const deleteWebhooks = prepare(
    db,
    `DELETE FROM webhooks WHERE removed = 1
       AND NOT EXISTS (SELECT 1 FROM deliveries WHERE webhook_rid = webhooks.rid)`,
  )
  function remove(deliveries: readonly { rid: number; event_rid: number }[]): void {
    for (const { rid } of deliveries) deleteDelivery.run(rid)
    for (const { event_rid } of deliveries) deleteEvent.run(event_rid)
  }
  return {
    async prune({ before, after, limit }) {
      const page = tried.all(after, limit)
      const over = page.filter(({ status }) => status !== "pending")
      const old = over.filter(({ at }) => at < before)
      remove(old)
      // Later turns ended later: the first that is young ends the search.
      return page.length < limit || old.length < over.length ? undefined : page.at(-1)!.turn
    },
    async pruneRemoved(limit) {
      const gone = ofRemoved.all(limit)
      remove(gone)
      return deleteWebhooks.run().changes > 0 || gone.length > 0
    },
  }
}
