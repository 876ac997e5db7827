import * as v from "valibot"
import { described } from "../../../lead/described.ts"
import { blanksToNull, count, Id, OptionalFlag, oneOf, type Said, whole } from "../../../lead/fields.ts"
import type { Json } from "../../../lead/lead.ts"
import { isObject } from "../../../lead/parse.ts"
import { AppError, badRequest } from "../../../runtime/errors.ts"
import type { JobError } from "../../../store/contract/store.ts"
import { JsonText } from "../../../text/json-text.ts"
import { grouped } from "../../../text/text.ts"
import { inBatch } from "../../batch.ts"
import { BATCH_ID } from "../../examples.ts"
import { startJob, workAnswer } from "../../job-kind.ts"
import { type Context, calendarOf, operation } from "../../operation.ts"
import { compactRows } from "../list/fields.ts"
import { Filters } from "../list/filter.ts"
import { LeadOutput } from "../list/lead-output.ts"
import { idsOf } from "../list/whole.ts"
import { refuseUnknownStage } from "../write/account-settings.ts"
import type { WideChanges } from "../write/change-lead.ts"
import { actOf, BULK_ACTIONS, type BulkActionName, workEntries } from "./actions.ts"
import { BULK, type BulkProgress, type BulkWork, workOn } from "./job.ts"
import { LeadPreview, previewed, tagsLost } from "./preview.ts"

/** Leads that one request handles itself; more are a job. */
const AT_ONCE = 1_000
/** Milliseconds of work in one transaction: other requests run between two. */
const SLICE_MS = 5
const SAMPLE = 5
const IDS_MAX = 100_000
/** Characters of an id: longer ones are of no lead, and would be told again in each error. */
const ID_MAX = 200

const BulkOutput = v.strictObject({
  matched: count,
  sample: v.optional(v.array(LeadOutput)),
  preview: v.optional(v.array(LeadPreview)),
  tags_lost: v.optional(v.record(v.string(), count)),
  ...workEntries,
})

/** The leads that bulk work is for. */
const chosenEntries = {
  filter: v.optional(Filters),
  q: v.optional(v.string("must be text")),
  segment: v.optional(v.string("must be text")),
  ids: v.optional(
    v.pipe(
      v.array(Id, "must be a list of lead ids"),
      v.maxLength(IDS_MAX, `must hold at most ${grouped(IDS_MAX)} lead ids`),
      v.check(
        (ids) => ids.every((id) => id.length <= ID_MAX),
        `must hold lead ids, of at most ${ID_MAX} characters each`,
      ),
    ),
  ),
  all: v.optional(v.literal(true, "must be true, or left out")),
}

export type BulkSelection = Said<typeof chosenEntries>

export interface BulkOptions {
  dry_run?: boolean | undefined
  /** The expected number of leads. */
  expect?: number | undefined
  /** A dry run shows leads as compact rows. */
  isCompact?: boolean
}

export const bulkLeads = operation({
  name: "bulk_leads",
  about: "Change, delete, tag, note or score all leads that a filter matches",
  tag: "Batches",
  errors: ["conflict"],
  example: {
    body: { filter: ["and.lt.score.20"], action: "update", data: { status: "disqualified" }, expect: 2 },
    answers: {
      200: { matched: 2, success: 2, failed: 0, errors: [], batch_id: BATCH_ID },
      202: { job: "job_019aa6f5-0d3e-7a21-8b47-3c5e9f1a6d20", matched: 3_918, batch_id: BATCH_ID },
    },
  },
  access: "write",
  forSegments: true,
  http: "POST /leads/bulk",
  input: described(
    v.strictObject({
      ...chosenEntries,
      action: oneOf(BULK_ACTIONS),
      data: v.optional(v.unknown()),
      dry_run: OptionalFlag,
      expect: v.optional(whole(0)),
    }),
    {
      filter: "The leads that these filters match, as in lists.",
      q: "The leads that this search finds, as in lists.",
      segment: "The leads of this segment.",
      ids: "These leads, at most 100,000.",
      all: "Every lead of the account.",
      action: "What to do to each of them.",
      data: "Fields to change for `update`, where a list of members as `owner` is assigned in turn, `attributes` go by name, and `add_tags` and `remove_tags` change single tags; `{tags}` for `add_tags` and `remove_tags`; `{content}` for `add_note`; nothing else.",
      dry_run: "Changes nothing; returns the number of leads, five of them, and three before and after.",
      expect: "Expected number of leads; with any other number 409, and nothing is changed.",
    },
  ),
  prepare: (input) =>
    isObject(input) && isObject(input.data) ? { ...input, data: blanksToNull(input.data) } : input,
  output: described(BulkOutput, {
    dry_run: "Changes nothing; returns the number of leads, five of them, and three before and after.",
    preview: "Three of them, of a dry run that changes leads.",
    "preview[].changes": "`[before, after]` by field, `attr:<name>` for attributes.",
    "preview[].message": "Why it could not be changed.",
    tags_lost: "How many of the leads would lose which tags, of a dry run.",
    matched: "Number of leads selected.",
    sample: "Five of them, of a dry run.",
    success: "How many succeeded.",
    failed: "How many failed.",
    "errors[].message": "Why not.",
    errors: "The leads that could not be changed.",
    job: "Id of the job, for more than 1,000 leads: see `GET /jobs/{id}`.",
  }),
  otherStatuses: [202],
  bodyMax: 8 * 1024 * 1024,
  run: (ctx, { action, data, dry_run, expect, ...chosen }) =>
    runBulk(ctx, chosen, action, data, { dry_run, expect }),
})

