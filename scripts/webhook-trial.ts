// Webhooks under the worst conditions: 50,000 events to 20 receivers that are fast, slow, dribbling, resetting,
// failing three times, gone, redirecting or silent, while the service is killed (-9) every few seconds. Exits with 1
// unless every event that should arrive arrived.
//   node scripts/run.js scripts/webhook-trial.ts --bin dist/leaddb --events 50000 --kill-every 4 --in-flight 16
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { runTrial, type TrialReport } from "./webhook-trial/trial.ts"

function print({ kinds, kills, committed, forged, waits, seconds, sound }: TrialReport): boolean {
  const row = (cells: readonly (string | number)[]) =>
    console.log(
      cells.map((cell, i) => (i === 0 ? String(cell).padEnd(18) : String(cell).padStart(11))).join(""),
    )
  row(["receivers", "count", "committed", "arrived", "should", "twice"])
  for (const one of kinds) row([one.kind, one.receivers, one.events, one.arrived, one.due, one.twice])
  const missing = kinds.reduce((sum, { due, arrived }) => sum + Math.max(0, due - arrived), 0)
  const twice = kinds.reduce((sum, one) => sum + one.twice, 0)
  console.log(`
committed          ${committed} events in ${seconds.toFixed(1)} s, ${kills} times kill -9 meanwhile
missing            ${missing}
twice              ${twice} came again after a 2xx that the service did not live to record
wrong signatures   ${forged}
fast receivers     waited ${waits.median} ms at the median, ${waits.p99} ms at p99, ${waits.longest} ms at most,
                   from sending the request, its repetitions while the service was down included
leaddb check       ${sound ? "sound" : "DAMAGED"}`)
  return missing === 0 && forged === 0 && sound
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      bin: { type: "string", default: "dist/leaddb" },
      events: { type: "string", default: "50000" },
      "kill-every": { type: "string", default: "4" },
      "in-flight": { type: "string", default: "16" },
    },
  })
  const bin = resolve(values.bin)
  const source = [process.execPath, join(import.meta.dir, "../src/main.ts")]
  const program = existsSync(bin) ? [bin] : source
  console.log(`trying ${program.at(-1)}`)
  const report = await runTrial({
    program,
    events: Number(values.events),
    inFlight: Number(values["in-flight"]),
    killEvery: Number(values["kill-every"]) * 1_000,
    kills: 25,
    hurryEvery: 1_000,
    patience: 300_000,
    progress: (text) => console.log(text),
  })
  process.exit(print(report) ? 0 : 1)
}

if (import.meta.main) await main()
