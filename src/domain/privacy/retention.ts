// Rules of retention: leads that nobody touched for a time are erased, after notice.

import * as v from "valibot"
import { described, named } from "../../lead/described.ts"
import { count, Id, ignoring, OptionalFlag, RequiredLine, seconds, whole } from "../../lead/fields.ts"
import { badRequest } from "../../runtime/errors.ts"
import type { RetentionRule } from "../../store/contract/store.ts"
import { JsonText } from "../../text/json-text.ts"
import { EARLIER, type ExampleFields, exampleLead } from "../examples.ts"
import { FILTERS_MAX, Filters, parseFilters } from "../leads/list/filter.ts"
import { LeadOutput } from "../leads/list/lead-output.ts"
import { countOf } from "../leads/list/whole.ts"
import { type Context, calendarOf, operation } from "../operation.ts"
import { deleting, finder, given, refuseFull } from "../things.ts"
import {
  beat,
  erasableBefore,
  erasesFrom,
  eraseUntouched,
  runningTime,
  touchedBefore,
  untouchedFilters,
  untouchedQuestion,
} from "./retention-run.ts"

const exampleRule: ExampleFields = {
  id: "ret_019aa6f7-6c2d-7a01-9e44-0d5b7c8a9f13",
  name: "Old scrapes",
  filter: ["and.eq.source.google_maps"],
  months: 12,
  days: null,
  notice_days: 14,
  erases_from: EARLIER + 14 * 86_400,
  matched: 31,
  created_at: EARLIER,
  updated_at: EARLIER,
}

const RULE = "Retention rule"
const findRule = finder<RetentionRule>(RULE)
const RULES_MAX = 50
const NOTICE_DEFAULT = 14
const NOTICE_MAX = 365
const MONTHS_MAX = 240
const DAYS_MAX = 7_300
const SAMPLE = 20
/** Leads that one request erases. */
const RUN_MAX = 50

const RetentionRuleOutput = named(
  "RetentionRule",
  v.strictObject({
    id: v.string(),
    name: v.string(),
    filter: v.array(v.string()),
    months: v.nullable(count),
    days: v.nullable(count),
    notice_days: count,
    erases_from: seconds,
    matched: count,
    created_at: seconds,
    updated_at: seconds,
  }),
  {
    filter: "Filters, as in lists: the leads that it is about.",
    months: "Months for which a lead must not have been touched; null with days.",
    days: "Days for which a lead must not have been touched; null with months.",
    notice_days: "Days for which leads are shown before they are erased.",
    erases_from:
      "When it erases the first leads at the earliest: the notice after it was made or changed, in time that the service ran.",
    matched: "Leads that were not touched for this time; each is erased once its notice is over.",
  },
)

const entries = {
  months: v.nullish(whole(1, MONTHS_MAX)),
  days: v.nullish(whole(1, DAYS_MAX)),
}
const RuleFilters = v.pipe(
  Filters,
  v.maxLength(FILTERS_MAX - 1, `must hold at most ${FILTERS_MAX - 1} filters`),
)
const readOnly = ignoring("id", "erases_from", "matched", "created_at", "updated_at")
const words = {
  filter: "Filters, as in lists: the leads that it is about; an empty list is all of them.",
  months: "Months for which a lead must not have been touched; or `days`.",
  days: "Days for which a lead must not have been touched; or `months`.",
  notice_days: "Days for which leads are shown before they are erased; 14 by default.",
}

export const listRetentionRules = operation({
  name: "list_retention_rules",
  about: "List the rules that erase old leads, with how many each is about",
  tag: "Privacy",
  note: "Oldest first. An account keeps at most 50.",
  example: { answers: { 200: [exampleRule] } },
  access: "read",
  http: "GET /retention-rules",
  output: v.array(RetentionRuleOutput),
  async run(ctx) {
    const shown: object[] = []
    for (const rule of await ctx.store.read.retention.list(ctx.caller.account.key))
      shown.push(await ruleOutput(ctx, rule))
    return shown
  },
})

export const createRetentionRule = operation({
  name: "create_retention_rule",
  about: "Erase leads of a filter that were not touched for a time, after notice",
  tag: "Privacy",
  errors: ["conflict"],
  note: "Touched means pushed, changed, contacted or noted: `last_touched_at`. A lead that was not touched for so long is shown for `notice_days` and then erased as by `DELETE /leads/{id}?erase=true`, unless it is touched meanwhile. Nothing is erased in the first `notice_days` of a rule. `POST /retention-rules/{id}/run?dry_run=true` shows what would be.",
  example: {
    body: { name: "Old scrapes", filter: ["and.eq.source.google_maps"], months: 12 },
    answers: { 201: exampleRule },
  },
  access: "owner",
  keepsFilters: true,
  http: "POST /retention-rules",
  input: described(
    v.strictObject({
      name: RequiredLine,
      filter: RuleFilters,
      ...entries,
      notice_days: v.optional(whole(0, NOTICE_MAX), NOTICE_DEFAULT),
      ...readOnly,
    }),
    words,
  ),
  output: RetentionRuleOutput,
  status: 201,
  async run(ctx, { name, filter, months = null, days = null, notice_days }) {
    const account = ctx.caller.account.key
    const asked = { name, filter: [...filter], months, days, notice_days, noticed_at: ctx.now }
    refuseBad(ctx, asked)
    await beat(ctx)
    const rule = await ctx.store.write(account, async (tx) => {
      refuseFull(await tx.retention.list(account), RULES_MAX, "rules of retention")
      const made = { id: tx.newId("ret_"), ...asked, created_at: ctx.now, updated_at: ctx.now }
      await tx.retention.insert(account, made)
      return made
    })
    return ruleOutput(ctx, rule)
  },
})

