import * as v from "valibot"
import { checkExpression, EXPRESSION_MAX, evaluate, type ScoreInput } from "../../expression/index.ts"
import { NO_FILTER } from "../../filters/lead-query.ts"
import { described } from "../../lead/described.ts"
import {
  AttributeInput,
  count,
  Finite,
  Id,
  Line,
  LONG_MAX,
  leadEntries,
  OptionalFlag,
  whole,
} from "../../lead/fields.ts"
import { withActivity } from "../../lead/lead.ts"
import { badRequest } from "../../runtime/errors.ts"
import { publish } from "../events.ts"
import { JOB_ID, LEAD_ID, RULE_ID } from "../examples.ts"
import { getLeadRow } from "../leads/lead-operations.ts"
import { changeScore } from "../leads/segments/transitions.ts"
import { operation, refuseBound } from "../operation.ts"
import { rulesOf } from "../rule-sets.ts"
import { Moved } from "./preview-rule.ts"
import { scoreAll, startScoring } from "./score-all.ts"
import { previewOverAll } from "./scoring-rules.ts"

/** The share of one rule in a score. */
const RuleShare = v.strictObject({
  id: v.string(),
  name: v.string(),
  value: v.number(),
  weight: v.number(),
  contribution: v.number(),
})
const shareWords = {
  "rules[].id": "The rule's.",
  "rules[].name": "The rule's.",
  "rules[].value": "The expression's value.",
  "rules[].weight": "The rule's.",
  "rules[].contribution": "Value times weight.",
}

export const updateLeadScore = operation({
  name: "update_lead_score",
  about: "Recalculate the score of one lead from the current rules",
  tag: "Scoring",
  example: { answers: { 200: { id: LEAD_ID, score: 60 } } },
  access: "write",
  forSegments: true,
  http: "POST /leads/:id/score",
  tool: {
    isRepeatable: true,
    words: { id: "Lead id", explain: "Adds what each rule contributed" },
  },
  query: ["explain"],
  input: described(v.strictObject({ id: Id, explain: OptionalFlag }), {
    explain: "Adds the contribution of each rule.",
  }),
  output: described(
    v.strictObject({
      id: v.string(),
      score: v.number(),
      rules: v.optional(v.array(RuleShare)),
    }),
    {
      ...shareWords,
      rules: "Contribution of each rule, with `explain`.",
    },
  ),
  async run(ctx, { id, explain }) {
    return ctx.store.write(ctx.caller.account.key, async (tx) => {
      const row = await getLeadRow(ctx, tx.leads, id)
      if (explain) refuseBound(ctx.caller, "explain is")
      const rules = await rulesOf(ctx, tx.rules)
      const lead = withActivity(row.data(), row.activity)
      const score = rules.score(lead, ctx.now)
      const scored = (await changeScore(ctx, tx, row, score)) ? await getLeadRow(ctx, tx.leads, id) : row
      await publish(ctx, tx, "lead.scored", scored.json())
      return explain ? { id, score, rules: rules.explain(lead, ctx.now) } : { id, score }
    })
  },
})

export const explainLeadScore = operation({
  name: "explain_lead_score",
  about: "Show what each rule gives for a lead now, without storing anything",
  tag: "Scoring",
  note: "Reads only: nothing is stored and no event is sent, unlike `POST`. Rules are tried on the lead as it is now.",
  example: {
    answers: {
      200: {
        id: LEAD_ID,
        score: 60,
        rules: [{ id: RULE_ID, name: "well rated", value: 60, weight: 1, contribution: 60 }],
      },
    },
  },
  access: "read",
  forSegments: true,
  http: "GET /leads/:id/score",
  output: described(v.strictObject({ id: v.string(), score: v.number(), rules: v.array(RuleShare) }), {
    score: "The score that the rules give now; the stored score is not changed.",
    ...shareWords,
    rules: "By priority.",
  }),
  async run(ctx, { id }) {
    const row = await getLeadRow(ctx, ctx.store.read.leads, id)
    refuseBound(ctx.caller, "what the scoring rules give is")
    const rules = await rulesOf(ctx, ctx.store.read.rules)
    const lead = withActivity(row.data(), row.activity)
    return { id, score: rules.score(lead, ctx.now), rules: rules.explain(lead, ctx.now) }
  },
})

export const updateAllScores = operation({
  name: "update_all_scores",
  about: "Recalculate all scores from the current rules",
  tag: "Scoring",
  note: "Runs on a second thread. Answers when it is done, or with `background=true` at once with a job. Concurrent requests share one run.",
  says: { 202: "Accepted: a job does it, see `GET /jobs/{id}`." },
  example: {
    answers: {
      200: { count: 212, changed: 17 },
      202: { job: JOB_ID, of: 212 },
    },
  },
  access: "write",
  http: "POST /leads/score/batch",
  paced: true,
  tool: {
    isRepeatable: true,
    guard: () => "many",
    async preview({ store, caller }) {
      return { matched: await store.read.leads.count(caller.account.key, NO_FILTER), sample: [] }
    },
  },
  input: described(v.strictObject({ background: OptionalFlag }), {
    background: "Answers 202 at once and runs in the background.",
  }),
  // The tool waits for the result, since tools that follow a job are in a toolset of their own.
  toolInput: v.strictObject({}),
  query: ["background"],
  output: described(
    v.union([
      v.strictObject({ count: whole(0), changed: whole(0) }),
      v.strictObject({ job: v.string(), of: whole(0) }),
    ]),
    {
      count: "How many leads there are.",
      changed: "How many scores changed.",
      job: "Id of the job: see `GET /jobs/{id}`.",
      of: "How many leads there are.",
    },
  ),
  otherStatuses: [202],
  async run(ctx, { background = false }) {
    if (background) return startScoring(ctx)
    const run = await scoreAll(ctx)
    run.isAwaited = true
    return run.result
  },
})

