import type { OutboxWrites } from "../contract/store.ts"
import type { WriteDb } from "../sql/db.ts"
import type { Dialect } from "../sql/dialect.ts"

interface Row {
  rid: number
  event_rid: number
}

/** A delivery that was never tried has no turn, and is not even read. */
const TRIED = `SELECT rid, event_rid, turn, status, updated_at AS at FROM deliveries
  WHERE turn IS NOT NULL AND turn > $1 ORDER BY turn LIMIT $2`
const ofRemoved = ({ loopJoin, isTrue }: Dialect) =>
  `SELECT v.rid, v.event_rid FROM webhooks w ${loopJoin} deliveries v ON v.webhook_rid = w.rid
   WHERE ${isTrue("w.removed")} LIMIT $1`
const DELETE_DELIVERIES = "DELETE FROM deliveries WHERE rid = ANY ($1::bigint[])"
const DELETE_EVENTS = `DELETE FROM events WHERE rid = ANY ($1::bigint[])
  AND NOT EXISTS (SELECT 1 FROM deliveries v WHERE v.event_rid = events.rid)`
const deleteWebhooks = ({ isTrue }: Dialect) =>
  `DELETE FROM webhooks WHERE ${isTrue("removed")}
     AND NOT EXISTS (SELECT 1 FROM deliveries v WHERE v.webhook_rid = webhooks.rid)`

/** Deletes what is over and old, or of webhooks that were removed, a little at a time. */
export function outboxPruning(db: WriteDb): Pick<OutboxWrites, "prune" | "pruneRemoved"> {
  const OF_REMOVED = ofRemoved(db.dialect)
  const DELETE_WEBHOOKS = deleteWebhooks(db.dialect)

  function remove(deliveries: readonly Row[]): void {
    if (deliveries.length === 0) return
    db.later(DELETE_DELIVERIES, [deliveries.map(({ rid }) => rid)])
    db.later(DELETE_EVENTS, [deliveries.map(({ event_rid }) => event_rid)])
  }

  return {
    async prune({ before, after, limit }) {
      const page = await db.all<Row & { turn: number; status: string; at: number }>(TRIED, [after, limit])
      const over = page.filter(({ status }) => status !== "pending")
      const old = over.filter(({ at }) => at < before)
      remove(old)
      // Later turns ended later: the first that is young ends the search.
      return page.length < limit || old.length < over.length ? undefined : page.at(-1)!.turn
    },
    async pruneRemoved(limit) {
      const rows = await db.all<Row>(OF_REMOVED, [limit])
      remove(rows)
      return (await db.run(DELETE_WEBHOOKS)) > 0 || rows.length > 0
    },
  }
}
