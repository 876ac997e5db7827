import * as v from "valibot"
import { described } from "../../lead/described.ts"
import { JOB_ID } from "../examples.ts"
import { type JobKind, reported, startJob, workAnswer } from "../job-kind.ts"
import { operation, type Services } from "../operation.ts"
import { StatusOutput } from "./output.ts"

/** Thresholds that pairs are counted by. */
const BOUNDS = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99]

export const getDuplicateStatus = operation({
  name: "get_duplicate_status",
  about: "How many leads have yet to be compared, and how many pairs are open",
  tag: "Duplicates",
  note: "`waiting` is 0 once all leads have been compared.",
  example: {
    answers: {
      200: {
        waiting: 0,
        open: 3,
        by_probability: [
          { from: 0.5, pairs: 1 },
          { from: 0.9, pairs: 2 },
        ],
      },
    },
  },
  access: "read",
  http: "GET /duplicates/status",
  tool: { set: "duplicates" },
  output: described(StatusOutput, {
    waiting: "Leads that have yet to be compared; 0 when all have been.",
    open: "Open pairs with a probability of 0.5 and more.",
    "by_probability[].from": "Lower bound.",
    "by_probability[].pairs": "How many.",
    by_probability: "Number of open pairs by probability.",
    "rescan.done": "Leads that are done.",
    "rescan.of": "All of them.",
    rescan: "While all leads are compared again.",
  }),
  async run(ctx): Promise<v.InferOutput<typeof StatusOutput>> {
    const account = ctx.caller.account.key
    const { waiting, open, byProbability, pass } = await ctx.store.read.duplicates.status(account, BOUNDS)
    const of = pass ? await ctx.store.read.accounts.countLeads(account) : 0
    const rescan = pass?.kind === "compare" && { done: Math.max(0, of - pass.left), of }
    return { waiting, open, by_probability: byProbability, ...(rescan && { rescan }) }
  },
})

const FROM_HALF = [0.5]

/** Counts leads that wait to be compared and open pairs, over all accounts; yields every few milliseconds. */
export async function duplicateCounts({ store, eventLoop }: Pick<Services, "store" | "eventLoop">) {
  const all = { waiting: 0, open: 0 }
  const yieldIfDue = eventLoop.yieldEvery()
  for (const { key, leads } of await store.read.accounts.list()) {
    if (leads === 0) continue
    const { waiting, open } = await store.read.duplicates.status(key, FROM_HALF)
    all.waiting += waiting
    all.open += open
    await yieldIfDue()
  }
  return all
}

// Rescans all leads, as a job that follows the matcher on the second thread.

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
    return workAnswer({ job })
  },
})

/** Progress is the number of leads reported so far. */
export const rescanJob: JobKind = {
  name: RESCAN,
  async run({ ctx, progress, commit }) {
    const account = ctx.caller.account.key
    // The other thread does the work; this job only polls it.
    if (progress !== null) await Bun.sleep(LOOK_MS)
    const { pass } = await ctx.store.read.duplicates.status(account, [])
    const of = await ctx.store.read.accounts.countLeads(account)
    const behind = pass ? (pass.kind === "compare" ? of - pass.left : 0) : of
    await commit(async () => reported(progress, behind, of, pass === undefined))
  },
}
