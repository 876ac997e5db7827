// Migrations that are cut off: before each of their statements, and before each change that they make to the disk.
// The next start must finish the work. And an older executable must leave a newer file alone and say so.
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { MIGRATIONS } from "../../src/store/sqlite/file/migrations.ts"
import { createService } from "../../test/support/service.ts"
import { createRandom, type Random } from "../seed/random.ts"
import { findFlaws, makeFile, makeNewer } from "./migrations/files.ts"
import { readLog } from "./power-cut/log.ts"
import { buildShim, shimEnv, whyNoShim } from "./power-cut/shim.ts"
import type { Row, RowOptions, RowResult } from "./row.ts"

interface Tally {
  statements: number
  changes: number
  recovered: number
  refusals: number
  flaws: string[]
}

export const migrations: Row = {
  number: 4,
  name: "migrations",
  must: "killed at every statement of every migration: all recover; older executable: a clear refusal",
  seconds: 900,
  async run(options) {
    const tally: Tally = { statements: 0, changes: 0, recovered: 0, refusals: 0, flaws: [] }
    const random = createRandom(options.seed)
    const all = MIGRATIONS.map((_, version) => version)
    for (const version of options.short ? [random.pick(all)] : all) {
      await killAtStatements(options, version, random, tally)
      await killAtChanges(options, version, random, tally)
      options.progress(`${tally.recovered} of ${tally.statements + tally.changes} kills recovered`)
    }
    await refuseNewer(options, tally)
    return toResult(tally)
  },
}

function toResult({ statements, changes, recovered, refusals, flaws }: Tally): RowResult {
  const kills = statements + changes
  for (const flaw of flaws.slice(0, 20)) console.error(`migrations: ${flaw}`)
  const atChanges =
    changes > 0
      ? `${changes} before a change of the disk`
      : `none before a change of the disk (${whyNoShim()})`
  const result = `${recovered} of ${kills} kills recovered (${statements} before a statement, ${atChanges}); ${refusals} commands refused a newer file`
  return {
    ok: flaws.length === 0 && recovered === kills && refusals > 0,
    result,
    numbers: { statements, changes, recovered, refusals, flaws: flaws.length },
  }
}

async function killAtStatements(
  options: RowOptions,
  version: number,
  random: Random,
  tally: Tally,
): Promise<void> {
  const child = join(import.meta.dir, "migrations/child.ts")
  async function migrateUntil(at: number): Promise<{ folder: string; out: string }> {
    const { folder, file } = newPlace(options, version)
    const own = Bun.spawn([process.execPath, child, file, String(at)], { stdout: "pipe", stderr: "inherit" })
    const out = await new Response(own.stdout).text()
    await own.exited
    return { folder, out }
  }
  const whole = await migrateUntil(0)
  rmSync(whole.folder, { recursive: true })
  for (const at of places(Number(whole.out), options.short, random)) {
    const { folder, out } = await migrateUntil(at)
    tally.statements++
    const what = `version ${version}, killed before statement ${at}`
    if (out === "") await recover(options, folder, version, what, tally)
    else tally.flaws.push(`${what}: it was not killed`)
  }
}

async function killAtChanges(
  options: RowOptions,
  version: number,
  random: Random,
  tally: Tally,
): Promise<void> {
  if (whyNoShim()) return
  const shim = buildShim(options.folder)
  async function migrateUntil(at: number): Promise<{ folder: string; log: string; code: number }> {
    const { folder } = newPlace(options, version)
    const log = join(options.folder, "changes.log")
    rmSync(log, { force: true })
    const env = { ...shimEnv(shim, log, folder), ...(at > 0 && { TORTURE_KILL_AT: String(at) }) }
    const service = createService({ program: options.program, folder, env })
    // A command that makes the file when there is none.
    const { code } = await service.run(["accounts", "create", "--name", "before", "--json"])
    return { folder, log, code }
  }
  const whole = await migrateUntil(0)
  const count = readLog(whole.log).length
  rmSync(whole.folder, { recursive: true })
  for (const at of places(count, options.short, random)) {
    const { folder, code } = await migrateUntil(at)
    tally.changes++
    const what = `version ${version}, killed before change ${at} of the disk`
    if (code === 0) tally.flaws.push(`${what}: it was not killed`)
    else await recover(options, folder, version, what, tally)
  }
}

function newPlace({ folder }: RowOptions, version: number): { folder: string; file: string } {
  const place = join(folder, `place-${crypto.randomUUID()}`)
  mkdirSync(place)
  const file = join(place, "leads.db")
  makeFile(file, version)
  return { folder: place, file }
}

/** All of them, or one. */
function places(count: number, short: boolean, random: Random): number[] {
  return short ? [random.between(1, count)] : Array.from({ length: count }, (_, i) => i + 1)
}

/** The next command brings the file up to date, and it can be written to. */
async function recover(
  options: RowOptions,
  folder: string,
  version: number,
  what: string,
  tally: Tally,
): Promise<void> {
  const service = createService({ program: options.program, folder })
  const { code, err } = await service.run(["accounts", "create", "--name", "after", "--json"])
  const flaws = code === 0 ? findFlaws(service.file, version) : [err]
  if (flaws.length === 0) tally.recovered++
  tally.flaws.push(...flaws.map((flaw) => `${what}: ${flaw}`))
  if (flaws.length === 0) rmSync(folder, { recursive: true })
}

const COMMANDS = [
  ["serve"],
  ["mcp"],
  ["accounts", "list"],
  ["accounts", "create", "--name", "x"],
  ["keys", "list"],
  ["keys", "create", "--name", "x"],
  ["check"],
  ["backup", "copy.db"],
]

/** Every command leaves a newer file as it is, byte for byte, and says what the matter is. */
async function refuseNewer(options: RowOptions, tally: Tally): Promise<void> {
  const { folder, file } = newPlace(options, 0)
  makeNewer(file)
  const before = readFileSync(file)
  const service = createService({ program: options.program, folder })
  for (const command of options.short ? COMMANDS.slice(0, 1) : COMMANDS) {
    const { code, out, err } = await service.run(command)
    const isClear = /newer leaddb/.test(err + out)
    const isSame = readFileSync(file).equals(before)
    if (code === 1 && isClear && isSame) tally.refusals++
    else tally.flaws.push(`${command.join(" ")} on a newer file ended with ${code}: ${err}${out}`)
  }
  const left = readdirSync(folder).filter((name) => /copy/.test(name))
  if (left.length > 0) tally.flaws.push(`a newer file was copied to ${left}`)
}
