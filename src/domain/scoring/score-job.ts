// Scores all leads as a job that follows the worker thread.
import { JsonText } from "../../text/json-text.ts"
import { inBatch } from "../batch.ts"
import { type JobKind, startJob } from "../job-kind.ts"
import type { Context } from "../operation.ts"
import { scoreAll } from "./score-all.ts"

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
  return new JsonText(JSON.stringify(started), 202)
}

/** Progress is the number of leads announced; a resumed job starts over after that number. */
export const scoreJob: JobKind = {
  name: SCORE,
  async run({ ctx, progress, commit }) {
    const account = ctx.caller.account.key
    const told = Number(progress ?? 0)
    const run = await scoreAll(ctx, ctx.batch!.id)
    const scored = await Promise.race([run.result, Bun.sleep(LOOK_MS)])
    const of = scored?.count ?? (await ctx.store.read.accounts.countLeads(account))
    const done = scored?.count ?? Math.min(of, run.done)
    const behind = scored ? done : Math.max(told, done)
    await commit(async () => ({
      done: behind - told,
      progress: behind,
      of: Math.max(of, behind),
      isOver: scored !== undefined,
    }))
  },
}
