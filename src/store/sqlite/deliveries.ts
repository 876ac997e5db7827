import type { Database } from "bun:sqlite"
import type { Delivery, DeliveryReads, DeliveryWrites } from "../store.ts"
import { prepare } from "./database.ts"

const SHOWN = `v.id, e.event, v.status, v.attempts, v.code, v.error, v.milliseconds, v.answer,
  CASE WHEN v.status = 'pending' THEN v.due_at / 1000 END AS next_attempt_at, v.created_at, v.updated_at`
const FROM = `FROM deliveries v JOIN events e ON e.rid = v.event_rid
  JOIN webhooks w ON w.rid = v.webhook_rid WHERE v.account_id = ?1 AND w.account_id = v.account_id AND w.id = ?2`

export function deliveryReads(db: Database): DeliveryReads {
  const one = prepare<Delivery>(db, `SELECT ${SHOWN} ${FROM} AND v.id = ?3`)
  const list = prepare<Delivery>(
    db,
    `SELECT ${SHOWN} ${FROM} AND (?3 IS NULL OR v.status = ?3)
       AND (?4 IS NULL OR v.rid < (SELECT rid FROM deliveries WHERE account_id = ?1 AND id = ?4))
     ORDER BY v.rid DESC LIMIT ?5`,
  )
  return {
    find: async (account, webhookId, id) => one.get(account, webhookId, id) ?? undefined,
    list: async (account, webhookId, { status, before, limit }) =>
      list.all(account, webhookId, status ?? null, before ?? null, limit),
  }
}

export function deliveryWrites(db: Database, newId: (prefix?: string) => string): DeliveryWrites {
  const insertEvent = prepare<{ rid: number }>(
    db,
    "INSERT INTO events (account_id, id, event, body, created_at) VALUES (?, ?, ?, ?, ?) RETURNING rid",
  )
  const insertDelivery = prepare(
    db,
    `INSERT INTO deliveries (account_id, id, webhook_rid, event_rid, status, due_at, created_at, updated_at)
     SELECT account_id, ?, rid, ?, 'pending', ?, ?, ? FROM webhooks WHERE account_id = ? AND id = ?`,
  )
  return {
    async publish(account, { id, event, body, created_at }, webhookIds, at) {
      const { rid } = insertEvent.get(account, id, event, body, created_at)!
      return webhookIds.map((webhookId) => {
        const delivery = newId("dlv_")
        insertDelivery.run(delivery, rid, at, created_at, created_at, account, webhookId)
        return delivery
      })
    },
  }
}
