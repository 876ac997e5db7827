import * as v from "valibot"
import { checkExpression, EXPRESSION_MAX } from "../../expression/index.ts"
import { described, named } from "../../lead/described.ts"
import {
  count,
  Finite,
  Id,
  ignoring,
  LONG_MAX,
  OptionalFlag,
  RequiredLine,
  seconds,
  UNSTORABLE,
  whole,
} from "../../lead/fields.ts"
import { badRequest } from "../../runtime/errors.ts"
import type { RuleReads, ScoringRule } from "../../store/contract/store.ts"
import { grouped, isStorable } from "../../text/text.ts"
import { EARLIER, type ExampleFields, NOW, RULE_ID } from "../examples.ts"
import { askAtOnce, type Context, operation, previewOne, toolOf } from "../operation.ts"
import { deleting, finder, given, refuseFull } from "../things.ts"
import { rulePreviewQuestion } from "./preview-rule.ts"

const exampleRule: ExampleFields = {
  id: RULE_ID,
  name: "well rated",
  expression: "rating >= 4.5 ? 60 : rating * 5",
  weight: 1,
  priority: 0,
  created_at: EARLIER,
  updated_at: EARLIER,
}

export const RULES_MAX = 200

const words = {
  name: "For people.",
  expression: { maxLength: EXPRESSION_MAX, description: "Such as `rating >= 4 ? 20 : 0`." },
  weight: "Factor for the expression's value.",
  priority: "Orders the rules in lists, lowest first.",
}

const ScoringRuleOutput = named(
  "ScoringRule",
  v.strictObject({
    id: v.string(),
    name: v.string(),
    expression: v.string(),
    weight: v.number(),
    priority: count,
    created_at: seconds,
    updated_at: seconds,
  }),
  { id: "`rule_` and a UUID.", ...words },
)

/** Stored as it was sent, including spaces, so that positions in messages are those of the sender's text. */
const Expression = v.pipe(
  v.string("must be text"),
  v.maxLength(LONG_MAX, "must be at most 4,000 characters"),
  v.check(isStorable, UNSTORABLE),
)
const Priority = whole(Number.MIN_SAFE_INTEGER)
const getRule = finder<ScoringRule>("Scoring rule")
const readOnly = ignoring("id", "created_at", "updated_at")

export const listScoringRules = operation({
  name: "list_scoring_rules",
  about: "List the scoring rules by priority",
  tag: "Scoring",
  note: "Lowest priority first, then the oldest. An account keeps at most 200 rules.",
  example: { answers: { 200: [exampleRule] } },
  access: "read",
  http: "GET /scoring-rules",
  tool: {},
  output: v.array(ScoringRuleOutput),
  run: (ctx) => ctx.store.read.rules.list(ctx.caller.account.key),
})

const ruleEntries = {
  name: RequiredLine,
  expression: Expression,
  weight: v.optional(Finite, 1),
  priority: v.optional(Priority, 0),
}

const createRuleTool = toolOf({
  about: "Create a scoring rule, or preview it by dry_run; update_all_scores applies it",
  words: {
    expression: "Such as rating > 4 ? 20 : 0",
    dry_run: "Preview of scores",
  },
  input: v.strictObject({
    ...ruleEntries,
    ...readOnly,
    dry_run: OptionalFlag,
  }),
  async run(ctx, { dry_run, ...rule }) {
    if (!dry_run) return createRule(ctx, rule)
    const { name, expression, weight, priority } = rule
    return { dry_run: true, ...(await previewOverAll(ctx, { name, expression, weight, priority })) }
  },
})

/**
 * What a rule would do to the scores of all leads; `id` names the rule that it would replace. Throws `bad_request` for
 * a bad expression and too many text searches, and `not_found` for an unknown id.
 */
export async function previewOverAll(
  ctx: Context,
  {
    id,
    name,
    expression,
    weight,
    priority,
  }: Omit<ScoringRule, "id" | "created_at" | "updated_at"> & { id?: string },
  histogram = false,
) {
  refuseBad(expression)
  const { rules } = ctx.store.read
  if (id !== undefined) await getRule(ctx, rules, id)
  const tried = { id: id ?? "rule_preview", name, expression, weight, priority }
  await refuseHeavy(rules, ctx.caller.account.key, tried)
  const asked = { ...tried, created_at: ctx.now, updated_at: ctx.now, ...(histogram && { histogram }) }
  return askAtOnce(ctx, rulePreviewQuestion, asked)
}

export const createScoringRule = operation({
  name: "create_scoring_rule",
  about: "Create a scoring rule; update_all_scores applies it to all leads",
  tag: "Scoring",
  errors: ["conflict"],
  note: `The score of a lead is the sum of value times weight over all rules, clamped to 0-100. Writes score their lead at once; \`POST /leads/score/batch\` applies changed rules to all leads.

Expressions know \`+ - * / %\`, comparisons, \`&& || !\`, \`condition ? a : b\`, parentheses, texts in quotes, lead fields by name, attributes as \`attr_<name>\` or \`attr("Any name")\`, and \`min max abs round floor ceil log sqrt contains(text, part) has(list, item) len(x) days_since(time)\`. Missing values are 0, and equal to \`null\` (or \`nil\`). An invalid expression is refused with the position of the error.`,
  example: {
    body: { name: "well rated", expression: "rating >= 4.5 ? 60 : rating * 5" },
    answers: { 201: exampleRule },
  },
  access: "write",
  http: "POST /scoring-rules",
  tool: createRuleTool,
  input: described(
    v.strictObject({
      ...ruleEntries,
      ...readOnly,
    }),
    words,
  ),
  output: ScoringRuleOutput,
  status: 201,
  run: createRule,
})

