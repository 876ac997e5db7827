import type { Database } from "bun:sqlite"
import type { OutboxWrites } from "../../store.ts"
import { prepare } from "../file/database.ts"

/** Clears away what nobody will ask for again, a little at a time. */
export function outboxPruning(db: Database): Pick<OutboxWrites, "prune"> {
  // The order of rids is that of creation, so the oldest are looked at without an index on the time. What still waits is
  // not over, however old it is: its webhook may be off, or the clock may have jumped.
  const old = prepare<{ rid: number; event_rid: number }>(
    db,
    `SELECT rid, event_rid FROM (
       SELECT rid, event_rid, created_at FROM deliveries WHERE status <> 'pending' ORDER BY rid LIMIT ?2
     )
     WHERE created_at < ?1`,
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
  return {
    async prune(before, limit) {
      const aged = old.all(before, limit)
      const gone = aged.length > 0 ? aged : ofRemoved.all(limit)
      for (const { rid } of gone) deleteDelivery.run(rid)
      for (const { event_rid } of gone) deleteEvent.run(event_rid)
      return deleteWebhooks.run().changes > 0 || gone.length > 0
    },
  }
}
