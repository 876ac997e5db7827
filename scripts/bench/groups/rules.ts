import { compileExpression } from "filtrex"
import { compileRules, type ScoreInput } from "../../../src/expression/index.ts"
import { dataset } from "../dataset.ts"
import type { Group } from "../group.ts"
import { check, note, ratios, spread, takeTurns } from "../harness.ts"
import { allLeads } from "../raw.ts"
import { EXPRESSIONS } from "../rules.ts"

/** The same ten rules in the words of filtrex, which converts no types. */
const FILTREX = [
  "if rating >= 4.5 then 20 else if rating >= 4 then 10 else 0",
  "if review_count > 100 then 15 else review_count / 10",
  "min(rating * 2, 8)",
  "if latitude > 50 and longitude < 15 then 5 else 0",
  "if attr_employees > 20 then 10 else 0",
  "if days_since(created_at) < 30 then 5 else 0",
  "(rating - 3) * 4",
  "sqrt(review_count)",
  "if attr_chain then -5 else 2",
  'if status == "new" then 3 else 0',
]
const EVALUATIONS = { ours: 4_000_000, filtrex: 200_000 }

/**
 * Row 8: ten rules over leads that are already read, ours as one function, filtrex as ten, as its interface has it,
 * and, for the record, as one expression joined by hand.
 */
export const rules: Group = {
  name: "rules",
  about: "evaluation of ten rules, against filtrex",
  async run() {
    const now = Math.floor(Date.now() / 1_000)
    const leads: ScoreInput[] = (await allLeads(await dataset(1_000)).next()).value
    const compiled = compileRules(
      EXPRESSIONS.map((expression, i) => ({ id: `${i}`, name: `${i}`, expression, weight: 1 })),
    )
    const others = filtrexRules(FILTREX, now)
    const joined = filtrexRules([FILTREX.map((rule) => `(${rule})`).join(" + ")], now)
    const flat = leads.map(flattened)
    const agree = leads.every((lead, i) =>
      [others, joined].every((score) => Math.abs(compiled.score(lead, now) - score(flat[i]!)) < 1e-9),
    )
    if (!agree) throw new Error("ours and filtrex give other scores: they would not do the same work")
    const works = {
      ours: rate(leads, EVALUATIONS.ours, (lead) => compiled.score(lead, now)),
      filtrex: rate(flat, EVALUATIONS.filtrex, others),
      joined: rate(flat, EVALUATIONS.filtrex, joined),
    }
    for (const work of Object.values(works)) work()
    const rates = await takeTurns(works)
    return [
      check(8, "10 rules evaluated", spread(rates.ours), ">= 25", "M leads/s"),
      check(8, "10 rules: ours / filtrex", ratios(rates.ours, rates.filtrex), ">= 20", "x"),
      note("10 rules: filtrex", spread(rates.filtrex), "M leads/s"),
      note("10 rules: filtrex, as one expression", spread(rates.joined), "M leads/s"),
    ]
  },
}

/** Evaluates all inputs in turns, as a batch does. Gives how many millions a second it did. */
function rate<T>(inputs: readonly T[], evaluations: number, score: (input: T) => number): () => number {
  return () => {
    let sum = 0
    const start = performance.now()
    for (let done = 0; done < evaluations; done += inputs.length) {
      for (const input of inputs) sum += score(input)
    }
    const seconds = (performance.now() - start) / 1_000
    if (!Number.isFinite(sum)) throw new Error("scores must be finite")
    return evaluations / seconds / 1e6
  }
}

type Flat = Record<string, number | string | boolean>

function filtrexRules(expressions: readonly string[], now: number): (lead: Flat) => number {
  const extraFunctions = { days_since: (time: number) => (now - time) / 86_400 }
  const compiled = expressions.map((expression) => compileExpression(expression, { extraFunctions }))
  return (lead) => {
    let sum = 0
    for (const rule of compiled) sum += rule(lead)
    return Math.min(100, Math.max(0, sum))
  }
}

/** All values that the rules read, as filtrex takes them: nothing may be missing. */
function flattened(lead: ScoreInput): Flat {
  const attribute = (name: string) =>
    (lead.attributes ?? []).find((one) => one.name === name)?.value as number | boolean | string | undefined
  const number = (value: unknown) => (typeof value === "number" ? value : 0)
  return {
    rating: lead.rating ?? 0,
    review_count: lead.review_count ?? 0,
    latitude: lead.latitude ?? 0,
    longitude: lead.longitude ?? 0,
    created_at: lead.created_at ?? 0,
    status: lead.status ?? "",
    attr_employees: number(attribute("employees")),
    attr_chain: attribute("chain") === true,
  }
}
