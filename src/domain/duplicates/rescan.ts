// Comparing all leads again, as a job that follows what the second thread does.

import * as v from "valibot"
import { JsonText } from "../../core/json-text.ts"
import { JOB_ID } from "../examples.ts"
import { type JobKind, startJob } from "../jobs/kind.ts"
import { operation } from "../operation.ts"

const RESCAN = "rescan_duplicates"
/** How often it is looked how far it is. */
const LOOK_MS = 200

export const rescanDuplicates = operation({
  name: "rescan_duplicates",
  about: "Compare all leads with each other again, as a job",
  tag: "Duplicates",
  note: "Leads are compared anyway when they are pushed or changed; this is for all of them at once. Dismissed pairs stay dismissed.",
  says: { 202: "A job does it." },
  example: { answers: { 202: { job: JOB_ID } } },
  access: "write",
  http: "POST /duplicates/rescan",
  toolset: "duplicates",
  input: v.strictObject({}),
  output: v.strictObject({ job: v.string() }),
  status: 202,
  async run(ctx) {
    const account = ctx.caller.account.key
    const job = await ctx.store.write(account, async (tx) => {
      await tx.duplicates.startPass(account)
      const of = await tx.accounts.countLeads(account)
      return startJob(ctx, tx, { kind: RESCAN, input: {}, of })
    })
    return new JsonText(JSON.stringify({ job }), 202)
  },
})

/** Its progress is how many leads it has told of. */
export const rescanJob: JobKind = {
  name: RESCAN,
  async run({ ctx, progress, commit }) {
    const account = ctx.caller.account.key
    const told = Number(progress ?? 0)
    // Nothing to do here but to look now and then: another thread works.
    if (progress !== null) await Bun.sleep(LOOK_MS)
    const { pass } = await ctx.store.read.duplicates.status(account, [])
    const of = await ctx.store.read.accounts.countLeads(account)
    const behind = pass ? Math.max(told, pass.kind === "compare" ? of - pass.left : 0) : Math.max(told, of)
    await commit(async () => ({
      done: behind - told,
      progress: behind,
      of: Math.max(of, behind),
      isOver: pass === undefined,
    }))
  },
}
