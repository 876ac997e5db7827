// Scoring runs over all leads of an account, on the worker thread. Requests for the same rules join the run in
// progress.
import { AppError } from "../../runtime/errors.ts"
import type { JsonText } from "../../text/json-text.ts"
import { inBatch } from "../batch.ts"
import { publish, publishTransitions } from "../events.ts"
import { type JobKind, reported, startJob, workAnswer } from "../job-kind.ts"
import type { Context, ScoredLeads } from "../operation.ts"
import { perStore } from "../rule-sets.ts"

/** Leads in one `leads.scored` event at most. */
const EVENT_MAX = 10_000
/** Milliseconds for which a run continues after its last job polled it. */
const LEFT_MS = 5_000

/** A scoring run over an account's leads. */
interface ScoringRun {
  /** The revision of the rules at the start. */
  readonly revision: number
  readonly result: Promise<{ count: number; changed: number }>
  /** Leads scored so far. */
  done: number
  state: "running" | "done" | "failed"
  /** True while a request waits for the run. */
  isAwaited: boolean
  /** The jobs that follow the run, and the time of the last poll by the monotonic clock. */
  readonly jobs: Set<string>
  lookedAt: number
}

/** The last run by store and account. */
const last = new WeakMap<object, Map<number, ScoringRun>>()

/**
 * Scores all leads and announces each one in `leads.scored` events, or joins the run with the same rules. A job finds
 * its run by its id, also when the run has finished. A run that only jobs follow ends after five seconds without a
 * poll: the jobs were stopped, or moved to another process.
 */
export async function scoreAll(ctx: Context, job?: string): Promise<ScoringRun> {
  const account = ctx.caller.account.key
  const runs = perStore(last, ctx)
  const revision = await ctx.store.read.rules.revision(account)
  // No await until the run is registered, so that a second request at the same time finds it.
  const running = runs.get(account)
  const run = running && isFor(running, revision, job) ? running : begin(ctx, revision, running)
  runs.set(account, run)
  if (job !== undefined) run.jobs.add(job)
  run.lookedAt = ctx.clock.monotonic()
  return run
}

function isFor({ state, jobs, revision }: ScoringRun, wanted: number, job: string | undefined): boolean {
  if (job !== undefined && jobs.has(job) && state !== "failed") return true
  return state === "running" && revision === wanted
}

/** A run with older rules ends first: it would overwrite the newer scores. */
function begin(ctx: Context, revision: number, before: ScoringRun | undefined): ScoringRun {
  const after = before?.result.catch(() => undefined) ?? Promise.resolve()
  const run: ScoringRun = {
    revision,
    done: 0,
    state: "running",
    isAwaited: false,
    jobs: new Set(),
    lookedAt: ctx.clock.monotonic(),
    result: after.then(() => work(ctx, () => run)),
  }
  const end = (state: ScoringRun["state"]) => () => {
    run.state = state
  }
  run.result.then(end("done"), end("failed"))
  return run
}

async function work(ctx: Context, current: () => ScoringRun): Promise<{ count: number; changed: number }> {
  const account = ctx.caller.account.key
  const listeners = await ctx.store.read.webhooks.subscribed(account, "leads.scored")
  const tell = ({ json, count }: ScoredLeads) =>
    ctx.store.write(account, (tx) => publish(ctx, tx, "leads.scored", `{"leads":${json},"count":${count}}`))
  const progress = (count: number) => {
    const run = current()
    run.done = count
    if (!run.isAwaited && ctx.clock.monotonic() - run.lookedAt > LEFT_MS) throw abandoned()
  }
  const tellMax = listeners.length > 0 ? EVENT_MAX : 0
  const scored = await ctx.scoring.score({ account, now: ctx.now, tellMax }, tell, progress)
  if (tellMax > 0 && scored.count === 0) await tell({ json: "[]", count: 0 })
  while (!(await ctx.store.write(account, (tx) => publishTransitions(ctx, tx)))) {}
  return scored
}

function abandoned(): AppError {
  return new AppError("unavailable", "The run was left by those who had asked for it; try again in a moment")
}

// Scores all leads as a job that follows the worker thread.

const SCORE = "score_leads"
/** Milliseconds between two looks at the run's progress. */
const LOOK_MS = 200

/** Answers 202 with the job. */
export async function startScoring(ctx: Context): Promise<JsonText> {
  const account = ctx.caller.account.key
  const started = await ctx.store.write(account, async (tx) => {
    const of = await tx.accounts.countLeads(account)
    return { job: await startJob(inBatch(ctx), tx, { kind: SCORE, input: {}, of }), of }
  })
  return workAnswer(started)
}

/** Progress is the number of leads announced; a resumed job starts over after that number. */
export const scoreJob: JobKind = {
  name: SCORE,
  async run({ ctx, progress, commit }) {
    const account = ctx.caller.account.key
    const run = await scoreAll(ctx, ctx.batch!.id)
    const scored = await Promise.race([run.result, Bun.sleep(LOOK_MS)])
    const of = scored?.count ?? (await ctx.store.read.accounts.countLeads(account))
    const behind = scored?.count ?? Math.min(of, run.done)
    await commit(async () => reported(progress, behind, of, scored !== undefined))
  },
}
