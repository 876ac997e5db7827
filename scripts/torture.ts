// The promises of the service against a hostile world: kill -9, power cuts, full disks, forged keys, floods. Each row
// of the table is bounded in time; what is finished is remembered by commit, so a run can be taken up again.
//   npm run torture                          all rows, for hours
//   npm run torture -- 1 power-cut --short   two of them, for seconds
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { PROGRAM } from "../test/support/service.ts"
import { kill } from "./torture/01-kill.ts"
import { powerCut } from "./torture/02-power-cut.ts"
import { diskFull } from "./torture/03-disk-full.ts"
import { migrations } from "./torture/04-migrations.ts"
import { processes } from "./torture/05-processes.ts"
import { isolation } from "./torture/06-isolation.ts"
import { fuzz } from "./torture/07-fuzz.ts"
import { sequences } from "./torture/08-sequences.ts"
import { lists } from "./torture/09-lists.ts"
import { overload } from "./torture/11-overload.ts"
import { soak } from "./torture/12-soak.ts"
import { feed } from "./torture/16-feed.ts"
import { takeover } from "./torture/17-takeover.ts"
import { merges } from "./torture/19-merges.ts"
import { failover } from "./torture/21-failover.ts"
import { derived } from "./torture/22-derived.ts"
import { abuse } from "./torture/31-abuse.ts"
import type { Row, RowResult } from "./torture/row.ts"
import { openState, type State } from "./torture/state.ts"

const ROWS: readonly Row[] = [
  kill,
  powerCut,
  diskFull,
  migrations,
  processes,
  isolation,
  fuzz,
  sequences,
  lists,
  overload,
  soak,
  feed,
  takeover,
  merges,
  failover,
  derived,
  ...abuse,
]

const SHORT_SECONDS = 20

interface Settings {
  short: boolean
  seconds?: number
  seed: number
  program: readonly string[]
}

interface Line extends RowResult {
  number: number
  name: string
  must: string
  seconds: number
}

async function runRow(row: Row, settings: Settings, state: State): Promise<Line> {
  const { number, name, must } = row
  const key = `${number}-${name}-${settings.seed}`
  const known = state.of(key)
  if (known.result) {
    console.log(`${number} ${name}: shown before, --fresh shows it again`)
    return { number, name, must, ...known.result }
  }
  const folder = mkdtempSync(join(state.folder, `${name}-`))
  const began = performance.now()
  const elapsed = () => Math.round((performance.now() - began) / 1_000)
  const result = await row
    .run({
      short: settings.short,
      seconds: settings.seconds ?? (settings.short ? SHORT_SECONDS : row.seconds),
      seed: settings.seed,
      program: settings.program,
      folder,
      before: known.counts ?? {},
      keep: (counts) => state.set(key, { counts }),
      progress: (text) => console.log(`${number} ${name} ${elapsed()} s: ${text}`),
    })
    .catch((error: unknown): RowResult => {
      console.error(error)
      return { ok: false, result: error instanceof Error ? error.message : String(error), numbers: {} }
    })
    .finally(() => rmSync(folder, { recursive: true, force: true }))
  const seconds = elapsed()
  if (result.ok) state.set(key, { result: { ...result, seconds } })
  console.log(`${number} ${name}: ${result.ok ? "ok" : "FAILED"} in ${seconds} s: ${result.result}`)
  return { number, name, must, ...result, seconds }
}

function printTable(lines: readonly Line[]): void {
  console.log("\n| # | Row | Must show | Shown | | Seconds |\n|---|---|---|---|---|---|")
  for (const { number, name, must, result, ok, seconds } of lines) {
    console.log(`| ${number} | ${name} | ${must} | ${result} | ${ok ? "ok" : "FAILED"} | ${seconds} |`)
  }
}

/** The rows that are asked for, all without a word. */
function rowsOf(asked: readonly string[]): Row[] {
  const ordered = ROWS.toSorted((a, b) => a.number - b.number)
  if (asked.length === 0) return ordered
  return asked.flatMap((what) => {
    const rows = ordered.filter(({ number, name, group }) => [String(number), name, group].includes(what))
    if (rows.length === 0) throw new Error(`there is no row "${what}"; npm run torture -- --help lists them`)
    return rows
  })
}

const HELP = `Usage: npm run torture -- [row numbers or names] [--short] [--seconds N] [--json FILE] [--seed N]

  --short        small numbers: seconds instead of hours
  --seconds N    how long each row may take
  --json FILE    writes the table as JSON too
  --seed N       where everything random comes from (1)
  --bin FILE     the executable to try; without it, the source
  --fresh        forgets what earlier runs of this commit have shown
  --help         this

Rows:
${ROWS.map(({ number, name, must }) => `  ${String(number).padStart(2)}  ${name.padEnd(18)} ${must}`).join("\n")}`

function whole(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${name} must be a whole number, not "${text}"`)
  return Number(text)
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      short: { type: "boolean", default: false },
      seconds: { type: "string" },
      json: { type: "string" },
      seed: { type: "string", default: "1" },
      bin: { type: "string" },
      fresh: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  })
  if (values.help) return console.log(HELP)
  const settings: Settings = {
    short: values.short,
    ...(values.seconds !== undefined && { seconds: whole("seconds", values.seconds) }),
    seed: whole("seed", values.seed),
    program: values.bin ? [resolve(values.bin)] : PROGRAM,
  }
  const state = openState(settings.short ? "short" : "long", values.fresh)
  const lines: Line[] = []
  for (const row of rowsOf(positionals)) lines.push(await runRow(row, settings, state))
  printTable(lines)
  if (values.json) writeFileSync(values.json, `${JSON.stringify(lines, null, 2)}\n`)
  process.exit(lines.every(({ ok }) => ok) ? 0 : 1)
}

if (import.meta.main) {
  // Rows end what they have started when the process exits.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130))
  await main().catch((error: unknown) => {
    console.error(`torture: ${error instanceof Error ? error.message : error}`)
    process.exit(2)
  })
}
