import * as v from "valibot"
import { described, wordsIn } from "../../lead/described.ts"
import { count, OptionalFlag, type Said, whole } from "../../lead/fields.ts"
import { dataOf, type Json } from "../../lead/lead.ts"
import { AppError } from "../../runtime/errors.ts"
import type { FullChange, JobError, Transaction } from "../../store/contract/store.ts"
import type { JsonText } from "../../text/json-text.ts"
import { inBatch } from "../batch.ts"
import { BATCH_ID, JOB_ID, OTHER_LEAD_ID } from "../examples.ts"
import { type JobKind, startJob, workAnswer } from "../job-kind.ts"
import { announce, mayEnd, readTrailsAhead } from "../leads/bulk/batch.ts"
import { changesBetween } from "../leads/write/lead-data.ts"
import { type Context, operation } from "../operation.ts"
import { BatchOutput, batchNamed } from "./batches.ts"
import { mergeSteps, refusalOfMerges, revertMerges } from "./of-merges.ts"
import { judge, type PutBack, putBack, type Revert, refusalOfNotes, type Verdict } from "./put-back.ts"
import {
  changeSelectionEntries,
  filterOf,
  filterToolWords,
  filterWords,
  type RevertPlan,
  type RevertSelection,
  type RevertTarget,
  revertPlan,
} from "./query.ts"

/** Leads that one request reverts itself; more are a job. */
const AT_ONCE = 250
/** Skipped leads that the answer lists. */
const SKIPPED_MAX = 1_000

/** Effect of a revert on a lead. */
const REVERT_ACTIONS = ["restore", "change", "delete"] as const
/** Leads that a dry run shows. */
const SAMPLE = 10

export const RevertOutput = v.strictObject({
  matched: count,
  reverted: v.optional(count),
  skipped: v.optional(v.array(v.strictObject({ lead_id: v.string(), message: v.string() }))),
  batch_id: v.optional(v.string()),
  dry_run: v.optional(v.literal(true)),
  kept: v.optional(count),
  sample: v.optional(
    v.array(
      v.strictObject({
        lead_id: v.string(),
        name: v.string(),
        action: v.picklist(REVERT_ACTIONS),
        changes: v.optional(v.record(v.string(), v.pipe(v.array(v.any()), v.length(2)))),
      }),
    ),
  ),
  batch: v.optional(BatchOutput),
  job: v.optional(v.string()),
})

/** Words that every answer of a revert has. */
export const revertWords = {
  reverted: "Leads that were reverted.",
  "skipped[].message": "Why.",
  kept: "Of a dry run: leads that would be left unchanged.",
  "sample[].lead_id": "`cl_` and a UUID.",
  "sample[].name": "Its name.",
  "sample[].action": "What would happen to it.",
  "sample[].changes": "`[before, after]` by field, `attr:<name>` for attributes.",
  sample: "Of a dry run: ten leads that would be reverted.",
}

const entries = {
  ...changeSelectionEntries,
  expect: v.optional(whole(0)),
  dry_run: OptionalFlag,
  force: OptionalFlag,
  split: OptionalFlag,
}

