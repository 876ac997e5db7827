// What a scoring rule would do to the scores of all leads, without saving it.

import * as v from "valibot"
import { compileRules } from "../../expression/index.ts"
import { NO_FILTER } from "../../filters/lead-query.ts"
import { withActivity } from "../../lead/lead.ts"
import type { ScoringRule } from "../../store/contract/store.ts"
import { counted, grouped } from "../../text/text.ts"
import { question } from "../operation.ts"

/** Leads that are shown: those whose score would move most. */
const SHOWN = 5

/** A lead whose score would move. */
export const Moved = v.strictObject({
  id: v.string(),
  name: v.string(),
  before: v.number(),
  after: v.number(),
})
type Moved = v.InferOutput<typeof Moved>

/** A rule that is tried; with `histogram` the answer counts scores in steps of 5, too. */
type TriedRule = ScoringRule & { histogram?: boolean }

/** Scores of all leads by the rules as they are, and with one more or, by its id, with a changed one. */
export const rulePreviewQuestion = question({
  name: "preview_rule",
  async run(ctx, { histogram = false, ...rule }: TriedRule) {
    const account = ctx.caller.account.key
    const rules = await ctx.store.read.rules.list(account)
    const others = rules.filter(({ id }) => id !== rule.id)
    const [old, next] = [compileRules(rules), compileRules([...others, rule])]
    const [before, after] = [newSpread(), newSpread()]
    let most: Moved[] = []
    let [leads, changed, outdated, update_all_scores] = [0, 0, 0, 0]
    const sort = { key: { on: "number", field: "created_at" }, descending: false } as const
    const yieldIfDue = ctx.eventLoop.yieldEvery()
    for await (const rows of ctx.store.readThrough.leads.walk(account, { filter: NO_FILTER, sort })) {
      for (const row of rows) {
        const lead = withActivity(row.data(), row.activity)
        const [was, is] = [old.score(lead, ctx.now), next.score(lead, ctx.now)]
        leads++
        if (row.score !== was) outdated++
        if (row.score !== is) update_all_scores++
        note(before, was)
        note(after, is)
        if (was === is) continue
        changed++
        most.push({ id: lead.id, name: lead.name, before: was, after: is })
        if (most.length > 20 * SHOWN) most = largest(most)
        await yieldIfDue()
      }
    }
    return {
      ...{ leads, changed, before: shown(before, leads), after: shown(after, leads), sample: largest(most) },
      outdated,
      update_all_scores,
      ...(outdated > 0 && {
        message: `${counted(outdated, "stored score")} ${outdated === 1 ? "is" : "are"} older than the rules: with this rule, update_all_scores would change ${grouped(update_all_scores)}`,
      }),
      ...(histogram && { scores: { before: before.bins, after: after.bins } }),
    }
  },
})

function largest(moved: readonly Moved[]): Moved[] {
  const by = ({ before, after }: Moved) => Math.abs(after - before)
  return moved.toSorted((a, b) => by(b) - by(a)).slice(0, SHOWN)
}

/** Scores are counted in steps of 5; the last holds 100. */
const BIN = 5
const BINS = 100 / BIN

const newSpread = () => ({ sum: 0, hot: 0, warm: 0, cold: 0, bins: new Array<number>(BINS).fill(0) })

function note(spread: ReturnType<typeof newSpread>, score: number): void {
  spread.sum += score
  spread.bins[Math.min(BINS - 1, Math.floor(score / BIN))]!++
  if (score >= 70) spread.hot++
  else if (score >= 40) spread.warm++
  else spread.cold++
}

function shown({ sum, bins: _, ...counts }: ReturnType<typeof newSpread>, leads: number) {
  return { average: leads === 0 ? null : Math.round((sum / leads) * 100) / 100, ...counts }
}
