import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { issueKey } from "../../src/domain/access/api-keys.ts"
import { pushLead } from "../../src/domain/leads/write/push.ts"
import { execute } from "../../src/domain/operation.ts"
import { createScoringRule } from "../../src/domain/scoring/scoring-rules.ts"
import { type LeadInput as Input, LeadInput } from "../../src/lead/fields.ts"
import { parse } from "../../src/lead/parse.ts"
import { openDataset } from "../bench/dataset.ts"
import { generateLeads } from "../seed/leads.ts"
import { createRandom, type Random } from "../seed/random.ts"

const SEED = 1
const SPAN_S = 60 * 86_400
/** Rules whose scores spread over the scale. */
const RULES = [
  ["Well rated", "max((rating - 3) * 25, 0)"],
  ["Often reviewed", "min(review_count / 20, 15)"],
  ["Can be written to", "email != null ? 15 : 0"],
  ["Employees", "min(attr_employees, 10)"],
] as const

/** A data folder with an account of about so many leads, which came in over two months, ever more a day. */
export async function fillFolder(folder: string, count: number): Promise<{ folder: string; key: string }> {
  mkdirSync(folder, { recursive: true })
  const { store, ctx, close } = await openDataset(join(folder, "leads.db"))
  for (const [name, expression] of RULES)
    await execute(ctx, createScoringRule, ctx.caller, { name, expression })
  const random = createRandom(SEED)
  const key = await store.writeAcross(async (tx) => {
    let index = 0
    for (const lead of generateLeads(count, SEED)) {
      const age = (1 - ++index / count) ** 1.7
      const now = ctx.now - Math.floor(age * SPAN_S)
      await pushLead({ ...ctx, now }, tx, parse(LeadInput, worked(random, lead, age)))
    }
    const wanted = { name: "pictures", role: "owner", expires_at: null } as const
    return (await issueKey(tx, ctx.caller.account.key, wanted, ctx.now)).key
  })
  await close()
  return { folder, key }
}

/** The lead with its company, as far as somebody has dealt with it: older ones further. */
function worked(random: Random, given: Input, age: number): Input {
  const lead = { ...given, company: given.name.replace(/ No\. \d+.*|, .*| – .*/, "") }
  if (!random.chance(0.25 + age * 0.6)) return { ...lead, status: "new" }
  const step = random.float()
  const status =
    step < 0.5 ? "contacted" : step < 0.78 ? "qualified" : step < 0.9 ? "converted" : "disqualified"
  return { ...lead, status }
}
