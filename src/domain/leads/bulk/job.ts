// Bulk work, some leads at a time.

import type { JobError, Transaction } from "../../../store/contract/store.ts"
import type { JobKind } from "../../jobs/kind.ts"
import type { Context } from "../../operation.ts"
import { outcomeOfWrite } from "../../outcome.ts"
import { type EventName, publish } from "../../webhooks/events.ts"
import { type Act, actOf, type BulkActionName, EVENT_OF } from "./actions.ts"
import { mayEnd, readAhead } from "./ahead.ts"
import { announce } from "./batch.ts"

export const BULK = "bulk"

/** A lead as an event tells of it. */
interface Told {
  id: string
  score?: number
}

/** What the work has to know. */
export interface BulkWork {
  action: BulkActionName
  data?: unknown
  ids: string[]
}

/** How far it has come. */
export interface BulkProgress {
  next: number
  /** Leads that no event has told of yet. */
  untold: Told[]
}

/**
 * Leads that one event of a job tells of at most: which they are is kept with each slice until they are told of, so that
 * a job that is taken over tells of each once.
 */
const EVENT_MAX = 1_000

/** Does the work until `isEnough`, at least on one lead; tells of what it did when all is done, or of very many. */
export async function workOn(
  ctx: Context,
  tx: Transaction,
  { action, ids }: BulkWork,
  act: Act,
  { next, untold }: BulkProgress,
  isEnough: () => boolean | Promise<boolean>,
): Promise<{ progress: BulkProgress; errors: (JobError & { lead_id: string })[]; isOver: boolean }> {
  const from = next
  const errors: (JobError & { lead_id: string })[] = []
  const done = [...untold]
  for (; next < ids.length; next++) {
    if (next > from && (done.length >= EVENT_MAX || (await mayEnd(tx, next - from, isEnough)))) break
    await readAhead(ctx, tx, next - from, (count) => ids.slice(next, next + count))
    const id = ids[next]!
    const outcome = await outcomeOfWrite(tx, () => act(ctx, tx, id))
    if ("error" in outcome) errors.push({ lead_id: id, message: outcome.error })
    else done.push(outcome.value)
  }
  const isOver = next >= ids.length
  const isTold = isOver || done.length >= EVENT_MAX
  if (isTold) await tell(ctx, tx, EVENT_OF[action], done)
  return { progress: { next, untold: isTold ? [] : done }, errors, isOver }
}

async function tell(
  ctx: Context,
  tx: Transaction,
  event: EventName | undefined,
  leads: readonly Told[],
): Promise<void> {
  if (event === undefined || leads.length === 0) return
  if (event === "leads.scored") await publish(ctx, tx, event, JSON.stringify({ leads, count: leads.length }))
  else await announce(ctx, tx, event, leads)
}

export const bulkJob: JobKind = {
  name: BULK,
  async run({ ctx, input, progress, isEnough, commit }) {
    const work = input as unknown as BulkWork
    const act = actOf(work.action, work.data)
    const before = (progress ?? { next: 0, untold: [] }) as unknown as BulkProgress
    await commit(async (tx) => {
      const slice = await workOn(ctx, tx, work, act, before, isEnough)
      return {
        done: slice.progress.next - before.next,
        errors: slice.errors,
        progress: slice.progress as never,
        isOver: slice.isOver,
      }
    })
  },
}
