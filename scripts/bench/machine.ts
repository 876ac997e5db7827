// What the numbers were taken on: versions, processor, and which core does what.
import { Database } from "bun:sqlite"
import { readFileSync } from "node:fs"
import { availableParallelism, cpus, release, totalmem } from "node:os"
import { version } from "../../package.json"

/** The core that servers under load are bound to, and the one that makes the load. */
const CORES = { server: 0, load: 1 } as const

const hasTaskset = availableParallelism() >= 2 && Bun.which("taskset") !== null

/** A command bound to a core, or as it is where that cannot be done. */
export function onCore(core: keyof typeof CORES, command: readonly string[]): string[] {
  return hasTaskset ? ["taskset", "-c", String(CORES[core]), ...command] : [...command]
}

interface Machine {
  processor: string
  cores: number
  memory_gb: number
  system: string
  versions: Record<string, string>
  taken_at: string
}

export function machine(): Machine {
  const { sqlite } = new Database(":memory:")
    .query<{ sqlite: string }, []>("SELECT sqlite_version() AS sqlite")
    .get()!
  return {
    processor: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memory_gb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()}`,
    versions: { leaddb: version, Bun: Bun.version, SQLite: sqlite, wrk: wrkVersion() ?? "missing" },
    taken_at: new Date().toISOString(),
  }
}

/** The machine in a sentence. */
export function machineText({ processor, cores, memory_gb, system, versions, taken_at }: Machine): string {
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return `${taken_at.slice(0, 10)}: ${named.join(", ")}; ${processor}, ${cores} cores, ${memory_gb} GB, ${system}.`
}

/** The version of wrk, the load generator; undefined when it is not installed. */
export function wrkVersion(): string | undefined {
  if (!Bun.which("wrk")) return undefined
  const { stdout, stderr } = Bun.spawnSync(["wrk", "-v"])
  return /wrk (?:debian\/)?(\S+)/.exec(`${stdout}${stderr}`)?.[1] ?? "of unknown version"
}

/** Megabytes that a process holds now and held at most since `resetPeak` (proc(5)). Linux only. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  const field = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  return { now: field("VmRSS"), peak: field("VmHWM") }
}
