import type { OutboxWrites } from "../../contract/store.ts"
import type { Tx } from "../writes/transaction.ts"

interface Tried {
  rid: number
  event_rid: number
  turn: number
  status: string
  at: number
}

/** Clears away what nobody will ask for again, a little at a time. */
export function outboxPruning(tx: Tx): Pick<OutboxWrites, "prune" | "pruneRemoved"> {
  function remove(deliveries: readonly { rid: number; event_rid: number }[]): void {
    if (deliveries.length === 0) return
    tx.later("DELETE FROM deliveries WHERE rid = ANY ($1::bigint[])", [deliveries.map(({ rid }) => rid)])
    tx.later(
      `DELETE FROM events e WHERE rid = ANY ($1::bigint[])
         AND NOT EXISTS (SELECT 1 FROM deliveries v WHERE v.event_rid = e.rid)`,
      [deliveries.map(({ event_rid }) => event_rid)],
    )
  }
  return {
    async prune({ before, after, limit }) {
      const page = await tx.all<Tried>(
        `SELECT rid, event_rid, turn, status, updated_at AS at FROM deliveries
         WHERE turn IS NOT NULL AND turn > $1 ORDER BY turn LIMIT $2`,
        [after, limit],
      )
      const over = page.filter(({ status }) => status !== "pending")
      const old = over.filter(({ at }) => at < before)
      remove(old)
      // Later turns ended later: the first that is young ends the search.
      return page.length < limit || old.length < over.length ? undefined : page.at(-1)!.turn
    },
    async pruneRemoved(limit) {
      const gone = await tx.all<{ rid: number; event_rid: number }>(
        `SELECT v.rid, v.event_rid FROM webhooks w JOIN deliveries v ON v.webhook_rid = w.rid
         WHERE w.removed ORDER BY v.rid LIMIT $1`,
        [limit],
      )
      remove(gone)
      const webhooks = await tx.run(
        `DELETE FROM webhooks w WHERE removed AND NOT EXISTS (SELECT 1 FROM deliveries v WHERE v.webhook_rid = w.rid)`,
      )
      return webhooks > 0 || gone.length > 0
    },
  }
}
