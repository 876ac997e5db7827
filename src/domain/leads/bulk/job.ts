// Bulk work as a job, in slices.

import type { JobError, Transaction } from "../../../store/contract/store.ts"
import { outcomeOfWrite } from "../../batch.ts"
import { type EventName, publish } from "../../events.ts"
import type { JobKind } from "../../job-kind.ts"
import { type Context, calendarOf } from "../../operation.ts"
import { type Act, actOf, type BulkWorkName, EVENT_OF } from "./actions.ts"
import { announce, mayEnd, readAhead } from "./batch.ts"

export const BULK = "bulk"

/** A changed lead that an event announces. */
interface Told {
  id: string
  score?: number
}

/** The input of the job. */
export interface BulkWork {
  action: BulkWorkName
  data?: unknown
  ids: string[]
  /** When it was asked for, in Unix seconds: what relative dates are read by. */
  asked_at?: number
}

/** The progress of the job. */
export interface BulkProgress {
  next: number
  /** Changed leads that no event has announced yet. */
  untold: Told[]
}

/**
 * Leads in one event of a job at most. Each slice saves those that are not announced yet, so that a job that another
 * process resumes announces each lead once.
 */
const EVENT_MAX = 1_000

/**
 * Works until `isEnough`, on at least one lead. Publishes an event when all is done, and for each full event before.
 */
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
    const before = (progress ?? { next: 0, untold: [] }) as unknown as BulkProgress
    const calendar = { ...calendarOf(ctx), now: work.asked_at ?? ctx.now }
    const act = actOf(work.action, work.data, calendar, before.next)
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