export const revertChanges = operation({
  name: "revert_changes",
  about: "Revert changes: restores leads to the state before, as new changes",
  tag: "Changes",
  errors: ["not_found", "conflict"],
  note: `Each lead is restored to its state before the first of these changes, as a new change with \`reason\` \`revert:<id>\`. A deleted lead is restored with its id, times, attributes and notes; a created lead is deleted. A lead that was changed since is left unchanged and listed, unless \`force\`. A revert has a \`batch_id\` and can be reverted. More than 250 leads are reverted by a job.`,
  says: { 202: "Accepted: a job reverts the leads." },
  example: {
    body: { batch_id: BATCH_ID, expect: 2 },
    answers: {
      200: {
        matched: 2,
        reverted: 1,
        skipped: [
          { lead_id: OTHER_LEAD_ID, message: "It was updated since, by anna: left alone without force" },
        ],
        batch_id: "019aa6f8-33d0-7000-a1c5-0be64f2d7719",
      },
      202: {
        job: JOB_ID,
        matched: 48_210,
        batch_id: "019aa6f8-33d0-7000-a1c5-0be64f2d7719",
      },
    },
  },
  access: "write",
  http: "POST /changes/revert",
  tool: {
    set: "audit",
    words: {
      ...filterToolWords,
      ...wordsIn("filter", filterToolWords),
      change_ids: "From list_changes",
      filter: "As in list_changes, with since",
      expect: "Refused if another number of leads",
      dry_run: "Preview only",
      force: "Also where it was changed since",
      split: "Splits merged leads again",
    },
  },
  paced: true,
  input: described(v.strictObject(entries), {
    ...filterWords,
    ...wordsIn("filter", filterWords),
    change_ids: "Ids of changes.",
    batch_id: "Changes with this batch id.",
    import_id: "Changes by this import.",
    "filter.import_id": "The import that made the change.",
    filter: "Filters of `GET /changes`, with `since`; they may also be given at the top level of the body.",
    expect: "Expected number of leads; with any other number nothing is changed.",
    dry_run: "Changes nothing; returns what would happen.",
    force: "Also leads that were changed since.",
    split: "Turns pushes that were merged into a lead into leads of their own.",
  }),
  output: described(RevertOutput, {
    ...revertWords,
    batch_id: "Changes with this batch id.",
    dry_run: "Changes nothing; returns what would happen.",
    matched: "Leads with matching changes.",
    skipped: "Leads that were left unchanged, and why.",
    batch: "Of a dry run for a `batch_id`: what that batch did.",
    job: "The job that does it, for `GET /jobs/{id}`.",
  }),
  otherStatuses: [202],
  run: (ctx, { dry_run, force, split, expect, ...selected }) =>
    revertSelected(ctx, selected, { dry_run, force, split, expect }),
})

/**
 * Reverts every lead of the selected changes to its state before them: few leads in the request, many as a job.
 * Throws `conflict` when the number of leads is not `expect`.
 */
export async function revertSelected(
  ctx: Context,
  selected: RevertSelection,
  {
    dry_run = false,
    force = false,
    split = false,
    expect,
  }: Omit<Said<typeof entries>, keyof typeof changeSelectionEntries>,
): Promise<JsonText> {
  const filter = filterOf(selected)
  const plan = await revertPlan(ctx, filter)
  const matched = plan.targets.length
  if (expect !== undefined && expect !== matched) {
    const message = `expect says ${expect}, and these are changes of ${matched} leads: nothing was put back`
    throw new AppError("conflict", message)
  }
  const how: Revert = { filter, upTo: plan.upTo, force, split }
  if (dry_run) return rehearse(ctx, plan, how)
  const batched = inBatch(ctx)
  const account = ctx.caller.account.key
  const work = { revert: how, targets: plan.targets }
  if (matched > AT_ONCE) {
    const job = { kind: REVERT, input: work as unknown as Json, of: matched }
    const id = await ctx.store.write(account, (tx) => startJob(batched, tx, job))
    return workAnswer({ job: id, matched, batch_id: batched.batch.id })
  }
  const { skipped } = await ctx.store.write(account, (tx) => putBackAll(batched, tx, work))
  return workAnswer({ matched, reverted: matched - skipped.length, skipped, batch_id: batched.batch.id })
}

