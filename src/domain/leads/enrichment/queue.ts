// Tells webhooks of leads that are to be enriched.

import type { Segment } from "../../../store/contract/store.ts"
import { publish } from "../../events.ts"
import { type Context, ownContext, type Services } from "../../operation.ts"
import { idsOf } from "../list/whole.ts"

/** Leads that are queued, and told of, in one transaction. */
const QUEUED_AT_ONCE = 500
const TOLD_AT_ONCE = 50
const ACTOR = "enrichment"
const EVENT = "lead.needs_enrichment"

/**
 * Sends `lead.needs_enrichment` for the leads of segments with `enrich`, once for each lead whatever segments it is in.
 * While no webhook takes the event they wait. Work that was cut off goes on with the next call.
 */
export async function tellWhatNeedsEnrichment(services: Services): Promise<void> {
  const { store, eventLoop } = services
  for (const account of await store.read.accounts.list()) {
    const ctx = ownContext(services, account, ACTOR)
    for (const segment of await store.read.segments.list(account.key))
      if (segment.enrich === 1) await queueAll(ctx, segment)
    await tellQueued(ctx)
    await eventLoop.yield()
  }
}

/** Queues the leads that are in a segment now; those that enter later are queued as they do. */
async function queueAll(ctx: Context, segment: Segment): Promise<void> {
  const account = ctx.caller.account.key
  const ids = await idsOf(ctx, { segment: segment.id })
  for (let at = 0; at < ids.length; at += QUEUED_AT_ONCE) {
    await ctx.store.write(account, (tx) => tx.enrichment.queue(account, ids.slice(at, at + QUEUED_AT_ONCE)))
    await ctx.eventLoop.yield()
  }
  await ctx.store.write(account, (tx) => tx.segments.setEnriched(account, segment))
}

async function tellQueued(ctx: Context): Promise<void> {
  const account = ctx.caller.account.key
  const { read } = ctx.store
  for (let taken = TOLD_AT_ONCE; taken === TOLD_AT_ONCE; ) {
    const ids = await read.enrichment.queued(account, TOLD_AT_ONCE)
    taken = ids.length
    if (taken === 0 || (await read.webhooks.subscribed(account, EVENT)).length === 0) return
    await ctx.store.write(account, async (tx) => {
      for (const id of ids) {
        if (!(await tx.enrichment.take(account, id, ctx.now))) continue
        const lead = await tx.leads.find(account, id)
        if (lead) await publish(ctx, tx, EVENT, lead.json())
      }
    })
    await ctx.eventLoop.yield()
  }
}
