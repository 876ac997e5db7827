import { compileRules, type ScoreInput } from "../../src/expression/index.ts"
import { scoreAccount } from "../../src/worker/scoring.ts"
import { fill } from "./database.ts"
import { print } from "./measure.ts"

const LEADS = 100_000
const EXPRESSIONS = [
  "rating >= 4.5 ? 20 : rating >= 4 ? 10 : 0",
  "review_count > 100 ? 15 : review_count / 10",
  "min(rating * 2, 8)",
  "latitude > 50 && longitude < 15 ? 5 : 0",
  "attr_employees > 20 ? 10 : 0",
  "days_since(created_at) < 30 ? 5 : 0",
  "(rating - 3) * 4",
  "sqrt(review_count)",
  "attr_chain ? -5 : 2",
  'status == "new" ? 3 : 0',
]

/** Rules over 100,000 leads: bare evaluation, and a whole run when all scores change and when none does. */
export async function scoring(file: string): Promise<void> {
  const { store, ctx } = await fill(file, LEADS)
  const account = ctx.caller.account.key
  const rules = EXPRESSIONS.map((expression, i) => ({
    id: `${i}`,
    name: `${i}`,
    expression,
    weight: 1,
    priority: 0,
  }))
  const now = ctx.now
  const compiled = compileRules(rules)
  const rows = await store.read.leads.scoringPage(account, compiled, "", 1_000)
  const leads: ScoreInput[] = rows.map((row) => row.lead)
  let sum = 0
  const start = performance.now()
  for (let i = 0; i < 5_000_000; i++) sum += compiled.score(leads[i % leads.length]!, now)
  const perSecond = 5_000_000 / ((performance.now() - start) / 1_000)
  if (!Number.isFinite(sum)) throw new Error("scores must be finite")
  await store.write(async (tx) => {
    for (const rule of rules) await tx.rules.insert(account, { ...rule, created_at: now, updated_at: now })
  })
  const all = await run()
  const none = await run()
  await store.close()
  print(
    "Scoring: 10 rules",
    ["measured"],
    [
      goal("evaluation", `${(perSecond / 1e6).toFixed(1)} M leads/s`, ">= 5 M leads/s", perSecond >= 5e6),
      goal(
        "100,000 leads, all change",
        `${Math.round(LEADS / all).toLocaleString("en-US")} leads/s`,
        ">= 60,000",
        LEADS / all >= 60_000,
      ),
      goal("100,000 leads, none changes", `${none.toFixed(3)} s`, "<= 0.15 s", none <= 0.15),
    ],
  )

  async function run(): Promise<number> {
    const begin = performance.now()
    const reads = store.read
    await scoreAccount(reads, { account, now, wantsAll: false }, async (page) => {
      await store.write(async (tx) => {
        for (const { ref, version, score } of page.changed)
          await tx.leads.setScore(account, ref, version, score)
      })
    })
    return (performance.now() - begin) / 1_000
  }
}

function goal(work: string, value: string, goal: string, ok: boolean) {
  return { work, values: [value], goal, ok }
}
