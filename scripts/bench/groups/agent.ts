import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { walk } from "../agent/walk.ts"
import type { Group } from "../group.ts"
import type { Check } from "../harness.ts"
import { newAccount, serve } from "../service.ts"

/** An agent's morning by the default tools: outcomes, calls and tokens, which no machine changes. */
export const agent: Group = {
  name: "agent",
  about: "eighteen jobs of an agent: what is done whole, in how many calls and tokens",
  async run({ program, scratch }) {
    const folder = join(scratch, "agent")
    mkdirSync(folder, { recursive: true })
    const key = newAccount(program, folder, "agent")
    const service = await serve(program, { folder, key }, "unbound")
    try {
      const target = { mcpUrl: `${service.mcpOrigin}/mcp`, key, rest: service.call }
      const { jobs, list, instructions, largest } = await walk(target)
      const whole = jobs.filter(({ problem }) => problem === undefined)
      for (const { name, problem } of jobs)
        if (problem !== undefined) console.error(`not whole: ${name}: ${problem}`)
      const calls = (some: typeof jobs) => some.reduce((sum, job) => sum + job.calls, 0)
      const tokens = jobs.reduce((sum, job) => sum + job.tokens, 0)
      return [
        counted("jobs of an agent done whole", whole.length, 18, "at least"),
        counted("calls for the eighteen jobs", calls(jobs), 60),
        counted("calls for the first twelve", calls(jobs.slice(0, 12)), 36),
        counted("tokens read and written", tokens, 40_000),
        counted("tokens of the default tools", list, 5_000),
        counted("tokens of the instructions", instructions, 500),
        counted("tokens of the largest answer", largest, 20_000),
      ]
    } finally {
      await service.stop()
    }
  },
}

function counted(
  work: string,
  value: number,
  limit: number,
  side: "at most" | "at least" = "at most",
): Check {
  const ok = side === "at most" ? value <= limit : value >= limit
  const sign = side === "at most" ? "<=" : ">="
  const text = value.toLocaleString("en-US")
  return { work, goal: `${sign} ${limit.toLocaleString("en-US")}`, value: text, ok, numbers: { value } }
}
