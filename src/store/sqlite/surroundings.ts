// What the nouns' shared SQL asks of this engine: publishing, and what changes beside a lead, its notes and activities.
import type { Database } from "bun:sqlite"
import type { DeliveryWrites } from "../contract/store.ts"
import type { WriteDb } from "../sql/db.ts"
import { findLastContact, recountNotes } from "../tables/leads/activity.ts"
import type { Surroundings } from "../tables/surroundings.ts"
import { prepare } from "./connection/database.ts"
import type { LeadLog } from "./leads/projections.ts"
import type { PendingWrites } from "./queue/transaction.ts"

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

/** Marks the lead's words as changed, and counts its notes. Activities are among no lead's words. */
export function changedBeside(
  db: WriteDb,
  pending: PendingWrites,
  log: LeadLog,
): Pick<Surroundings, "notesChanged" | "activitiesChanged"> {
  return {
    async notesChanged(account, lead, isEdited) {
      log.changed(account, lead)
      if (isEdited) return
      pending.flushFor(lead)
      recountNotes(db, account, lead)
    },
    async activitiesChanged(account, lead) {
      pending.flushFor(lead)
      findLastContact(db, account, lead)
    },
  }
}
