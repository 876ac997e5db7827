// Commands on scoring rules, scores and counts.

import { print } from "../../../test/expression/interpreter.ts"
import { type ModelRule, ordered, RULES, shownRule, worthOf } from "../../../test/support/model/rules.ts"
import type { ModelLead } from "../../../test/support/model.ts"
import type { Command, Target } from "./commands.ts"
import { expectDeleted, expectStatus, leadOf, pick, type Run, same } from "./run.ts"

type Of<Do extends Command["do"]> = Extract<Command, { do: Do }>

export async function addRule(run: Run, { rule: nth, weight, priority }: Of<"add rule">): Promise<void> {
  const rule = RULES[nth]!
  const args = { name: `rule ${nth}`, expression: print(rule), weight, priority }
  const reply = await run.ask("create_scoring_rule", args)
  expectStatus(run, reply, 201)
  const made: ModelRule = {
    id: reply.body.id,
    name: args.name,
    rule,
    weight,
    priority,
    created_at: run.now,
    updated_at: run.now,
  }
  same("the rule", reply.body, shownRule(made))
  run.account.rules.push(made)
}

function ruleOf({ account, foreign }: Run, at: Target): string {
  const ids = account.rules.map(({ id }) => id)
  return pick(ids, at, [undefined, foreign.rule])
}

export async function setRule(run: Run, { at, rule, weight }: Of<"set rule">): Promise<void> {
  const id = ruleOf(run, at)
  const reply = await run.ask("update_scoring_rule", { id, expression: print(RULES[rule]!), weight })
  const known = run.account.rules.find((one) => one.id === id)
  expectStatus(run, reply, known ? 200 : 404)
  if (!known) return
  Object.assign(known, { rule: RULES[rule], weight, updated_at: run.now })
  same("the rule", reply.body, shownRule(known))
}

export async function dropRule(run: Run, { at }: Of<"drop rule">): Promise<void> {
  const id = ruleOf(run, at)
  const reply = await run.ask("delete_scoring_rule", { id })
  const { account } = run
  if (!account.rules.some((one) => one.id === id)) return expectStatus(run, reply, 404)
  expectDeleted(run, reply, id)
  account.rules = account.rules.filter((one) => one.id !== id)
}

export async function listRules(run: Run): Promise<void> {
  const reply = await run.ask("list_scoring_rules", {})
  expectStatus(run, reply, 200)
  same("the rules", reply.body, ordered(run.account.rules).map(shownRule))
}

export async function score(run: Run, { lead }: Of<"score">): Promise<void> {
  const id = leadOf(run, lead)
  const reply = await run.ask("update_lead_score", { id, explain: true })
  const known = run.account.leads.get(id)
  expectStatus(run, reply, known ? 200 : 404)
  if (!known) return
  const { score, parts } = worthOf(run.account.rules, known, run.now)
  const rules = reply.body.rules.map(({ name, ...part }: { name: string }) => part)
  same("the score", { ...reply.body, rules }, { id, score, rules: parts })
  run.account.leads.setScore(id, score)
}

export async function scoreAll(run: Run): Promise<void> {
  const reply = await run.ask("update_all_scores", {})
  expectStatus(run, reply, 200)
  const { leads, rules } = run.account
  let changed = 0
  for (const lead of leads.list()) {
    const { score } = worthOf(rules, lead, run.now)
    if (score !== lead.score) changed++
    leads.setScore(lead.id, score)
  }
  same("the counts", reply.body, { count: leads.size(), changed })
}

const DAY = 86_400

export async function stats(run: Run): Promise<void> {
  const reply = await run.ask("get_stats", {})
  expectStatus(run, reply, 200)
  const leads = run.account.leads.list({ sort_by: "id" })
  const count = (holds: (lead: ModelLead) => boolean) => leads.filter(holds).length
  const scores = leads.map((lead) => lead.score)
  const { average, ...score } = reply.body.score
  const mean = scores.reduce((sum, one) => sum + one, 0) / scores.length
  if (scores.length === 0 ? average !== null : Math.abs(average - mean) > 1e-9)
    throw new Error(`the average is ${average}, should be ${mean}`)
  const statuses = ["new", "contacted", "qualified", "disqualified", "converted"]
  same(
    "the stats",
    // The tool also tells how many requests are left.
    { ...reply.body, score, requests: undefined },
    {
      total_leads: leads.length,
      by_status: Object.fromEntries(
        statuses.map((status) => [status, count((lead) => lead.status === status)]),
      ),
      by_source: Object.fromEntries(commonest(leads, "source").map(({ value, count }) => [value, count])),
      score: {
        min: scores.length === 0 ? null : Math.min(...scores),
        max: scores.length === 0 ? null : Math.max(...scores),
        hot: count((lead) => lead.score >= 70),
        warm: count((lead) => lead.score >= 40 && lead.score < 70),
        cold: count((lead) => lead.score < 40),
      },
      with_email: count((lead) => lead.email !== null),
      with_phone: count((lead) => lead.phone !== null),
      created_last_7_days: count((lead) => lead.created_at >= run.now - 7 * DAY),
      created_last_30_days: count((lead) => lead.created_at >= run.now - 30 * DAY),
      plan: {
        name: "enterprise",
        leads_limit: run.account.limit,
        leads_used: leads.length,
        storage_limit: null,
        storage_used: reply.body.plan.storage_used,
      },
    },
  )
}

export async function cities(run: Run): Promise<void> {
  const reply = await run.ask("list_cities", { limit: 3 })
  expectStatus(run, reply, 200)
  const most = commonest(run.account.leads.list({ sort_by: "id" }), "city").slice(0, 3)
  same(
    "the cities",
    reply.body,
    most.map(({ value, count }) => ({ city: value, count })),
  )
}

/** Values ignoring case with their counts, most first; each as its oldest lead has it. */
function commonest(leads: readonly ModelLead[], field: "city" | "source") {
  const folded = (text: string) => text.normalize("NFC").toLowerCase().replaceAll("ς", "σ")
  const groups = new Map<string, { value: string; count: number }>()
  for (const lead of leads) {
    const value = lead[field]
    if (value !== null) groups.getOrInsert(folded(value), { value, count: 0 }).count++
  }
  return [...groups]
    .toSorted(([a, one], [b, other]) => other.count - one.count || (a < b ? -1 : 1))
    .map(([, group]) => group)
}
