// Makes up realistic business leads, the same ones for the same seed.
//   node scripts/run.js scripts/seed.ts --count 1000 --seed 1             prints them, one JSON object a line
//   node scripts/run.js scripts/seed.ts --count 1000 --url URL --key KEY  pushes them to POST URL/leads
import { parseArgs } from "node:util"
import type { LeadInput } from "../src/lead/fields.ts"
import { generateLeads } from "./seed/leads.ts"
import { pushAll, report } from "./seed/push.ts"

const USAGE = "Usage: seed.ts [--count 1000] [--seed 1] [--url BASE_URL --key API_KEY [--in-flight 16]]"

function parseOptions() {
  const { values } = parseArgs({
    options: {
      count: { type: "string", default: "1000" },
      seed: { type: "string", default: "1" },
      url: { type: "string" },
      key: { type: "string" },
      "in-flight": { type: "string", default: "16" },
    },
  })
  const number = (name: "count" | "seed" | "in-flight") => {
    const value = Number(values[name])
    if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} must be a whole number`)
    return value
  }
  if ((values.url === undefined) !== (values.key === undefined))
    throw new Error("--url and --key go together")
  const target =
    values.url !== undefined && values.key !== undefined ? { url: values.url, key: values.key } : undefined
  return { count: number("count"), seed: number("seed"), inFlight: Math.max(1, number("in-flight")), target }
}

/** One JSON object a line on stdout; ends quietly when the reader has gone, as `head` does. */
async function print(leads: Iterable<LeadInput>): Promise<void> {
  const out = Bun.stdout.writer()
  let chunk = ""
  const send = async () => {
    await out.write(chunk)
    await out.flush()
    chunk = ""
  }
  try {
    for (const lead of leads) {
      chunk += `${JSON.stringify(lead)}\n`
      if (chunk.length > 100_000) await send()
    }
    await send()
  } catch (problem) {
    if ((problem as { code?: string }).code !== "EPIPE") throw problem
  }
}

async function main(): Promise<void> {
  let options: ReturnType<typeof parseOptions>
  try {
    options = parseOptions()
  } catch (problem) {
    console.error(`${(problem as Error).message}\n${USAGE}`)
    process.exit(2)
  }
  const leads = generateLeads(options.count, options.seed)
  if (!options.target) return print(leads)
  const summary = await pushAll(leads, options.target, options.inFlight).catch((problem: Error) => {
    console.error(`Cannot push to ${options.target?.url}: ${problem.message}`)
    process.exit(1)
  })
  console.log(report(summary))
  if (summary.failed > 0) process.exit(1)
}

if (import.meta.main) await main()
