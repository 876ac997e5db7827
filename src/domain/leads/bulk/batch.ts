import * as v from "valibot"
import { described } from "../../../lead/described.ts"
import { blanksToNull, Id, LeadInput } from "../../../lead/fields.ts"
import { parse } from "../../../lead/parse.ts"
import { badRequest } from "../../../runtime/errors.ts"
import type { PushTransaction, Transaction } from "../../../store/contract/store.ts"
import { JsonText } from "../../../text/json-text.ts"
import { type ItemOutcome, inBatch, outcomeOf, outcomeOfWrite } from "../../batch.ts"
import { type EventName, publish } from "../../events.ts"
import { BATCH_ID, type ExampleFields, examplePush, LEAD_ID, NOW, OTHER_LEAD_ID } from "../../examples.ts"
import { type Context, calendarOf, operation, previewListed } from "../../operation.ts"
import { getLeadRow } from "../lead-operations.ts"
import { BatchCreateOutput, BatchOutput } from "../list/lead-output.ts"
import { lookUpListed, ON_SUPPRESSED_WORDS, refuseUnknownStage } from "../write/account-settings.ts"
import { ATTRIBUTES_BY_NAME } from "../write/change-lead.ts"
import { comparisonBudget, pushedKeys, withinBudget, withoutRepeats } from "../write/dedup.ts"
import { type MergePolicy, OnDuplicateField, OnSuppressedField, pushPolicy } from "../write/lead-data.ts"
import { type Pushed, type PushOptions, pushLead } from "../write/push.ts"
import { removeLead, updateLead } from "../write/write.ts"
import { BulkChanges } from "./actions.ts"

const exampleSomeFailed: ExampleFields = {
  results: [
    { index: 0, id: LEAD_ID, success: true },
    { index: 1, id: OTHER_LEAD_ID, success: false, message: "Lead not found" },
  ],
  total: 2,
  success: 1,
  failed: 1,
  batch_id: BATCH_ID,
}
const exampleAllDone: ExampleFields = {
  results: [LEAD_ID, OTHER_LEAD_ID].map((id, index) => ({ index, id, success: true })),
  total: 2,
  success: 2,
  failed: 0,
  batch_id: BATCH_ID,
}
const exampleItem = { index: 0, id: LEAD_ID, created_at: NOW }

/** Leads whose candidates are looked for at once: less than a millisecond, and a few megabytes when all are as large as may be. */
const ASKED_AT_ONCE = 50
/** Bytes of a batch's body. */
const BODY_MAX = 8 * 1024 * 1024

export const LeadIds = v.pipe(
  v.array(Id, "must be a list of lead ids"),
  v.nonEmpty("must hold at least one lead id"),
)

export const batchCreateLeads = operation({
  name: "batch_create_leads",
  about: "Create many leads at once; each duplicate is merged",
  tag: "Batches",
  note: "Each lead goes the way of `POST /leads`, one after the other: duplicates are merged, a bad lead fails alone. Answers 207 when any failed, also when all did. A batch over the plan's size is refused whole.",
  says: { 201: "All were saved." },
  example: {
    body: { leads: [examplePush, { name: "Ada Lovelace", source: "webform" }] },
    answers: {
      201: {
        created: [{ ...exampleItem, duplicate: true }],
        errors: [],
        total: 1,
        success: 1,
        failed: 0,
        batch_id: BATCH_ID,
      },
      207: {
        created: [exampleItem],
        errors: [{ index: 1, message: "Duplicate source_id" }],
        total: 2,
        success: 1,
        failed: 1,
        batch_id: BATCH_ID,
      },
    },
  },
  access: "write",
  forSegments: true,
  http: "POST /leads/batch",
  tool: {
    named: {
      "leads[]": [
        ...["name", "source", "email", "phone", "website", "company", "job_title", "city"],
        ...["source_id", "tags", "attributes"],
      ],
    },
    guard: () => "many",
    preview: previewListed<{ leads: readonly unknown[] }>(({ leads }) => leads),
    words: {
      leads: "With any fields of create_lead",
      "leads[].attributes": ATTRIBUTES_BY_NAME,
    },
  },
  // Leads are validated one by one, so that one invalid lead fails alone.
  input: described(
    v.strictObject({
      leads: v.pipe(
        v.array(v.unknown(), "must be a list of leads"),
        v.nonEmpty("must hold at least one lead"),
      ),
      on_duplicate: OnDuplicateField,
      on_suppressed: OnSuppressedField,
    }),
    {
      leads: "Up to the plan's batch size: 100, 500 or 1,000.",
      on_duplicate:
        "If the lead already exists: `overwrite` its fields (default), `fill` only empty fields, or `skip` it.",
      on_suppressed: ON_SUPPRESSED_WORDS,
    },
  ),
  toolInput: v.strictObject({
    leads: v.pipe(v.array(LeadInput), v.nonEmpty()),
    on_duplicate: OnDuplicateField,
    on_suppressed: OnSuppressedField,
  }),
  query: ["on_duplicate", "on_suppressed"],
  output: BatchCreateOutput,
  status: 201,
  otherStatuses: [207],
  bodyMax: BODY_MAX,
  async run(ctx, { leads, on_duplicate, on_suppressed }) {
    refuseTooMany(ctx, leads.length)
    const inputs = leads.map((lead) => outcomeOf(() => readLead(ctx, lead)))
    const batch = inBatch(ctx)
    const outcomes = await ctx.store.write(ctx.caller.account.key, (tx) =>
      pushAll(batch, tx, inputs, pushPolicy(on_duplicate, on_suppressed)),
    )
    return created(outcomes, batch.batch.id, on_suppressed === "skip")
  },
})

