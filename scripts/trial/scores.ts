// Eight rules in the style of the specification's examples, each beside the same thing said plainly in TypeScript.
import type { Target } from "../seed/push.ts"

type Lead = Record<string, unknown>
type Differ = (what: string) => void

const number = (value: unknown) => (typeof value === "number" ? value : 0)
const attribute = (lead: Lead, name: string) =>
  (lead.attributes as { name: string; value: unknown }[]).find((one) => one.name === name)?.value
const count = (value: unknown) => (Array.isArray(value) ? value.length : 0)

const RULES: { expression: string; weight: number; plainly: (lead: Lead) => number }[] = [
  { expression: "rating * 5", weight: 1, plainly: (lead) => number(lead.rating) * 5 },
  {
    expression: "rating >= 4.5 ? 20 : rating >= 4 ? 10 : 0",
    weight: 1,
    plainly: ({ rating }) => (number(rating) >= 4.5 ? 20 : number(rating) >= 4 ? 10 : 0),
  },
  {
    expression: "review_count > 100 ? 15 : review_count / 10",
    weight: 0.5,
    plainly: ({ review_count }) => (number(review_count) > 100 ? 15 : number(review_count) / 10),
  },
  { expression: "email ? 10 : -10", weight: 1, plainly: ({ email }) => (email ? 10 : -10) },
  {
    expression: 'status == "qualified" || status == "converted" ? 30 : 0',
    weight: 1,
    plainly: ({ status }) => (status === "qualified" || status === "converted" ? 30 : 0),
  },
  {
    expression: "min(attr_employees, 50) / 5",
    weight: 1.5,
    plainly: (lead) => Math.min(number(attribute(lead, "employees")), 50) / 5,
  },
  { expression: "attr_chain ? -5 : 0", weight: 2, plainly: (lead) => (attribute(lead, "chain") ? -5 : 0) },
  { expression: "len(tags) * (1 + 1)", weight: 1, plainly: ({ tags }) => count(tags) * 2 },
]

/** Makes the rules, scores all leads in a batch, and holds every lead's score against the plain calculation. */
export async function compareScores(
  target: Target,
  leads: () => Promise<Lead[]>,
  differ: Differ,
): Promise<string> {
  for (const [i, { expression, weight }] of RULES.entries()) {
    await post(target, "/scoring-rules", { name: `Rule ${i + 1}`, expression, weight })
  }
  const first = await batch(target)
  const second = await batch(target)
  if (second.changed !== 0) differ(`a second batch changed ${second.changed} scores`)
  const held = await leads()
  if (first.count !== held.length) differ(`the batch scored ${first.count} of ${held.length} leads`)
  for (const lead of held) {
    const sum = RULES.reduce((sum, { plainly, weight }) => sum + plainly(lead) * weight, 0)
    const expected = Math.min(100, Math.max(0, sum))
    if (Math.abs(expected - number(lead.score)) > 1e-9)
      differ(`score of ${lead.id}: ${lead.score}, not ${expected}`)
  }
  return `${first.count} leads, ${first.changed} changed in ${first.ms} ms; none the second time in ${second.ms} ms`
}

async function batch(target: Target): Promise<{ count: number; changed: number; ms: number }> {
  const start = performance.now()
  const answer = (await post(target, "/leads/score/batch")) as { count: number; changed: number }
  return { ...answer, ms: Math.round(performance.now() - start) }
}

async function post(target: Target, path: string, body?: unknown): Promise<unknown> {
  const headers = { "x-api-key": target.key }
  const response = await fetch(target.url + path, {
    method: "POST",
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}