/** Saves a rule. Throws `bad_request`, and `conflict` when the account has as many as it may. */
async function createRule(
  ctx: Context,
  { name, expression, weight, priority }: Pick<ScoringRule, "name" | "expression" | "weight" | "priority">,
): Promise<ScoringRule> {
  refuseBad(expression)
  return ctx.store.write(ctx.caller.account.key, async (tx) => {
    const account = ctx.caller.account.key
    refuseFull(await tx.rules.list(account), RULES_MAX, "scoring rules")
    const id = tx.newId("rule_")
    const rule = { id, name, expression, weight, priority, created_at: ctx.now, updated_at: ctx.now }
    await refuseHeavy(tx.rules, account, rule)
    await tx.rules.insert(account, rule)
    return rule
  })
}

export const getScoringRule = operation({
  name: "get_scoring_rule",
  about: "Get one scoring rule",
  tag: "Scoring",
  note: "The expression is kept as it was sent, spaces and all.",
  example: { answers: { 200: exampleRule } },
  access: "read",
  http: "GET /scoring-rules/:id",
  tool: { words: { id: "Rule id, from list_scoring_rules" } },
  output: ScoringRuleOutput,
  run: (ctx, { id }) => getRule(ctx, ctx.store.read.rules, id),
})

export const updateScoringRule = operation({
  name: "update_scoring_rule",
  about: "Change the name, expression, weight or priority of a scoring rule",
  tag: "Scoring",
  example: { body: { weight: 0.5 }, answers: { 200: { ...exampleRule, weight: 0.5, updated_at: NOW } } },
  access: "write",
  http: ["PUT /scoring-rules/:id", "PATCH /scoring-rules/:id"],
  tool: {
    words: {
      id: "Rule id, from list_scoring_rules",
      expression: "Such as rating > 4 ? 20 : 0",
    },
  },
  input: described(
    v.strictObject({
      name: v.optional(RequiredLine),
      expression: v.optional(Expression),
      weight: v.optional(Finite),
      priority: v.optional(Priority),
      ...readOnly,
      id: Id,
    }),
    words,
  ),
  output: ScoringRuleOutput,
  async run(ctx, { id, name, expression, weight, priority }) {
    if (expression !== undefined) refuseBad(expression)
    const changes = given({ name, expression, weight, priority })
    return ctx.store.write(ctx.caller.account.key, async (tx) => {
      const before = await getRule(ctx, tx.rules, id)
      const rule = { ...before, ...changes, updated_at: ctx.now }
      await refuseHeavy(tx.rules, ctx.caller.account.key, rule)
      await tx.rules.update(ctx.caller.account.key, rule)
      return rule
    })
  },
})

export const deleteScoringRule = operation({
  name: "delete_scoring_rule",
  about: "Delete a scoring rule; update_all_scores takes it out of all scores",
  tag: "Scoring",
  access: "write",
  http: "DELETE /scoring-rules/:id",
  tool: {
    words: { id: "Rule id, from list_scoring_rules" },
    preview: previewOne(getScoringRule.run),
  },
  run: deleting("Scoring rule", (tx, account, id) => tx.rules.remove(account, id)),
})

/** Throws `bad_request` such as `expression: expected a value after "*" at 9`. */
function refuseBad(expression: string): void {
  const checked = checkExpression(expression)
  if (!checked.ok) throw badRequest(`expression: ${checked.error.message}`)
  for (const { 0: text, index } of expression.matchAll(LITERAL)) {
    if (text.length - 2 <= LITERAL_MAX) continue
    throw badRequest(
      `expression: the text at position ${index + 1} must be at most ${LITERAL_MAX} characters, it has ${text.length - 2}`,
    )
  }
}

/** Throws `bad_request` when all rules of an account together would search texts too often for each lead. */
async function refuseHeavy(rules: RuleReads, account: number, rule: Pick<ScoringRule, "id" | "expression">) {
  const others = (await rules.list(account)).filter(({ id }) => id !== rule.id)
  const uses = [rule, ...others].reduce((sum, { expression }) => sum + textUses(expression), 0)
  if (uses <= TEXT_USES_MAX) return
  throw badRequest(
    `expression: the rules of an account may use contains, has, len and == at most ${grouped(TEXT_USES_MAX)} times in ` +
      `all, with this one it would be ${grouped(uses)}`,
  )
}

function textUses(expression: string): number {
  return expression.replace(LITERAL, "").match(/\b(contains|has|len)\b|[=!]=/g)?.length ?? 0
}

/** A text in quotes, or up to the end where the quote is never closed. */
const LITERAL = /"(?:[^"\\]|\\(?:.|$))*(?:"|$)|'(?:[^'\\]|\\(?:.|$))*(?:'|$)/gs
/** Characters of a text literal in an expression. */
const LITERAL_MAX = 200
/** Text searches in all rules of an account. */
const TEXT_USES_MAX = 1_000