/** Pushes leads one after the other, with one event for all. Each lead can merge into those before it. */
async function pushAll(
  ctx: Context,
  tx: Transaction,
  inputs: readonly ItemOutcome<LeadInput>[],
  policy?: MergePolicy,
) {
  const outcomes: ItemOutcome<Pushed>[] = []
  const yieldIfDue = ctx.eventLoop.yieldEvery()
  const { key: account, default_country } = ctx.caller.account
  const budget = comparisonBudget()
  const push = (lead: LeadInput, options: Pick<PushOptions, "keys" | "listed">) =>
    outcomeOfWrite(tx, () => pushLead(ctx, tx, lead, { ...options, policy, budget }))
  for (let from = 0; from < inputs.length; from += ASKED_AT_ONCE) {
    const some = inputs
      .slice(from, from + ASKED_AT_ONCE)
      .map((input) =>
        "error" in input
          ? input
          : { input, keys: withinBudget(pushedKeys(input.value, default_country), budget) },
      )
    await tx.leads.prefetchDuplicates(
      account,
      withoutRepeats(some.flatMap((one) => ("error" in one ? [] : one.keys))),
    )
    const leads = some.flatMap((one) => ("error" in one ? [] : one.input.value))
    const listed = await lookUpListed(ctx, tx.suppressions, leads)
    for (const one of some) {
      outcomes.push(
        "error" in one ? one : await push(one.input.value, { keys: withinBudget(one.keys, budget), listed }),
      )
      await yieldIfDue()
    }
  }
  await announceAll(ctx, tx, outcomes)
  return outcomes
}

/** Publishes one event for the created leads and one for the merged ones. */
export async function announceAll(
  ctx: Context,
  tx: PushTransaction,
  outcomes: readonly ItemOutcome<Pushed>[],
) {
  const pushed = outcomes.flatMap((outcome) =>
    "error" in outcome || outcome.value.isSkipped ? [] : outcome.value,
  )
  const fresh = pushed.filter((lead) => lead.merged === undefined)
  const merged = pushed.filter((lead) => lead.merged !== undefined)
  await announce(ctx, tx, "leads.created", fresh)
  await announce(ctx, tx, "leads.updated", merged)
}

export const batchUpdateLeads = operation({
  name: "batch_update_leads",
  about: "Make the same changes to many leads",
  tag: "Batches",
  note: "Answers 207 when any failed, also when all did.",
  says: { 200: "All were changed." },
  example: {
    body: { ids: [LEAD_ID, OTHER_LEAD_ID], data: { status: "contacted" } },
    answers: { 200: exampleAllDone, 207: exampleSomeFailed },
  },
  access: "write",
  forSegments: true,
  http: "PUT /leads/batch",
  input: described(v.strictObject({ ids: LeadIds, data: BulkChanges }), {
    ids: "Up to the plan's batch size: 100, 500 or 1,000.",
    data: "The same changes for all of them.",
  }),
  prepare: (input) =>
    typeof input === "object" && input !== null && "data" in input
      ? { ...input, data: blanksToNull(input.data) }
      : input,
  output: BatchOutput,
  otherStatuses: [207],
  bodyMax: BODY_MAX,
  async run(ctx, { ids, data }) {
    await refuseUnknownStage(ctx, data.stage)
    return changeEach(ctx, ids, "leads.updated", async (ctx, tx, id) => {
      await updateLead(ctx, tx, await getLeadRow(ctx, tx.leads, id), data)
    })
  },
})

export const batchDeleteLeads = operation({
  name: "batch_delete_leads",
  about: "Delete many leads with their notes and attributes",
  tag: "Batches",
  note: "Answers 207 when any failed, also when all did.",
  says: { 200: "All were deleted." },
  example: {
    body: { ids: [LEAD_ID, OTHER_LEAD_ID] },
    answers: { 200: exampleAllDone, 207: exampleSomeFailed },
  },
  access: "write",
  forSegments: true,
  http: "DELETE /leads/batch",
  input: described(v.strictObject({ ids: LeadIds }), {
    ids: "Up to the plan's batch size: 100, 500 or 1,000.",
  }),
  output: BatchOutput,
  otherStatuses: [207],
  bodyMax: BODY_MAX,
  run: (ctx, { ids }) =>
    changeEach(ctx, ids, "leads.deleted", async (ctx, tx, id) => {
      await removeLead(ctx, tx, await getLeadRow(ctx, tx.leads, id))
    }),
})

