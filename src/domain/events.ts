import type { PushTransaction } from "../store/contract/store.ts"
import type { Context } from "./operation.ts"

/** The events that a webhook can subscribe to. */
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
  "segment.entered",
  "segment.left",
  "lead.due",
  "form.confirmation_requested",
  "lead.needs_enrichment",
] as const
export type EventName = (typeof EVENTS)[number]

/** The test event: sent on request to one webhook, whatever it subscribes to. */
export const TEST_EVENT = "webhook.test"

/**
 * Writes an event to the outbox in the current transaction, with a delivery for each subscribed webhook and its final
 * bytes. Stores nothing without subscribers. `data` is JSON text, or makes it where somebody listens. The segment events of leads changed since the last
 * event follow it.
 */
export async function publish(
  ctx: Context,
  tx: PushTransaction,
  event: EventName,
  data: string | (() => string),
): Promise<void> {
  await publishOne(ctx, tx, event, data)
  await publishTransitions(ctx, tx)
}

async function publishOne(
  ctx: Context,
  tx: PushTransaction,
  event: EventName,
  data: string | (() => string),
): Promise<void> {
  const listeners = await tx.webhooks.subscribed(ctx.caller.account.key, event)
  if (listeners.length === 0) return
  const ids = listeners.map((webhook) => webhook.id)
  await publishTo(ctx, tx, ids, event, typeof data === "string" ? data : data())
}

/** Segment events that are written at once: a millisecond or two. */
const TRANSITIONS_MAX = 10_000

/**
 * Writes one event for each segment and direction; a single lead's event holds the lead. False when there may be
 * more.
 */
export async function publishTransitions(ctx: Context, tx: PushTransaction): Promise<boolean> {
  const account = ctx.caller.account.key
  if ((await tx.segments.watchRevision(account)) === 0) return true
  const transitions = await tx.segments.takeTransitions(account, TRANSITIONS_MAX)
  for (const [segmentId, moves] of Map.groupBy(transitions, ({ segment }) => segment)) {
    const segment = await tx.segments.find(account, segmentId)
    if (!segment) continue
    const { id, name } = segment
    for (const entered of [true, false]) {
      const ids = moves.flatMap((transition) => (transition.entered === entered ? transition.lead : []))
      if (ids.length === 0) continue
      const lead = ids.length === 1 ? await tx.leads.find(account, ids[0]!) : undefined
      const told = JSON.stringify({ segment: { id, name }, ids, count: ids.length })
      const data = lead ? `${told.slice(0, -1)},"lead":${lead.json()}}` : told
      await publishOne(ctx, tx, entered ? "segment.entered" : "segment.left", data)
      if (entered && segment.enrich > 0) await tx.enrichment.queue(account, ids)
    }
  }
  return transitions.length < TRANSITIONS_MAX
}

/** Like `publish`, to these webhooks. Returns the ids of the deliveries. */
export async function publishTo(
  ctx: Context,
  tx: PushTransaction,
  webhookIds: readonly string[],
  event: EventName | typeof TEST_EVENT,
  data: string,
): Promise<string[]> {
  const body = `{"event":"${event}","timestamp":${ctx.now},"data":${data}}`
  const row = { id: tx.newId("evt_"), event, body, created_at: ctx.now }
  return tx.deliveries.publish(ctx.caller.account.key, row, webhookIds, ctx.clock.now())
}
