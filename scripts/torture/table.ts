// Runs rows of the torture table and shows what came of them.
import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Row, RowResult } from "./row.ts"
import { ROWS } from "./rows.ts"
import type { State } from "./state.ts"

const SHORT_SECONDS = 20

export interface Settings {
  short: boolean
  seconds?: number
  seed: number
  program: readonly string[]
}

export interface Line extends RowResult {
  number: number
  name: string
  must: string
  seconds: number
}

export async function runRow(row: Row, settings: Settings, state: State): Promise<Line> {
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

export function printTable(lines: readonly Line[]): void {
  console.log("\n| # | Row | Must show | Shown | | Seconds |\n|---|---|---|---|---|---|")
  for (const { number, name, must, result, ok, seconds } of lines) {
    console.log(`| ${number} | ${name} | ${must} | ${result} | ${ok ? "ok" : "FAILED"} | ${seconds} |`)
  }
}

/** The rows that are asked for, all without a word. */
export function rowsOf(asked: readonly string[]): Row[] {
  const ordered = ROWS.toSorted((a, b) => a.number - b.number)
  if (asked.length === 0) return ordered
  return asked.flatMap((what) => {
    const rows = ordered.filter(({ number, name, group }) => [String(number), name, group].includes(what))
    if (rows.length === 0) throw new Error(`there is no row "${what}"; npm run torture -- --help lists them`)
    return rows
  })
}