/** Predicts the outcome without writing; conflicts over an email that another lead has now only show on writing. */
async function rehearse(ctx: Context, { targets }: RevertPlan, how: Revert): Promise<JsonText> {
  const skipped: { lead_id: string; message: string }[] = []
  const sample: NonNullable<v.InferOutput<typeof RevertOutput>["sample"]> = []
  let alone = 0
  const yieldIfDue = ctx.eventLoop.yieldEvery()
  for (const [lead_id, from] of targets) {
    const changes = await ctx.store.read.changes.since(ctx.caller.account.key, lead_id, from)
    const verdict = changes.length > 0 ? judge(changes, how, "") : undefined
    const steps = verdict && mergeSteps(changes, how)
    const refusal = steps
      ? await refusalOfMerges(ctx, ctx.store.read, steps, how.force)
      : (verdict?.refusal ?? (await refusalOfDeletion(ctx, lead_id, verdict, how)))
    const message = verdict ? refusal : "Its changes are no longer kept"
    if (verdict && message === undefined && sample.length < SAMPLE)
      sample.push(shownRevert(lead_id, verdict, changes))
    if (message !== undefined && ++alone <= SKIPPED_MAX) skipped.push({ lead_id, message })
    await yieldIfDue()
  }
  return workAnswer({
    matched: targets.length,
    reverted: targets.length - alone,
    skipped,
    kept: alone,
    sample,
    ...(how.filter.batch_id !== undefined && { batch: await batchNamed(ctx, how.filter.batch_id) }),
    dry_run: true,
  })
}

/** Why a lead that would be deleted stays; undefined for any other. */
async function refusalOfDeletion(
  ctx: Context,
  lead_id: string,
  verdict: Verdict | undefined,
  how: Revert,
): Promise<string | undefined> {
  if (!verdict || verdict.target) return undefined
  const row = await ctx.store.read.leads.find(ctx.caller.account.key, lead_id)
  return row && refusalOfNotes(row, verdict, how)
}

/** Tells the effect of reverting these changes of a lead, newest first. */
function shownRevert(lead_id: string, { target }: Verdict, changes: readonly FullChange[]) {
  const isThere = changes[0]!.action !== "deleted"
  const now = changes[0]!.after
  const name = (target ?? now ?? changes[0]!.before)?.name ?? ""
  const action = !target ? "delete" : isThere ? "change" : "restore"
  const differing = action === "change" && now && { changes: changesBetween(dataOf(now), target!) }
  return { lead_id, name, action, ...(differing || {}) } as const
}

const REVERT = "revert"

/** The input of a revert job. */
interface RevertInput {
  revert: Revert
  targets: RevertTarget[]
}

/** Reverts leads from an index on until `isEnough`. Returns the next index, and the leads that were skipped. */
async function putBackAll(
  ctx: Context,
  tx: Transaction,
  { revert, targets }: RevertInput,
  from = 0,
  isEnough: () => boolean | Promise<boolean> = () => false,
): Promise<{ next: number; skipped: (JobError & { lead_id: string })[] }> {
  const skipped: (JobError & { lead_id: string })[] = []
  const all: PutBack = { created: [], updated: [], deleted: [] }
  let next = from
  for (; next < targets.length; next++) {
    if (next > from && (await mayEnd(tx, next - from, isEnough))) break
    await readTrailsAhead(ctx, tx, next - from, (count) => targets.slice(next, next + count))
    const target = targets[next]!
    const batched = inBatch(ctx)
    const done = await putBack(batched, tx, target, revert, async (changes) => {
      const steps = mergeSteps(changes, revert)
      return steps && revertMerges(batched, tx, steps, revert)
    })
    if ("refusal" in done) skipped.push({ lead_id: target[0], message: done.refusal })
    else for (const what of ["created", "updated", "deleted"] as const) all[what].push(...done[what])
  }
  for (const what of ["created", "updated", "deleted"] as const) {
    const leads = all[what].map((id) => ({ id }))
    await announce(ctx, tx, `leads.${what}`, leads)
  }
  return { next, skipped }
}

/** Progress is the number of leads done. */
export const revertJob: JobKind = {
  name: REVERT,
  async run({ ctx, input, progress, isEnough, commit }) {
    const all = input as unknown as RevertInput
    await commit(async (tx) => {
      const from = Number(progress ?? 0)
      const { next, skipped } = await putBackAll(ctx, tx, all, from, isEnough)
      return {
        done: next - from,
        errors: skipped,
        progress: next,
        isOver: next >= all.targets.length,
      }
    })
  },
}