export const getRetentionRule = operation({
  name: "get_retention_rule",
  about: "Get one rule of retention with how many leads it is about",
  tag: "Privacy",
  note: "`matched` counts the leads that it is about now; none is erased before `erases_from`.",
  example: { answers: { 200: exampleRule } },
  access: "read",
  http: "GET /retention-rules/:id",
  output: RetentionRuleOutput,
  run: async (ctx, { id }) => ruleOutput(ctx, await findRule(ctx, ctx.store.read.retention, id)),
})

export const updateRetentionRule = operation({
  name: "update_retention_rule",
  about: "Change a rule of retention; its notice begins anew",
  tag: "Privacy",
  note: "Only the fields to change. With another filter, time or notice nothing is erased for `notice_days` from now.",
  example: { body: { months: 24 }, answers: { 200: { ...exampleRule, months: 24 } } },
  access: "owner",
  keepsFilters: true,
  http: ["PUT /retention-rules/:id", "PATCH /retention-rules/:id"],
  input: described(
    v.strictObject({
      name: v.optional(RequiredLine),
      filter: v.optional(RuleFilters),
      ...entries,
      notice_days: v.optional(whole(0, NOTICE_MAX)),
      ...readOnly,
      id: Id,
    }),
    words,
  ),
  output: RetentionRuleOutput,
  async run(ctx, { id, name, filter, months, days, notice_days }) {
    const account = ctx.caller.account.key
    const rule = await ctx.store.write(account, async (tx) => {
      const before = await findRule(ctx, tx.retention, id)
      const time =
        months != null ? { months, days: days ?? null } : days != null ? { months: null, days } : undefined
      const after: RetentionRule = {
        ...before,
        ...time,
        ...given({ name, filter, notice_days }),
        updated_at: ctx.now,
      }
      refuseBad(ctx, after)
      if (conditionsOf(after) !== conditionsOf(before)) after.noticed_at = ctx.now
      await tx.retention.update(account, after)
      return after
    })
    return ruleOutput(ctx, rule)
  },
})

export const deleteRetentionRule = operation({
  name: "delete_retention_rule",
  about: "Delete a rule of retention; nothing more is erased by it",
  tag: "Privacy",
  access: "owner",
  http: "DELETE /retention-rules/:id",
  run: deleting(RULE, (tx, account, id) => tx.retention.remove(account, id)),
})

export const runRetentionRule = operation({
  name: "run_retention_rule",
  about: "Show what a rule of retention would erase, or erase what is due now",
  tag: "Privacy",
  note: "The service carries rules out by itself; this erases some of what is due at once, at most 50 leads a request. With `dry_run=true` nothing is erased: `matched` leads were not touched for the rule's time, and the notice of `due` of them is over.",
  example: {
    answers: {
      200: {
        ...{ matched: 31, due: 0, erased: 0, erases_from: EARLIER + 14 * 86_400, sample: [exampleLead] },
        dry_run: true,
      },
    },
  },
  access: "owner",
  http: "POST /retention-rules/:id/run",
  query: ["dry_run"],
  input: described(v.strictObject({ id: Id, dry_run: OptionalFlag }), {
    dry_run: "Erases nothing; shows what would be erased.",
  }),
  output: described(
    v.strictObject({
      matched: count,
      due: count,
      erased: count,
      erases_from: seconds,
      sample: v.array(LeadOutput),
      dry_run: v.boolean(),
    }),
    {
      matched: "Leads of the filter that were not touched for the rule's time.",
      due: "Those whose notice is over; without `dry_run` those that are left.",
      erased: "Leads that this request has erased.",
      erases_from: "When the rule erases the first leads at the earliest.",
      dry_run: "Whether nothing was to be erased.",
      sample: "Up to 20 of them, those touched longest ago first.",
    },
  ),
  paced: true,
  async run(ctx, { id, dry_run = false }) {
    const rule = await findRule(ctx, ctx.store.read.retention, id)
    if (!dry_run) await beat(ctx)
    const erased = dry_run ? 0 : await eraseUntouched(ctx, id, RUN_MAX)
    const before = touchedBefore(rule, ctx.now)
    const filter = untouchedFilters(rule, before)
    const time = await runningTime(ctx)
    const due = erasableBefore(rule, time)
    const figures = {
      matched: await countOf(ctx, { filter }),
      due: due === undefined ? 0 : await countOf(ctx, { filter: untouchedFilters(rule, due) }),
      ...{ erased, erases_from: erasesFrom(rule, time), dry_run },
    }
    const sample = await ctx.questions.ask(untouchedQuestion, ctx, { filter, limit: SAMPLE })
    return new JsonText(`${JSON.stringify(figures).slice(0, -1)},"sample":[${sample.join(",")}]}`)
  },
})

const conditionsOf = ({ filter, months, days, notice_days }: RetentionRule) =>
  JSON.stringify([filter, months, days, notice_days])

function refuseBad(
  ctx: Context,
  { filter, months, days }: Pick<RetentionRule, "filter" | "months" | "days">,
): void {
  if ((months === null) === (days === null))
    throw badRequest("months or days says for how long a lead must not have been touched: give one of them")
  parseFilters(filter, calendarOf(ctx))
}

async function ruleOutput(ctx: Context, rule: RetentionRule): Promise<object> {
  const { id, name, filter, months, days, notice_days, created_at, updated_at } = rule
  const matched = await countOf(ctx, { filter: untouchedFilters(rule, touchedBefore(rule, ctx.now)) })
  const told = { erases_from: erasesFrom(rule, await runningTime(ctx)), matched }
  return { id, name, filter, months, days, notice_days, ...told, created_at, updated_at }
}
