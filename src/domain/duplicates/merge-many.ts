// Merges many groups, as a job.

import * as v from "valibot"
import { NO_FILTER } from "../../filters/lead-query.ts"
import { described } from "../../lead/described.ts"
import { count, OptionalFlag, Probability, whole } from "../../lead/fields.ts"
import type { Json, LeadData } from "../../lead/lead.ts"
import { AppError } from "../../runtime/errors.ts"
import type { JobError, Transaction } from "../../store/contract/store.ts"
import { inBatch, outcomeOfWrite } from "../batch.ts"
import { JOB_ID, LEAD_ID, OTHER_LEAD_ID } from "../examples.ts"
import { type JobKind, startJob, workAnswer } from "../job-kind.ts"
import { Filters, parseFilters } from "../leads/list/filter.ts"
import { type Context, calendarOf, operation, ownContext, type Services } from "../operation.ts"
import { type LinkedGroup, linkedGroups } from "./groups.ts"
import { mergeLeads } from "./merge.ts"
import {
  lostValues,
  type MergeRule,
  mergedLead,
  ruleEntries,
  ruleToolWords,
  SOURCES_WORDS,
} from "./merged-lead.ts"
import { rounded } from "./output.ts"

export const MERGE_MANY = "merge_duplicates"

/** Groups that a dry run shows. */
const SAMPLE = 10

const named = v.strictObject({ id: v.string(), name: v.string() })

/** The input of the job: groups of lead ids, the survivor first. */
interface ManyMerges {
  groups: string[][]
  rule?: MergeRule | undefined
  sources?: string[] | undefined
}

export const mergeDuplicates = operation({
  name: "merge_duplicates",
  about: "Merge all open duplicates that are probable enough, as a job",
  tag: "Duplicates",
  errors: ["conflict"],
  note: "Merges groups whose pairs have at least this mean probability, each into its oldest lead; a chain of pairs is not a group. You can undo every merge. Start with `dry_run`, and send its `matched` as `expect`.",
  says: { 202: "Accepted: a job does it." },
  example: {
    body: { min_probability: 0.97, filter: ["and.eq.city.Berlin"], dry_run: true },
    answers: {
      200: {
        matched: 212,
        groups: 180,
        leads: 195,
        sample: [
          {
            probability: 0.9981,
            survivor: { id: LEAD_ID, name: "Trattoria Da Nino" },
            losers: [{ id: OTHER_LEAD_ID, name: "Da Nino Trattoria GmbH" }],
            lost: [{ field: "name", value: "Da Nino Trattoria GmbH" }],
          },
        ],
        dry_run: true,
      },
      202: {
        matched: 212,
        groups: 180,
        leads: 195,
        job: JOB_ID,
        batch_id: "019aa6f8-33d0-7000-a1c5-0be64f2d7719",
      },
    },
  },
  access: "write",
  http: "POST /duplicates/merge",
  tool: {
    set: "duplicates",
    words: {
      min_probability: "Pairs at or above it, 0 to 1",
      filter: "One lead matches, as in list_leads",
      ...ruleToolWords,
      expect: "Refused if another number of pairs",
      dry_run: "Preview only",
      offset: "Groups before those of sample",
    },
  },
  input: described(
    v.strictObject({
      min_probability: Probability,
      filter: v.optional(Filters),
      ...ruleEntries,
      expect: v.optional(whole(0)),
      dry_run: OptionalFlag,
      offset: v.optional(whole(0), 0),
    }),
    {
      min_probability: "Minimum probability of pairs and groups to merge.",
      filter: "One of both leads of each pair must match, as in `GET /leads`.",
      rule: "Whose values win; by default the oldest lead's.",
      sources: SOURCES_WORDS,
      expect: "Expected number of pairs; with any other number nothing is merged.",
      dry_run: "Changes nothing; returns the counts.",
      offset: "Of a dry run: groups before those of `sample`.",
    },
  ),
  output: described(
    v.strictObject({
      matched: count,
      groups: count,
      leads: count,
      sample: v.optional(
        v.array(
          v.strictObject({
            probability: v.number(),
            survivor: named,
            losers: v.array(named),
            lost: v.array(v.strictObject({ field: v.string(), value: v.union([v.string(), v.number()]) })),
          }),
        ),
      ),
      dry_run: v.optional(v.literal(true)),
      job: v.optional(v.string()),
      batch_id: v.optional(v.string()),
    }),
    {
      dry_run: "Changes nothing; returns the counts.",
      matched: "Pairs.",
      groups: "Leads kept.",
      leads: "Leads removed.",
      "sample[].probability": "The mean over all pairs of its leads.",
      "sample[].survivor": "The lead that stays.",
      "sample[].losers": "Leads merged into it and removed.",
      "sample[].lost[].field": "Its name; an attribute is `attr:<name>`.",
      "sample[].lost":
        "Values of the losers that the survivor would not have; emails, phones, tags and notes are all kept.",
      sample: "Of a dry run: ten groups, the least probable first; `offset` leads to the next.",
      job: "The job, for `GET /jobs/{id}`.",
    },
  ),
  otherStatuses: [202],
  async run(ctx, { min_probability: least, filter, rule, sources, expect, dry_run, offset }) {
    const groups = await mergeable(ctx, { least, filter: parseFilters(filter ?? [], calendarOf(ctx)) })
    const matched = groups.reduce((sum, { links }) => sum + links.length, 0)
    if (expect !== undefined && expect !== matched) {
      const message = `expect says ${expect}, and these are ${matched} pairs: nothing was merged`
      throw new AppError("conflict", message)
    }
    const leads = groups.reduce((sum, { members }) => sum + members.length - 1, 0)
    const counts = { matched, groups: groups.length, leads }
    if (dry_run) {
      const shown = groups.toReversed().slice(offset, offset + SAMPLE)
      return { ...counts, sample: await sampleOf(ctx, shown, { rule, sources }), dry_run: true as const }
    }
    const batched = inBatch(ctx)
    const job = await startMerges(batched, { groups: await leadIdsOf(ctx, groups), rule, sources })
    return workAnswer({ ...counts, job, batch_id: batched.batch.id })
  },
})

