// The core requests as CPU of the server beside the floor, in turns, and what leads take of memory and disk.
import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { bound, coreLoads, type Side } from "../core/sides.ts"
import { cpuOf } from "../duplicates/compared.ts"
import type { Bench, Group } from "../group.ts"
import { type Check, skipped } from "../harness.ts"
import { memoryOf } from "../machine.ts"
import { hasWrk, NO_WRK, wrk } from "../wrk.ts"

/** Ratios floor/ours of the last release, by row, and sizes; a row that is worse by more than `WORSE` is named. */
const RELEASED = join(import.meta.dir, "../core.json")
const WORSE = 1.05
const ROUNDS = 9
const SECONDS = 0.5
const CONNECTIONS = 16
/** Goals of the rows: the least floor/ours. */
const GOALS: Readonly<Record<string, number>> = { get: 0.85, list: 0.95, create: 0.4, merge: 0.3, batch: 0.3 }
/** Milliseconds after which memory is read again. */
const LATER_MS = 30_000

export const core: Group = {
  name: "core",
  about: "get, list, create, merge and batch as CPU beside the least that a service can be; memory and bytes",
  async run(bench) {
    if (!hasWrk) return [skipped(0, "core requests", NO_WRK)]
    const released: Record<string, number> = existsSync(RELEASED)
      ? JSON.parse(readFileSync(RELEASED, "utf8"))
      : {}
    const sides = await bound(bench)
    try {
      const rows: Check[] = []
      for (const [name, load] of Object.entries(coreLoads)) {
        const { floor, ours } = await least(bench, sides, load)
        rows.push(row(name, floor, ours, released[name]))
      }
      return [...rows, ...(await sizes(sides.ours, released))]
    } finally {
      await Promise.all(Object.values(sides).map(({ stop }) => stop()))
    }
  },
}

type Load = (typeof coreLoads)[string]

/** Microseconds of CPU for each request, until the server rests: the least of all rounds, as neighbours only add. */
async function least(
  { scratch }: Bench,
  sides: Record<"floor" | "ours", Side>,
  { requests, per = 1, isDerived }: Load,
): Promise<Record<"floor" | "ours", number>> {
  const found = { floor: Number.POSITIVE_INFINITY, ours: Number.POSITIVE_INFINITY }
  const names = ["floor", "ours"] as const
  for (let round = -1; round < ROUNDS; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const side = sides[name]
      const before = cpuOf(side.pid)
      const load = { origin: side.origin, connections: CONNECTIONS, seconds: SECONDS, ...requests(side) }
      const { requests: done } = await wrk(load, scratch)
      if (isDerived) await rested(side.pid)
      const after = cpuOf(side.pid)
      const taken = isDerived ? after.all - before.all : after.main - before.main
      if (round >= 0) found[name] = Math.min(found[name], (taken / done / per) * 1e6)
    }
  }
  return found
}

/** Resolves when a process does next to nothing any more. */
async function rested(pid: number): Promise<void> {
  for (let quiet = 0, last = cpuOf(pid).all; quiet < 3; ) {
    await Bun.sleep(100)
    const now = cpuOf(pid).all
    quiet = now - last <= 0.01 ? quiet + 1 : 0
    last = now
  }
}

function row(name: string, floor: number, ours: number, released: number | undefined): Check {
  const ratio = floor / ours
  const goal = GOALS[name]!
  const worse =
    released !== undefined && ratio * WORSE < released ? `, was ${released.toFixed(2)}: DEARER` : ""
  return {
    work: `${name}: floor / ours`,
    goal: `>= ${goal}`,
    value: `${ratio.toFixed(2)} (${floor.toFixed(1)} / ${ours.toFixed(1)} us)${worse}`,
    ok: ratio >= goal && worse === "",
    numbers: { ratio, floor, ours },
  }
}

/** Memory and bytes of the side whose leads were pushed to it. */
async function sizes({ pid, folder, count }: Side, released: Record<string, number>): Promise<Check[]> {
  const { peak } = memoryOf(pid)
  await Bun.sleep(LATER_MS)
  const bytesOf = (name: string) => {
    const file = join(folder, name)
    return existsSync(file) ? statSync(file).size / count() : 0
  }
  const one = (work: string, value: number, most: number, unit: "MB" | "bytes a lead"): Check => {
    const was = released[work]
    const worse = was !== undefined && value > was * WORSE ? `, was ${Math.round(was)}: LARGER` : ""
    const text = `${Math.round(value).toLocaleString("en-US")} ${unit}${worse}`
    return {
      work,
      goal: `<= ${most} ${unit}`,
      value: text,
      ok: value <= most && worse === "",
      numbers: { value },
    }
  }
  return [
    one("memory, peak", peak, 200, "MB"),
    one("memory, 30 s later", memoryOf(pid).now, 120, "MB"),
    one("leads.db", bytesOf("leads.db"), 1_600, "bytes a lead"),
    one("leads.index.db", bytesOf("leads.index.db"), 800, "bytes a lead"),
  ]
}
