// Measures the goals of docs/performance.md on this machine, in one run, since machines differ.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { CACHE } from "./bench/dataset.ts"
import type { Bench, Group } from "./bench/group.ts"
import { agent } from "./bench/groups/agent.ts"
import { core, keepCore } from "./bench/groups/core.ts"
import { create } from "./bench/groups/create.ts"
import { dashboard } from "./bench/groups/dashboard.ts"
import { depth } from "./bench/groups/depth.ts"
import { duplicates } from "./bench/groups/duplicates.ts"
import { executable } from "./bench/groups/executable.ts"
import { exports } from "./bench/groups/exports.ts"
import { filters } from "./bench/groups/filters.ts"
import { imports } from "./bench/groups/import.ts"
import { intake } from "./bench/groups/intake.ts"
import { matching } from "./bench/groups/matching.ts"
import { mcp } from "./bench/groups/mcp.ts"
import { postgres } from "./bench/groups/postgres.ts"
import { rescoring } from "./bench/groups/rescoring.ts"
import { webhooks } from "./bench/groups/webhooks.ts"
import type { Check } from "./bench/harness.ts"
import { machine, machineText } from "./bench/machine.ts"
import { buildProgram } from "./bench/service.ts"
import { printTable, writeTable } from "./bench/table.ts"

const GROUPS: readonly Group[] = [
  core,
  create,
  filters,
  depth,
  rescoring,
  exports,
  webhooks,
  mcp,
  agent,
  executable,
  imports,
  intake,
  matching,
  duplicates,
  dashboard,
  postgres,
]

const HELP = `Measures leaddb against its goals. All of it takes about 15 minutes on two cores, and a few more when the
databases have to be filled first.

  npm run bench                          everything
  npm run bench -- NAME [NAME...]        only these groups
  npm run bench -- --json FILE           the results as JSON (dist/bench.json unless told)
  npm run bench -- core --keep           makes this run what later ones are compared with (scripts/bench/core.json)
  npm run bench -- --write FILE          puts the table between the markers in FILE (docs/performance.md)

${GROUPS.map(({ name, about }) => `  ${name.padEnd(12)} ${about}`).join("\n")}

Databases of 1,000, 100,000 and 1,000,000 leads are kept in ${CACHE} (LEADDB_BENCH_CACHE).
Load comes from wrk, bound to a core of its own. Exits with 1 when a goal is missed, with 3 when the only goals that
are not reached could not be measured.
`

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        json: { type: "string", default: "dist/bench.json" },
        write: { type: "string" },
        keep: { type: "boolean" },
        help: { type: "boolean" },
      },
    })
    const unknown = positionals.filter((name) => !GROUPS.some((group) => group.name === name))
    if (unknown.length > 0) {
      throw new Error(`no group "${unknown[0]}"; groups: ${GROUPS.map(({ name }) => name).join(", ")}`)
    }
    return { ...values, names: positionals }
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${HELP}`)
    process.exit(2)
  }
}

async function runAll(groups: readonly Group[]): Promise<Check[]> {
  const program = await buildProgram(CACHE)
  const checks: Check[] = []
  for (const group of groups) {
    console.log(`\n${group.name}: ${group.about}`)
    const bench: Bench = { program, scratch: mkdtempSync(join(tmpdir(), `leaddb-bench-${group.name}-`)) }
    const began = performance.now()
    try {
      const found = await group.run(bench)
      printTable(found)
      checks.push(...found)
    } catch (error) {
      // The others are worth having all the same.
      console.error(error)
      const value = `stopped: ${(error as Error).message.split("\n")[0]!.slice(0, 80)}`
      checks.push({ work: group.name, goal: "", value, ok: false, numbers: {} })
    } finally {
      rmSync(bench.scratch, { recursive: true, force: true })
      console.log(`(${((performance.now() - began) / 1_000).toFixed(0)} s)`)
    }
  }
  return checks
}

async function main(): Promise<number> {
  const { names, json, write, keep, help } = readArguments()
  if (help) {
    console.log(HELP)
    return 0
  }
  const began = performance.now()
  const checks = await runAll(GROUPS.filter(({ name }) => names.length === 0 || names.includes(name)))
  const taken = machine()
  if (names.length !== 1) {
    console.log(`\n${machineText(taken)}\n`)
    printTable(checks)
  }
  mkdirSync(dirname(resolve(json)), { recursive: true })
  writeFileSync(json, `${JSON.stringify({ machine: taken, checks }, null, 2)}\n`)
  if (keep) keepCore(checks)
  if (write) writeTable(write, "goals", machineText(taken), checks)
  const peak = Math.round(process.resourceUsage().maxRSS / 1_024)
  const minutes = ((performance.now() - began) / 60_000).toFixed(1)
  console.log(`\nWrote ${json}. ${minutes} minutes, peak memory of the bench itself ${peak} MB`)
  if (checks.some(({ ok }) => ok === false)) return 1
  return checks.some(({ skipped }) => skipped) ? 3 : 0
}

process.exit(await main())