/** Groups with at least this mean probability over all their pairs. */
function mergeable(
  ctx: Context,
  query: { least: number; filter: ReturnType<typeof parseFilters>; isUnasked?: boolean },
): Promise<LinkedGroup[]> {
  return linkedGroups(ctx, query, Math.max(0.5, query.least))
}

/** The ids of each group, oldest lead first, without groups that have only one lead left. */
async function leadIdsOf(ctx: Context, linked: readonly LinkedGroup[]): Promise<string[][]> {
  const all: string[][] = []
  const yieldIfDue = ctx.eventLoop.yieldEvery()
  for (const group of linked) {
    const leads = await leadsOf(ctx, group)
    if (leads.length > 1) all.push(leads.map(({ id }) => id))
    await yieldIfDue()
  }
  return all
}

/** The leads of a group that are still there, the oldest first. */
async function leadsOf(ctx: Context, { members }: LinkedGroup): Promise<LeadData[]> {
  const leads: LeadData[] = []
  for (const ref of members) {
    const row = await ctx.store.read.leads.findByRef(ctx.caller.account.key, ref)
    if (row) leads.push(row.data())
  }
  return leads.sort((x, y) => x.created_at - y.created_at || (x.id < y.id ? -1 : 1))
}

/** What would become of groups. */
async function sampleOf(ctx: Context, linked: readonly LinkedGroup[], choice: Omit<ManyMerges, "groups">) {
  const sample = []
  for (const group of linked) {
    const [survivor, ...losers] = await leadsOf(ctx, group)
    if (!survivor || losers.length === 0) continue
    sample.push({
      probability: rounded(group.probability),
      survivor: { id: survivor.id, name: survivor.name },
      losers: losers.map(({ id, name }) => ({ id, name })),
      lost: lostValues(mergedLead(survivor, losers, choice), [survivor, ...losers]),
    })
  }
  return sample
}

function startMerges(ctx: Context, work: ManyMerges): Promise<string> {
  const job = { kind: MERGE_MANY, input: work as unknown as Json, of: work.groups.length }
  return ctx.store.write(ctx.caller.account.key, (tx) => startJob(ctx, tx, job))
}

/** Progress is the number of groups done. */
export const mergeDuplicatesJob: JobKind = {
  name: MERGE_MANY,
  async run({ ctx, input, progress, isEnough, commit }) {
    const work = input as unknown as ManyMerges
    const from = Number(progress ?? 0)
    await commit(async (tx) => {
      const errors: JobError[] = []
      let next = from
      for (; next < work.groups.length; next++) {
        if (next > from && (await isEnough())) break
        const group = work.groups[next]!
        const outcome = await outcomeOfWrite(tx, () => mergeGroup(ctx, tx, group, work))
        if ("error" in outcome) errors.push({ lead_id: group[0]!, message: outcome.error })
      }
      return { done: next - from, errors, progress: next, isOver: next >= work.groups.length }
    })
  },
}

/** Throws `conflict` when the leads were marked as different in the meantime. */
async function mergeGroup(
  ctx: Context,
  tx: Transaction,
  [survivor, ...losers]: string[],
  { rule, sources }: Omit<ManyMerges, "groups">,
): Promise<void> {
  const account = ctx.caller.account.key
  for (const loser of losers) {
    if (await tx.duplicates.areDismissed(account, survivor!, loser))
      throw new AppError("conflict", `${loser} was said not to be the same meanwhile`)
  }
  await mergeLeads(ctx, tx, { survivor: survivor!, losers }, { rule, sources }, false)
}

// Merges pairs above the account's auto-merge threshold.

/** The actor in the audit trail. */
const ACTOR = "auto_merge"

/** Merges the open pairs of each account above its threshold. */
export async function autoMerge(services: Services): Promise<void> {
  for (const { account: id, above } of await services.store.read.duplicates.autoMerging()) {
    const account = await services.store.read.accounts.find(id)
    if (!account) continue
    const ctx = ownContext(services, account, ACTOR)
    const groups = await mergeable(ctx, { least: above, filter: NO_FILTER, isUnasked: true })
    for (const group of await leadIdsOf(ctx, groups))
      await services.store.write(account.key, (tx) =>
        outcomeOfWrite(tx, () => mergeGroup(inBatch(ctx), tx, group, {})),
      )
  }
}