/** Changes leads one after the other in one transaction; a lead that cannot be changed fails alone. */
async function changeEach(
  ctx: Context,
  ids: readonly string[],
  event: EventName,
  change: (ctx: Context, tx: Transaction, id: string) => Promise<void>,
): Promise<JsonText> {
  refuseTooMany(ctx, ids.length)
  const batched = inBatch(ctx)
  const results = await ctx.store.write(ctx.caller.account.key, async (tx) => {
    const all = []
    const yieldIfDue = ctx.eventLoop.yieldEvery()
    for (const [index, id] of ids.entries()) {
      await readAhead(ctx, tx, index, (count) => ids.slice(index, index + count))
      const outcome = await outcomeOfWrite(tx, () => change(batched, tx, id))
      if ("error" in outcome) all.push({ index, id, success: false, message: outcome.error })
      else all.push({ index, id, success: true })
      await yieldIfDue()
    }
    const changed = all.filter(({ success }) => success)
    await announce(ctx, tx, event, changed)
    return all
  })
  return answer(
    { results, batch_id: batched.batch.id },
    results.length,
    results.filter(({ success }) => !success).length,
    200,
  )
}

function created(
  outcomes: readonly ItemOutcome<Pushed>[],
  batch_id: string,
  skipsSuppressed: boolean,
): JsonText {
  const created: object[] = []
  const errors: object[] = []
  const skipped: object[] = []
  for (const [index, outcome] of outcomes.entries()) {
    if ("error" in outcome) {
      const isSkipped = skipsSuppressed && outcome.kind === "suppressed"
      ;(isSkipped ? skipped : errors).push({ index, message: outcome.error })
      continue
    }
    const { id, created_at, merged, potentialDuplicate, suppressed, warnings } = outcome.value
    const entry = {
      ...{ index, id, created_at },
      ...(suppressed && { suppressed }),
      ...(warnings && { warnings }),
    }
    if (merged) created.push({ ...entry, duplicate: true })
    else if (potentialDuplicate) created.push({ ...entry, potential_duplicate_id: potentialDuplicate })
    else created.push(entry)
  }
  const body = { created, errors, ...(skipped.length > 0 && { skipped }), batch_id }
  return answer(body, outcomes.length, errors.length, 201)
}

/** The body with its counts. The status is 207 when any item failed, also when all did. */
function answer(body: object, total: number, failed: number, status: number): JsonText {
  const text = JSON.stringify({ ...body, total, success: total - failed, failed })
  return new JsonText(text, failed === 0 ? status : 207)
}

/** Throws `bad_request` for more items than the plan allows in one request. */
export function refuseTooMany(ctx: Context, items: number): void {
  const { plan, limits } = ctx.caller.account
  if (items <= limits.batch) return
  throw badRequest(
    `The ${plan} plan takes at most ${limits.batch} leads per batch, got ${items}; nothing was changed`,
  )
}

/** Validates a lead of a client. Throws `bad_request`. */
function readLead(ctx: Context, lead: unknown): LeadInput {
  if (typeof lead !== "object" || lead === null || Array.isArray(lead)) {
    throw badRequest("a lead must be a JSON object")
  }
  return parse(LeadInput, blanksToNull(lead), calendarOf(ctx))
}

/** Publishes one grouped event for the leads of a batch, each named once; no event for no leads. */
export async function announce(
  ctx: Context,
  tx: PushTransaction,
  event: EventName,
  leads: readonly { id: string }[],
) {
  if (leads.length === 0) return
  const ids = [...new Set(leads.map((lead) => lead.id))]
  await publish(ctx, tx, event, JSON.stringify({ ids, count: ids.length }))
}

// Reads leads ahead in batches, where the store is remote and each query is a round trip.

/** Leads of one batch: some milliseconds of work. */
const TOGETHER = 16

/** Reads a lead with those after it; called before each lead of a list. `at` counts from where the work began. */
export async function readAhead(
  ctx: Context,
  tx: Transaction,
  at: number,
  behind: (count: number) => readonly string[],
): Promise<void> {
  if (tx.leads.readAhead && at % TOGETHER === 0)
    await tx.leads.readAhead(ctx.caller.account.key, behind(TOGETHER))
}

/** Like `readAhead`, with the leads' trails back to the positions that `behind` returns. */
export async function readTrailsAhead(
  ctx: Context,
  tx: Transaction,
  at: number,
  behind: (count: number) => readonly (readonly [leadId: string, position: number])[],
): Promise<void> {
  if (tx.changes.readAhead && at % TOGETHER === 0)
    await tx.changes.readAhead(ctx.caller.account.key, behind(TOGETHER))
  await readAhead(ctx, tx, at, (count) => behind(count).map(([id]) => id))
}

/** True when work may end at this lead: not while it holds leads that were read ahead. */
export async function mayEnd(
  tx: Transaction,
  done: number,
  isEnough: () => boolean | Promise<boolean>,
): Promise<boolean> {
  if (tx.leads.readAhead && done % TOGETHER !== 0) return false
  return isEnough()
}
