// Rescans all leads, as a job that follows the matcher on the second thread.

import * as v from "valibot"
import { described } from "../../lead/described.ts"
import { JsonText } from "../../text/json-text.ts"
import { JOB_ID } from "../examples.ts"
import { type JobKind, startJob } from "../job-kind.ts"
import { operation } from "../operation.ts"

const RESCAN = "rescan_duplicates"
/** Milliseconds between two looks at the matcher's progress. */
const LOOK_MS = 200

export const rescanDuplicates = operation({
  name: "rescan_duplicates",
  about: "Compare all leads with each other again, as a job",
  tag: "Duplicates",
  note: "Leads are compared whenever they are pushed or changed; this compares all of them again. Dismissed pairs stay dismissed.",
  says: { 202: "Accepted: a job does it." },
  example: { answers: { 202: { job: JOB_ID } } },
  access: "write",
  http: "POST /duplicates/rescan",
  tool: { set: "duplicates" },
  output: described(v.strictObject({ job: v.string() }), { job: "The job, for `GET /jobs/{id}`." }),
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

/** Progress is the number of leads reported so far. */
export const rescanJob: JobKind = {
  name: RESCAN,
  async run({ ctx, progress, commit }) {
    const account = ctx.caller.account.key
    const reported = Number(progress ?? 0)
    // The other thread does the work; this job only polls it.
    if (progress !== null) await Bun.sleep(LOOK_MS)
    const { pass } = await ctx.store.read.duplicates.status(account, [])
    const of = await ctx.store.read.accounts.countLeads(account)
    const behind = pass
      ? Math.max(reported, pass.kind === "compare" ? of - pass.left : 0)
      : Math.max(reported, of)
    await commit(async () => ({
      done: behind - reported,
      progress: behind,
      of: Math.max(of, behind),
      isOver: pass === undefined,
    }))
  },
}
