// Side effects of a change of a lead, whatever its cause: its trail record, segment events, and its own event.

import type { LeadData } from "../../../lead/lead.ts"
import { trailKey } from "../../../lead/trail-key.ts"
import type { ChangeInsert, LeadState, PushTransaction } from "../../../store/contract/store.ts"
import { type EventName, publish } from "../../events.ts"
import type { Context } from "../../operation.ts"
import { queueSegmentEvents } from "../segments/transitions.ts"

/** The reason of an erasure's change. */
export const ERASED = "erased"

/** The cause of a change, as the trail records it. */
export type Cause = Pick<ChangeInsert, "action"> & Partial<Pick<ChangeInsert, "reason" | "pushed" | "left">>

/** A change of one lead, to be recorded in the transaction that writes it. */
export interface ChangeSet {
  id: string
  /** Null when the lead is created. */
  before: LeadState | null
  /** Null when it is deleted. */
  after: LeadState | null
  /** Null where nothing but the time of the last interaction differs: neither the trail nor `lead.updated` tells of it. */
  cause: Cause | null
  /** The lead as segments saw it last, where that is later than `before`. */
  seen?: LeadState
  /** False when the account is known to have no webhook for segments. */
  hasSegmentListeners?: boolean
}

/**
 * Adds a change to the trail in the caller's name, queues the events of segments that the lead enters and leaves, and
 * publishes its own, but in a batch, which sends one event for all, and for an erasure, which sends one without the lead.
 * `json` makes the lead's JSON text. Deleted leads were evaluated before removal.
 */
export async function recordChange(
  ctx: Context,
  tx: PushTransaction,
  change: ChangeSet,
  json: () => string,
): Promise<void> {
  const { id, before, after, cause, seen = before, hasSegmentListeners = true } = change
  if (after && hasSegmentListeners) await queueSegmentEvents(ctx, tx, id, seen, after)
  if (cause) await recordInTrail(ctx, tx, change, cause)
  if (ctx.batch || cause?.reason === ERASED) return
  const event: EventName = !before ? "lead.created" : after ? "lead.updated" : "lead.deleted"
  if (cause) await publish(ctx, tx, event, json)
  if (after && after.score !== (before?.score ?? 0)) await publish(ctx, tx, "lead.scored", json)
}

function recordInTrail(ctx: Context, tx: PushTransaction, { id, before, after }: ChangeSet, cause: Cause) {
  return tx.changes.record(ctx.caller.account.key, {
    before,
    after,
    reason: null,
    ...cause,
    lead_id: id,
    actor_id: ctx.caller.actorId,
    key_id: trailKey(ctx.caller),
    batch: ctx.batch,
    created_at: ctx.now,
  })
}

/** A row's state, with its data where that was read already. */
export function leadStateOf(
  row: { data(): LeadData } & Omit<LeadState, "data">,
  data: LeadData = row.data(),
): LeadState {
  return { data, score: row.score, activity: row.activity }
}
