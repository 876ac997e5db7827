import type { Database } from "bun:sqlite"
import type { DeliveryWrites } from "../../contract/store.ts"
import { prepare } from "../connection/database.ts"

/** `nowDue` is told which webhooks have deliveries that are due. */
export function publishing(
  db: Database,
  newId: (prefix?: string) => string,
  nowDue: (webhook: number) => void,
): DeliveryWrites["publish"] {
  // Without RETURNING, which makes either insert take twice as long.
  const insertEvent = prepare(
    db,
    "INSERT INTO events (account_id, id, event, body, created_at) VALUES (?, ?, ?, ?, ?)",
  )
  const webhook = prepare<{ rid: number }>(db, "SELECT rid FROM webhooks WHERE account_id = ? AND id = ?")
  const insertDelivery = prepare(
    db,
    `INSERT INTO deliveries (account_id, id, webhook_rid, event_rid, status, due_at, created_at, updated_at)
     VALUES (?, ?, ?, ?, 'pending', ?, ?, ?)`,
  )
  return async (account, { id, event, body, created_at }, webhookIds, at) => {
    const eventRid = Number(insertEvent.run(account, id, event, body, created_at).lastInsertRowid)
    return webhookIds.map((webhookId) => {
      const delivery = newId("dlv_")
      const row = webhook.get(account, webhookId)
      if (row) {
        insertDelivery.run(account, delivery, row.rid, eventRid, at, created_at, created_at)
        nowDue(row.rid)
      }
      return delivery
    })
  }
}
