// Measures what the architecture promises, in one run, since machines differ:
//   npm run bench                     1,000 leads against 1,000,000
//   npm run bench -- --leads 100000   against fewer
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { fill } from "./bench/database.ts"
import { flatness } from "./bench/flatness.ts"
import { scoring } from "./bench/scoring.ts"

const { values } = parseArgs({ options: { leads: { type: "string", default: "1000000" } } })
const count = Number(values.leads)
if (!Number.isInteger(count) || count < 10_000) {
  console.error("--leads takes a whole number of at least 10000")
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), "leaddb-bench-"))
try {
  console.log(`Filling databases with 1,000 and ${count.toLocaleString("en-US")} leads...`)
  const small = await fill(join(folder, "small.db"), 1_000)
  const start = performance.now()
  const large = await fill(join(folder, "large.db"), count)
  const seconds = (performance.now() - start) / 1_000
  console.log(`${Math.round(count / seconds).toLocaleString("en-US")} leads/s through the push path`)
  await flatness(small, large, [1_000, count])
  await scoring(join(folder, "scoring.db"))
  await small.store.close()
  await large.store.close()
  console.log(`\nPeak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`)
} finally {
  rmSync(folder, { recursive: true })
}