const Spread = described(
  v.strictObject({ average: v.nullable(v.number()), hot: count, warm: count, cold: count }),
  { average: "Null without leads.", hot: "From 70.", warm: "From 40.", cold: "Below 40." },
)

const optional = v.nullish(Line)
const time = v.nullish(whole(0))

export const previewScoringRule = operation({
  name: "preview_scoring_rule",
  about: "Try an expression on a lead, or on all leads, without saving anything",
  tag: "Scoring",
  errors: ["not_found"],
  note: "Give `lead_id`, or `lead`, or neither for an empty lead. With `all` the answer tells what the rule would do to the scores of all leads, with `weight`, and in place of the rule `rule_id` where that is given. Nothing is saved.",
  example: {
    body: { expression: "rating * 10", lead: { rating: 4.6 } },
    answers: { 200: { valid: true, value: 46 } },
  },
  access: "write",
  http: "POST /scoring-rules/preview",
  input: described(
    v.strictObject({
      expression: v.pipe(v.string("must be text"), v.maxLength(LONG_MAX, "is too long")),
      lead_id: v.optional(Id),
      lead: v.optional(
        v.strictObject({
          name: optional,
          source: optional,
          ...leadEntries,
          created_at: time,
          updated_at: time,
          last_interaction_at: time,
          last_note_at: time,
          note_count: v.nullish(whole(0)),
          last_contacted_at: time,
          last_touched_at: time,
          attributes: v.nullish(v.array(AttributeInput, "must be a list of {name, type, value}")),
          id: v.optional(v.unknown()),
          score: v.optional(v.unknown()),
        }),
      ),
      all: OptionalFlag,
      weight: v.optional(Finite),
      rule_id: v.optional(Id),
    }),
    {
      all: "Try it on all leads.",
      weight: "With `all`: the factor for the expression's value, 1 by default.",
      rule_id: "With `all`: the rule that it would replace.",
      expression: { maxLength: EXPRESSION_MAX, description: "Such as `rating >= 4 ? 20 : 0`." },
      lead_id: "Try it on this lead.",
      lead: "Or on this one, which is not saved.",
    },
  ),
  output: described(
    v.strictObject({
      valid: v.boolean(),
      value: v.optional(v.number()),
      error: v.optional(v.strictObject({ message: v.string(), position: v.number() })),
      leads: v.optional(count),
      changed: v.optional(count),
      outdated: v.optional(count),
      update_all_scores: v.optional(count),
      message: v.optional(v.string()),
      before: v.optional(Spread),
      after: v.optional(Spread),
      scores: v.optional(v.strictObject({ before: v.array(count), after: v.array(count) })),
      sample: v.optional(v.array(Moved)),
    }),
    {
      leads: "Only with `all`: how many leads there are.",
      changed: "Only with `all`: how many scores would change.",
      outdated: "Only with `all`: how many stored scores are not by the rules as they are.",
      update_all_scores:
        "Only with `all`: how many stored scores would change once all are recalculated with this rule.",
      message: "Says so where stored scores are old.",
      before: "Only with `all`: the scores by the rules as they are.",
      after: "Only with `all`: the scores with this rule.",
      scores: "Only with `all`: how many leads have which score, in 20 steps of 5.",
      "scores.before": "By the rules as they are.",
      "scores.after": "With this rule.",
      sample: "Only with `all`: the leads whose score would change most.",
      "sample[].before": "Score by the rules as they are.",
      "sample[].after": "Score with this rule.",
      value: "The expression's value.",
      "error.position": "Character at which the expression goes wrong, from 1.",
    },
  ),
  async run(ctx, { expression, lead_id: leadId, lead, all = false, weight, rule_id: ruleId }) {
    if (all && (leadId !== undefined || lead !== undefined))
      throw badRequest("give all, lead_id or lead, only one of them")
    if (!all && (weight !== undefined || ruleId !== undefined))
      throw badRequest("weight and rule_id belong to all")
    if (leadId !== undefined && lead !== undefined) throw badRequest("give lead_id or lead, not both")
    const checked = checkExpression(expression)
    if (!checked.ok) return { valid: false, error: checked.error }
    if (all) {
      const tried = { name: "", expression, weight: weight ?? 1, priority: 0, ...(ruleId && { id: ruleId }) }
      return { valid: true, ...(await previewOverAll(ctx, tried, true)) }
    }
    const row = leadId === undefined ? undefined : await getLeadRow(ctx, ctx.store.read.leads, leadId)
    const subject: ScoreInput = row ? withActivity(row.data(), row.activity) : (lead ?? {})
    return { valid: true, value: evaluate(checked.expression, subject, ctx.now) }
  },
})