/**
 * Applies an action to the selected leads: up to 1,000 in the request, more as a job. With `dry_run` it only counts
 * them and shows five. Throws `bad_request`, and `conflict` when the number of leads is not `expect`.
 */
export async function runBulk(
  ctx: Context,
  chosen: BulkSelection,
  action: BulkActionName,
  data: unknown,
  { dry_run = false, expect, isCompact = false }: BulkOptions = {},
): Promise<JsonText> {
  const act = actOf(action, data, calendarOf(ctx))
  if (action === "update") await refuseUnknownStage(ctx, (data as WideChanges).stage)
  const ids = await chosenIds(ctx, chosen)
  const matched = ids.length
  if (expect !== undefined && expect !== matched) {
    const leads = `${grouped(matched)} ${matched === 1 ? "lead is" : "leads are"}`
    throw new AppError("conflict", `expect says ${grouped(expect)}, and ${leads} meant: nothing was done`)
  }
  if (dry_run) {
    const { all: _, ...selection } = chosen
    const losing = action === "remove_tags" ? { remove_tags: (data as { tags: string[] }).tags } : data
    return sample(ctx, ids, isCompact, {
      ...(SHOWS_CHANGES.has(action) && { preview: await previewed(ctx, ids, act) }),
      tags_lost: await tagsLost(ctx, selection, losing),
    })
  }
  return workAnswer(
    await workThrough(ctx, { action, ids, ...(data !== undefined && { data, asked_at: ctx.now }) }),
  )
}

/** Applies an action to leads: up to 1,000 here, in short transactions, more as a job. */
export async function workThrough(ctx: Context, work: BulkWork) {
  const act = actOf(work.action, work.data, calendarOf(ctx))
  const account = ctx.caller.account.key
  const batched = inBatch(ctx)
  const batch_id = batched.batch.id
  const matched = work.ids.length
  if (matched > AT_ONCE && ctx.caller.segment !== undefined)
    throw badRequest(
      `A key bound to a segment changes at most ${grouped(AT_ONCE)} leads in one request, and these are ${grouped(matched)}: narrow the selection`,
    )
  if (matched > AT_ONCE) {
    const job = { kind: BULK, input: work as unknown as Json, of: matched }
    return { job: await ctx.store.write(account, (tx) => startJob(batched, tx, job)), matched, batch_id }
  }
  const errors: (JobError & { lead_id: string })[] = []
  let progress: BulkProgress = { next: 0, untold: [] }
  for (let isOver = matched === 0; !isOver; ) {
    const slice = await ctx.store.write(account, (tx) => {
      const since = ctx.clock.monotonic()
      return workOn(batched, tx, work, act, progress, () => ctx.clock.monotonic() - since > SLICE_MS)
    })
    errors.push(...slice.errors)
    progress = slice.progress
    isOver = slice.isOver
  }
  return { matched, success: matched - errors.length, failed: errors.length, errors, batch_id }
}

/** The ids of the selected leads. Throws `bad_request` for an empty selection without `all`. */
async function chosenIds(ctx: Context, { filter, q, segment, ids, all }: BulkSelection): Promise<string[]> {
  const selects = [
    filter?.length ? "filter" : [],
    q === undefined ? [] : "q",
    segment ? "segment" : [],
  ].flat()
  const given = [selects.length > 0 ? selects.join(" and ") : [], ids ? "ids" : [], all ? "all" : []].flat()
  if (given.length === 0)
    throw badRequest('say which leads: filter, q, segment, ids, or "all": true for every lead of the account')
  if (given.length > 1) throw badRequest(`say which leads in one way: ${given.join(" and ")} are given`)
  if (ids) return [...new Set(ids)]
  return idsOf(ctx, { filter, q, segment })
}

/** Actions that change fields of leads. */
const SHOWS_CHANGES: ReadonlySet<BulkActionName> = new Set(["update", "add_tags", "remove_tags", "score"])

async function sample(
  ctx: Context,
  ids: readonly string[],
  isCompact: boolean,
  more: Pick<v.InferOutput<typeof BulkOutput>, "preview" | "tags_lost">,
): Promise<JsonText> {
  const { leads } = ctx.store.read
  const rows = await Promise.all(ids.slice(0, SAMPLE).map((id) => leads.find(ctx.caller.account.key, id)))
  const compact = compactRows(undefined)
  const shown = rows.flatMap((row) => (row ? (isCompact ? JSON.stringify(compact(row)) : row.json()) : []))
  const told = JSON.stringify({ ...more, dry_run: true }).slice(1)
  return new JsonText(`{"matched":${ids.length},"sample":[${shown.join(",")}],${told}`)
}
