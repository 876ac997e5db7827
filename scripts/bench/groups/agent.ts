import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { walk } from "../agent/walk.ts"
import type { Group } from "../group.ts"
import type { Check } from "../harness.ts"
import { serve } from "../service.ts"

/** An agent's morning by the default tools: outcomes, calls and tokens, which no machine changes. */
export const agent: Group = {
  name: "agent",
  about: "eighteen jobs of an agent: what is done whole, in how many calls and tokens",
  async run({ program, scratch }) {
    const folder = join(scratch, "agent")
    mkdirSync(folder, { recursive: true })
    const command = [program, "accounts", "create", "--name", "agent", "--plan", "enterprise", "--json"]
    const { stdout, stderr, exitCode } = Bun.spawnSync([...command, "--data", folder])
    if (exitCode !== 0) throw new Error(`leaddb accounts create failed: ${stderr}`)
    const key: string = JSON.parse(stdout.toString()).api_key
    const service = await serve(program, { folder, key }, "unbound")
    const rest = async (method: string, path: string, body?: unknown) => {
      const headers = { "X-API-Key": key, "Content-Type": "application/json" }
      const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
      const response = await fetch(`${service.origin}/api/v1${path}`, init)
      const text = await response.text()
      if (!response.ok)
        throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`)
      return text === "" ? undefined : JSON.parse(text)
    }
    try {
      const { jobs, list, instructions, largest } = await walk({
        mcpUrl: `${service.mcpOrigin}/mcp`,
        key,
        rest,
      })
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
