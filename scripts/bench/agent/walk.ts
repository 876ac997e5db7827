// Plays an agent's morning against a service, with a real MCP client, and counts what the agent reads and writes.
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { openHook } from "../../../test/support/hook.ts"
import { until } from "../../../test/support/until.ts"
import { JOBS, type Kept, type Morning } from "./jobs.ts"
import { LEADS, lead, TWINS } from "./seed.ts"

/** A service without leads. */
interface Walked {
  mcpUrl: string
  key: string
  rest: Morning["rest"]
}

interface JobDone {
  name: string
  calls: number
  tokens: number
  /** Undefined when it was done whole. */
  problem?: string
}

interface Walk {
  jobs: JobDone[]
  /** Tokens of the list of tools, of the instructions, and of the largest answer. */
  list: number
  instructions: number
  largest: number
}

/** Waits of this kind are for work behind the requests. */
const WITHIN_MS = 240_000

export async function walk(service: Walked): Promise<Walk> {
  await using failing = openHook(() => 500)
  await using alerts = openHook(() => 204)
  const start = await seed(service)
  const client = new Client({ name: "agent", version: "1.0.0" })
  const headers = { Authorization: `Bearer ${service.key}` }
  const transport = new StreamableHTTPClientTransport(new URL(service.mcpUrl), { requestInit: { headers } })
  // The types of this client do not know exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<Client["connect"]>[0])
  try {
    const { tools } = await client.listTools()
    const agent = agentOf(client)
    const morning: Morning = {
      tool: agent.tool,
      rest: service.rest,
      must: (holds, what) => {
        if (!holds) throw new Error(`not as it should be: ${what}`)
      },
      until: async (what, holds) => {
        await until(what, holds, WITHIN_MS)
      },
      start,
      failing: failing.url,
      alerts: { url: alerts.url, events: () => alerts.hits.map(({ event }) => event) },
    }
    const jobs = await doJobs(morning, agent.spent)
    const instructions = countTokens(client.getInstructions() ?? "")
    return { jobs, list: countTokens(JSON.stringify({ tools })), instructions, largest: agent.spent.largest }
  } finally {
    await client.close()
  }
}

interface Spent {
  calls: number
  tokens: number
  largest: number
}

async function doJobs(morning: Morning, spent: Spent): Promise<JobDone[]> {
  const kept: Kept = { ids: [], batch: "", met: "" }
  const done: JobDone[] = []
  for (const { name, run } of JOBS) {
    const { calls, tokens } = spent
    const problem = await run(morning, kept).then(
      () => undefined,
      (error) => String(error instanceof Error ? error.message : error),
    )
    const own = { name, calls: spent.calls - calls, tokens: spent.tokens - tokens }
    done.push(problem === undefined ? own : { ...own, problem })
  }
  return done
}

function agentOf(client: Client) {
  const spent: Spent = { calls: 0, tokens: 0, largest: 0 }
  async function tool(name: string, args: object = {}) {
    spent.calls++
    const result = await client.callTool({ name, arguments: { ...args } })
    const [block] = result.content as { text: string }[]
    const read = countTokens(block!.text)
    spent.tokens += countTokens(JSON.stringify({ name, arguments: args })) + read
    spent.largest = Math.max(spent.largest, read)
    if (result.isError) throw new Error(`${name}: ${block!.text}`)
    return (result.structuredContent as { data: unknown }).data
  }
  return { spent, tool }
}

/** Makes the leads and waits until they can be searched and were compared. Gives a time after which nothing was done yet. */
async function seed({ rest }: Walked): Promise<number> {
  const leads = Array.from({ length: LEADS }, (_, i) => lead(i))
  for (let i = 0; i < LEADS; i += 500) await rest("POST", "/leads/batch", { leads: leads.slice(i, i + 500) })
  for (const twin of TWINS) await rest("POST", "/leads", twin)
  await until(
    "all leads can be searched",
    async () => {
      const { count, warnings } = await rest("GET", "/leads?q=Zwillinge&limit=2")
      return count === 2 && warnings === undefined
    },
    WITHIN_MS,
  )
  await until(
    "all leads were compared",
    async () => (await rest("GET", "/duplicates/status")).waiting === 0,
    WITHIN_MS,
  )
  const { leads: newest } = await rest("GET", "/leads?sort_by=last_touched_at&sort_order=DESC&limit=1")
  const start = newest[0].last_touched_at + 1
  await until("the clock is past the pushes", async () => Date.now() / 1_000 > start + 1, WITHIN_MS)
  return start
}
