import type { Context } from "../core/operation.ts"
import type { Transaction } from "../store/store.ts"

/** What a webhook can be told of (SPEC "Events"). */
export const EVENTS = [
  "lead.created",
  "lead.updated",
  "lead.deleted",
  "lead.scored",
  "note.created",
  "note.updated",
  "note.deleted",
  "leads.created",
  "leads.updated",
  "leads.deleted",
  "leads.scored",
] as const
export type EventName = (typeof EVENTS)[number]

/**
 * Puts an event into the outbox of the transaction under way, with a delivery for every subscribed webhook; its
 * bytes are frozen here. Nothing is kept when nobody listens. `data` is JSON text.
 */
export async function publish(ctx: Context, tx: Transaction, event: EventName, data: string): Promise<void> {
  const account = ctx.caller.account.key
  const listeners = await tx.webhooks.subscribed(account, event)
  if (listeners.length === 0) return
  const body = `{"event":"${event}","timestamp":${ctx.now},"data":${data}}`
  const row = { id: tx.newId("evt_"), event, body, created_at: ctx.now }
  const ids = listeners.map((webhook) => webhook.id)
  await tx.deliveries.publish(account, row, ids, ctx.clock.now())
}
