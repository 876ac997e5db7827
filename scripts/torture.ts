// The promises of the service against a hostile world: kill -9, power cuts, full disks, forged keys, floods. Each row
// of the table is bounded in time; what is finished is remembered by commit, so a run can be taken up again.
//   npm run torture                          all rows, for hours
//   npm run torture -- 1 power-cut --short   two of them, for seconds
import { writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { PROGRAM } from "../test/support/service.ts"
import { ROWS } from "./torture/rows.ts"
import { openState } from "./torture/state.ts"
import { type Line, printTable, rowsOf, runRow, type Settings } from "./torture/table.ts"

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
