// The model learned from an account's decisions.

import * as v from "valibot"
import { described, named } from "../../lead/described.ts"
import { count, OptionalFlag, Probability } from "../../lead/fields.ts"
import type { Json } from "../../lead/lead.ts"
import { DECISIONS_MAX, SHIPPED, weightTable } from "../../matching/matcher/index.ts"
import { badRequest } from "../../runtime/errors.ts"
import type { DuplicateReads, PairDecision } from "../../store/contract/store.ts"
import { type Context, operation } from "../operation.ts"

const exampleModel: Record<string, Json> = {
  learning: true,
  auto_merge_above: null,
  decisions: { same: 31, different: 6 },
  learned: true,
  loss: { decisions: 37, built_in: 0.41, learned: 0.29 },
  weights: { "phone.same": 5.1, "name.same": 4.8 },
  precision: [{ from: 0.95, decisions: 30, precision: 0.967 }],
}

/** The lowest threshold of automatic merging, and the decisions that must prove its precision. */
const ABOVE_LEAST = 0.99
const DECISIONS_LEAST = 50
const PRECISION_LEAST = 0.99
const BOUNDS = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99]

const ModelOutput = named(
  "DuplicateModel",
  v.strictObject({
    learning: v.boolean(),
    auto_merge_above: v.nullable(v.number()),
    decisions: v.strictObject({ same: count, different: count }),
    learned: v.boolean(),
    loss: v.nullable(v.strictObject({ decisions: count, built_in: v.number(), learned: v.number() })),
    weights: v.record(v.string(), v.number()),
    precision: v.array(
      v.strictObject({ from: v.number(), decisions: count, precision: v.nullable(v.number()) }),
    ),
  }),
  {
    learning: "Whether weights learn from decisions.",
    auto_merge_above: "Pairs at or above this probability are merged automatically; null for off.",
    "decisions.same": "Merged.",
    "decisions.different": "Dismissed pairs.",
    decisions: "Single merges and dismissals, the latest 2,000.",
    learned: "Whether the weights were learned from your decisions.",
    "loss.decisions": "Decisions that were compared.",
    "loss.built_in": "With the built-in weights.",
    "loss.learned": "With weights learned from the other decisions.",
    loss: "Mean surprise in bits by a decision, cross-validated: learned weights are used only where theirs is at least 2 % lower. Null below 20 decisions.",
    weights: "Weights in bits, by feature of a pair.",
    "precision[].from": "Pairs at or above this probability.",
    "precision[].decisions": "Decisions on them.",
    "precision[].precision": "The share that was the same; null without decisions.",
    precision: "How many decided pairs were the same.",
  },
)

export const getDuplicateModel = operation({
  name: "get_duplicate_model",
  about: "How pairs are weighed, and how right that was by your decisions",
  tag: "Duplicates",
  note: "From 20 decisions, weights are fitted to them, close to the defaults, and used where they explain decisions better that they were not fitted to: `loss` has both figures.",
  example: { answers: { 200: exampleModel } },
  access: "read",
  http: "GET /duplicates/model",
  output: ModelOutput,
  run: (ctx) => modelOf(ctx, ctx.store.read.duplicates),
})

export const updateDuplicateModel = operation({
  name: "update_duplicate_model",
  about: "Switch learning or automatic merges of certain duplicates on or off",
  tag: "Duplicates",
  note: "`auto_merge_above` is refused below 0.99, and before 50 decisions on such pairs show that at least 99 % of them are the same.",
  example: { body: { learning: false }, answers: { 200: { ...exampleModel, learning: false } } },
  access: "write",
  http: "PATCH /duplicates/model",
  input: described(
    v.strictObject({
      learning: OptionalFlag,
      auto_merge_above: v.optional(v.nullable(Probability)),
    }),
    {
      learning: "Whether weights learn from decisions.",
      auto_merge_above: "At least 0.99, and only after 50 decisions with 99 % precision; null for off.",
    },
  ),
  output: ModelOutput,
  async run(ctx, changes) {
    const account = ctx.caller.account.key
    const above = changes.auto_merge_above
    if (above != null && above < ABOVE_LEAST)
      throw badRequest(`auto_merge_above must be at least ${ABOVE_LEAST}, or null to merge nothing by itself`)
    return ctx.store.write(account, async (tx) => {
      if (above != null) refuseUnproven(await tx.duplicates.decisions(account, DECISIONS_MAX), above)
      await tx.duplicates.change(account, changes)
      return modelOf(ctx, tx.duplicates)
    })
  },
})

/** Throws `bad_request` unless enough decisions prove that pairs above the threshold are duplicates. */
function refuseUnproven(decisions: readonly PairDecision[], above: number): void {
  const { decisions: n, precision } = precisionFrom(decisions, above)
  if (n >= DECISIONS_LEAST && (precision ?? 0) >= PRECISION_LEAST) return
  const shown =
    n === 0
      ? "there are none"
      : `there are ${n}, of which ${Math.round((precision ?? 0) * 100)} % were the same`
  throw badRequest(
    `auto_merge_above needs ${DECISIONS_LEAST} decisions on pairs of ${above} and more, at least ` +
      `${PRECISION_LEAST * 100} % of them merged: ${shown}`,
  )
}

function precisionFrom(all: readonly PairDecision[], from: number) {
  const above = all.filter(({ probability }) => probability >= from)
  const same = above.filter(({ isSame }) => isSame).length
  const precision = above.length === 0 ? null : Math.round((same / above.length) * 1_000) / 1_000
  return { from, decisions: above.length, precision }
}

async function modelOf(ctx: Context, reads: DuplicateReads): Promise<v.InferOutput<typeof ModelOutput>> {
  const account = ctx.caller.account.key
  const settings = await reads.settings(account)
  const decisions = await reads.decisions(account, DECISIONS_MAX)
  const same = decisions.filter(({ isSame }) => isSame).length
  const loss = await reads.loss(account)
  const learned = settings.learning && settings.weights !== null
  return {
    learning: settings.learning,
    auto_merge_above: settings.auto_merge_above,
    decisions: { same, different: decisions.length - same },
    learned,
    loss: loss && { decisions: loss.decisions, built_in: loss.shipped, learned: loss.learned },
    weights: learned ? settings.weights! : weightTable(SHIPPED),
    precision: BOUNDS.map((from) => precisionFrom(decisions, from)),
  }
}
