import * as v from "valibot"
import { described, named } from "../../lead/described.ts"
import { count } from "../../lead/fields.ts"
import { AppError, notFound } from "../../runtime/errors.ts"
import { JOB_STATES } from "../../store/contract/store.ts"
import { batchNamed } from "../changes/batches.ts"
import { MERGE_MANY } from "../duplicates/merge-many.ts"
import { type ExampleFields, JOB_ID, NOW } from "../examples.ts"
import { endEarly, IMPORT_KIND, runningImportOf } from "../imports/run/records.ts"
import { operation } from "../operation.ts"

const exampleJob: ExampleFields = {
  id: JOB_ID,
  kind: "revert",
  state: "running",
  done: 12_400,
  of: 48_210,
  failed: 0,
  errors: [],
  batch_id: "019aa6f8-33d0-7000-a1c5-0be64f2d7719",
  started_at: NOW,
  ended_at: null,
}

const time = v.nullable(count)

const JobOutput = named(
  "Job",
  v.strictObject({
    id: v.string(),
    kind: v.string(),
    state: v.picklist(JOB_STATES),
    done: count,
    of: v.nullable(count),
    failed: count,
    errors: v.array(v.strictObject({ lead_id: v.optional(v.string()), message: v.string() })),
    batch_id: v.nullable(v.string()),
    started_at: time,
    ended_at: time,
    merge_ids: v.optional(v.array(v.string())),
  }),
  {
    id: "`job_` and a UUID.",
    kind: "Kind of work.",
    state: "State of the job.",
    done: "Items processed.",
    of: "Items in all; null while unknown.",
    failed: "Number of items that failed.",
    "errors[].message": "Why.",
    errors: "Failed items with the reason, at most 1,000.",
    started_at: "Unix seconds; null while it waits.",
    ended_at: "Unix seconds; null until then.",
    merge_ids: "Of merges that have ended, the newest 50: for `POST /merges/{id}/undo`.",
  },
)

/** Unfinished jobs in a list; an account rarely has more than a few. */
const UNFINISHED_MAX = 20

export const listJobs = operation({
  name: "list_jobs",
  about: "Background work of the account that has not ended",
  tag: "Jobs",
  note: "Oldest first, at most 20 jobs. Besides jobs, the answer counts leads that have yet to be indexed for searches and compared for duplicates.",
  example: { answers: { 200: { jobs: [exampleJob], comparing: 120, indexing: 0 } } },
  access: "read",
  http: "GET /jobs",
  output: described(v.strictObject({ jobs: v.array(JobOutput), comparing: count, indexing: count }), {
    jobs: "Jobs that wait or run.",
    comparing: "Leads that have yet to be compared with the others.",
    indexing: "Leads that have yet to be indexed; searches find them all the same.",
  }),
  async run({ store, caller }) {
    const account = caller.account.key
    const jobs = await store.read.jobs.unfinished(account, UNFINISHED_MAX)
    const { waiting } = await store.read.duplicates.status(account, [])
    return { jobs, comparing: waiting, indexing: await store.read.leads.unindexed(account) }
  },
})

export const getJob = operation({
  name: "get_job",
  about: "How far a job is that a longer request began",
  tag: "Jobs",
  note: "A job continues after its request was answered, even after a crash or in another process. Jobs are kept for 30 days.",
  example: { answers: { 200: exampleJob } },
  access: "read",
  http: "GET /jobs/:id",
  tool: { set: "audit", words: { id: "Job id, from what started it" } },
  output: JobOutput,
  async run(ctx, { id }) {
    const job = await ctx.store.read.jobs.find(ctx.caller.account.key, id)
    if (!job) throw notFound("Job")
    if (job.kind !== MERGE_MANY || job.batch_id === null || job.ended_at === null) return job
    const { merge_ids = [] } = job.done > job.failed ? await batchNamed(ctx, job.batch_id) : {}
    return { ...job, merge_ids }
  },
})

export const stopJob = operation({
  name: "stop_job",
  about: "Stop a job; work already done is kept",
  tag: "Jobs",
  errors: ["conflict"],
  example: { answers: { 200: { ...exampleJob, state: "stopped", ended_at: NOW + 9 } } },
  access: "write",
  http: "POST /jobs/:id/stop",
  output: JobOutput,
  run: (ctx, { id }) => {
    const account = ctx.caller.account.key
    return ctx.store.write(account, async (tx) => {
      const stopped = await tx.jobs.stop(account, id, ctx.now)
      const job = await tx.jobs.find(account, id)
      if (!job) throw notFound("Job")
      if (!stopped) throw new AppError("conflict", `The job has ended already: it is ${job.state}`)
      const row = job.kind === IMPORT_KIND ? await runningImportOf(ctx, tx, id) : undefined
      if (row) await endEarly(ctx, tx, row, { error: `It was stopped after ${row.done} rows` })
      return job
    })
  },
})
