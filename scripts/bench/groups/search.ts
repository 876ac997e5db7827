import type { JsonText } from "../../../src/core/json-text.ts"
import { listLeads } from "../../../src/domain/leads/list/list-leads.ts"
import { execute } from "../../../src/domain/operation.ts"
import { generateLeads } from "../../seed/leads.ts"
import { createRandom } from "../../seed/random.ts"
import { dataset, openDataset } from "../dataset.ts"
import type { Group } from "../group.ts"
import { type Check, note, percentile, timed } from "../harness.ts"

const QUERIES = 1_000

/** Two words of one lead each, so that something is found. */
function queries(): string[] {
  const random = createRandom(7)
  const texts = [...generateLeads(QUERIES, 1)].map((lead) =>
    [lead.name, lead.city, lead.category, lead.description, lead.address]
      .flatMap((text) => text?.match(/\p{L}{3,}/gu) ?? [])
      .filter((word, i, all) => all.indexOf(word) === i),
  )
  return texts
    .filter((words) => words.length > 1)
    .map((words) => {
      const at = random.below(words.length)
      const more = (at + 1 + random.below(words.length - 1)) % words.length
      return `${words[at]} ${words[more]}`
    })
}

async function measure(leads: number): Promise<Check[]> {
  const { ctx, close } = await openDataset((await dataset(leads)).file)
  const times: number[] = []
  let worst = { q: "", ms: 0 }
  let found = 0
  for (const q of queries()) {
    let text = ""
    const ms = await timed(async () => {
      text = ((await execute(ctx, listLeads, ctx.caller, { q })) as JsonText).text
    })
    if (JSON.parse(text).count > 0) found++
    times.push(ms)
    if (ms > worst.ms) worst = { q, ms }
  }
  await close()
  const sorted = times.toSorted((a, b) => a - b)
  const at = `at ${leads === 100_000 ? "100 k" : "1 M"} leads`
  return [
    note(
      `searches of two words ${at}, p50 (${found} of ${QUERIES} found something)`,
      percentile(sorted, 50),
      "ms",
    ),
    note(`searches of two words ${at}, p99`, percentile(sorted, 99), "ms"),
    note(`the slowest search ${at}: ${worst.q}`, worst.ms, "ms"),
  ]
}

/** 1,000 searches made from the data, in this process: the first 50 leads by relevance, as JSON. */
export const search: Group = {
  name: "search",
  about: "1,000 searches of two words at 100,000 leads",
  run: () => measure(100_000),
}
