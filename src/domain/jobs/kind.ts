// How long work is done: in slices, each in a transaction of its own that also says how far the job is, so that whoever
// goes on with it, after a crash or in another process, does nothing twice and leaves nothing out.
//
// A new kind is an object of `JobKind`, named in JOB_KINDS (kinds.ts). A request begins one with `startJob` and answers 202.

import type { Json } from "../../core/lead.ts"
import type { JobError, TakenJob, Transaction } from "../../store/contract/store.ts"
import { inBatch } from "../changes/batch.ts"
import type { Context } from "../operation.ts"

/** What a slice did: how much it adds to `done`, what failed, and what the next one has to know. */
export interface SliceResult {
  done: number
  errors?: JobError[]
  progress: Json
  /** How much there is in all, once it is known. */
  of?: number
  isOver: boolean
}

export interface JobSlice {
  /** In the job's batch, for whom the job works. */
  ctx: Context
  input: Json
  /** What the last slice left; null at first. */
  progress: Json
  /**
   * True when the slice should come to its end; each must do something all the same. Others have their turns while it is
   * awaited: to be asked after each thing done.
   */
  isEnough(): Promise<boolean>
  /** Does the slice's work, once, in the transaction that keeps what it says. Reads may come before. */
  commit(work: (tx: Transaction) => Promise<SliceResult>): Promise<void>
}

export interface JobKind {
  name: string
  /** One slice: a few milliseconds of work. What it throws ends the job as failed. */
  run(slice: JobSlice): Promise<void>
}

/** Begins a job in the transaction under way. Returns its id. */
export async function startJob(
  ctx: Context,
  tx: Transaction,
  job: { kind: string; input: Json; of: number | null },
): Promise<string> {
  const { account, keyId, actorId, role } = ctx.caller
  const { batch } = inBatch(ctx)
  const id = tx.newId("job_")
  await tx.jobs.insert(account.key, {
    ...job,
    id,
    batch_id: batch.id,
    import_id: batch.import_id ?? null,
    key_id: keyId,
    actor_id: actorId,
    role,
    created_at: ctx.now,
  })
  return id
}

/** The context that a slice works in. Undefined when the account is gone. */
export async function contextOf(
  services: Omit<Context, "caller" | "now">,
  job: TakenJob,
): Promise<Context | undefined> {
  const account = await services.store.read.accounts.find(job.account_id)
  if (!account) return undefined
  return {
    ...services,
    now: Math.floor(services.clock.now() / 1000),
    caller: { account, keyId: job.key_id, actorId: job.actor_id, role: job.role },
    ...(job.batch_id !== null && { batch: { id: job.batch_id, import_id: job.import_id ?? undefined } }),
  }
}
