import type { Context } from "../../core/operation.ts"
import type { Transaction } from "../../store/store.ts"

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
  "lead.merged",
  "lead.unmerged",
] as const
export type EventName = (typeof EVENTS)[number]

/** Sent only when somebody asks for it, to one webhook, whatever it subscribes to. */
export const TEST_EVENT = "webhook.test"

/**
 * Puts an event into the outbox of the transaction under way, with a delivery for every subscribed webhook; its
 * bytes are frozen here. Nothing is kept when nobody listens. `data` is JSON text.
 */
export async function publish(ctx: Context, tx: Transaction, event: EventName, data: string): Promise<void> {
  const listeners = await tx.webhooks.subscribed(ctx.caller.account.key, event)
  if (listeners.length === 0) return
  const ids = listeners.map((webhook) => webhook.id)
  await publishTo(ctx, tx, ids, event, data)
}

/** The same for these webhooks. Returns the ids of their deliveries. */
export async function publishTo(
  ctx: Context,
  tx: Transaction,
  webhookIds: readonly string[],
  event: EventName | typeof TEST_EVENT,
  data: string,
): Promise<string[]> {
  const body = `{"event":"${event}","timestamp":${ctx.now},"data":${data}}`
  const row = { id: tx.newId("evt_"), event, body, created_at: ctx.now }
  return tx.deliveries.publish(ctx.caller.account.key, row, webhookIds, ctx.clock.now())
}
