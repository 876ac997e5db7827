// Jobs: long work in slices. Each slice is a transaction that also saves the job's progress, so that a process that
// resumes the job, after a crash or elsewhere, repeats nothing and skips nothing.  A new kind is a `JobKind` object
// listed in JOB_KINDS (jobs/kinds.ts). A request starts one with `startJob` and answers 202.

import { fromTrailKey, trailKey } from "../access/rights.ts"
import type { Json } from "../lead/lead.ts"
import { AppError } from "../runtime/errors.ts"
import type { JobError, TakenJob, Transaction } from "../store/contract/store.ts"
import { JsonText } from "../text/json-text.ts"
import { inBatch } from "./batch.ts"
import type { Context } from "./operation.ts"

/** The result of a slice: the items done, the errors, and the state for the next slice. */
export interface SliceResult {
  done: number
  errors?: JobError[]
  progress: Json
  /** The total, once it is known. */
  of?: number
  isOver: boolean
}

export interface JobSlice {
  /** The context of the job's account and batch. */
  ctx: Context
  input: Json
  /** The state that the last slice left; null at first. */
  progress: Json
  /** True when the slice should end, after at least one item. Yields to other requests; call it after each item. */
  isEnough(): Promise<boolean>
  /** Runs the slice's writes, once, in the transaction that also saves their progress. Reads may come before. */
  commit(work: (tx: Transaction) => Promise<SliceResult>): Promise<void>
}

export interface JobKind {
  name: string
  /** Runs a slice of a few milliseconds. An error fails the job. */
  run(slice: JobSlice): Promise<void>
}

/** Newest jobs of an account of which the ended ones are kept. */
const KEPT_MAX = 500

/**
 * Starts a job in the current transaction. Returns its id. Throws `conflict` where the account's unfinished jobs have more to
 * work on than its plan stores.
 */
export async function startJob(
  ctx: Context,
  tx: Transaction,
  job: { kind: string; input: Json; of: number | null },
): Promise<string> {
  const { account, actorId, role } = ctx.caller
  const { batch } = inBatch(ctx)
  const id = tx.newId("job_")
  await tx.jobs.insert(account.key, {
    ...job,
    id,
    batch_id: batch.id,
    import_id: batch.import_id ?? null,
    key_id: trailKey(ctx.caller),
    actor_id: actorId,
    role,
    created_at: ctx.now,
  })
  await tx.jobs.keepNewest(account.key, KEPT_MAX)
  const { storage } = account.limits
  if (storage !== null && (await tx.jobs.inputBytes(account.key)) > storage)
    throw new AppError(
      "conflict",
      "The jobs that are under way would take more room than the plan stores: wait for one to end, or name fewer leads",
    )
  return id
}

/** The answer of work on many things: 202 where a job has begun it. */
export const workAnswer = (body: Readonly<Record<string, unknown>>): JsonText =>
  new JsonText(JSON.stringify(body), body.job === undefined ? 200 : 202)

/** What a slice tells of work that goes on elsewhere and is so far: no less than it told before. */
export function reported(progress: Json, behind: number, of: number, isOver: boolean): SliceResult {
  const told = Number(progress ?? 0)
  const now = Math.max(told, behind)
  return { done: now - told, progress: now, of: Math.max(of, now), isOver }
}

/** The context of a slice. Undefined when the account was deleted. */
export async function jobContext(
  services: Omit<Context, "caller" | "now">,
  job: TakenJob,
): Promise<Context | undefined> {
  const account = await services.store.read.accounts.find(job.account_id)
  if (!account) return undefined
  return {
    ...services,
    now: Math.floor(services.clock.now() / 1000),
    caller: { account, ...fromTrailKey(job.key_id), actorId: job.actor_id, role: job.role },
    ...(job.batch_id !== null && { batch: { id: job.batch_id, import_id: job.import_id ?? undefined } }),
  }
}
