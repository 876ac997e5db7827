// The core requests as CPU of the server beside the floor, in turns, and what leads take of memory and disk.
import { Database } from "bun:sqlite"
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bound, type CoreLoad, coreLoads, type Side } from "../core/sides.ts"
import { cpuOf } from "../duplicates/compared.ts"
import type { Group } from "../group.ts"
import { type Check, skipped } from "../harness.ts"
import { memoryOf } from "../machine.ts"
import { hasWrk, NO_WRK, NUMBER, type Sent, wrk } from "../wrk.ts"

/** Ratios floor/ours of the last release, and sizes, by row; a row that is worse by more than `WORSE` is named. */
const RELEASED = join(import.meta.dir, "../core.json")
const WORSE = 1.05
const ROUNDS = 5
/** How long a round floods a side. */
const FLOOD_SECONDS = 0.5
const CONNECTIONS = 16
/** Goals of the rows: the least floor/ours. */
const GOALS: Readonly<Record<string, number>> = {
  get: 0.85,
  list: 0.95,
  create: 0.4,
  "create, eight trades in ten cities": 0.3,
  "push that changes nothing": 0.3,
  "batch of 100, a lead": 0.3,
}
/** Milliseconds after which memory is read again. */
const LATER_MS = 30_000
/** How long a process that rests is watched, and the seconds of CPU that it takes meanwhile. */
const QUIET_MS = 250
const QUIET = 0.003

export const core: Group = {
  name: "core",
  about: "get, list, create, push and batch as CPU beside the least that a service can be; memory and bytes",
  async run(bench) {
    if (!hasWrk) return [skipped(0, "core requests", NO_WRK)]
    const released: Record<string, number> = existsSync(RELEASED)
      ? JSON.parse(readFileSync(RELEASED, "utf8"))
      : {}
    const sides = await bound(bench)
    const rows = new Map<string, Check>()
    const measure = async (side: CoreLoad["side"]) => {
      for (const [name, load] of Object.entries(coreLoads)) {
        if (load.side !== side) continue
        const taken = await least({ floor: sides.floor, ours: sides[side] }, load, bench.scratch)
        rows.set(name, row(name, taken, released[name]))
      }
    }
    try {
      await measure("ours")
      const { peak } = memoryOf(sides.ours.pid)
      // The one side rests while the other works.
      await Promise.all([Bun.sleep(LATER_MS), measure("scraped")])
      return [...Object.keys(coreLoads).map((name) => rows.get(name)!), ...sizes(sides.ours, peak, released)]
    } finally {
      await Promise.all(Object.values(sides).map(({ stop }) => stop()))
    }
  },
}

/** Makes the results what later runs are compared with. */
export function keepCore(checks: readonly Check[]): void {
  const kept = checks.flatMap(({ work, numbers: { kept } }) =>
    typeof kept === "number" ? [[work, Number(kept.toPrecision(3))]] : [],
  )
  writeFileSync(RELEASED, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
}

/** Microseconds of CPU for each request, or lead of it. */
interface Taken {
  main: number
  all: number
  counted: number
}

/** The least of all rounds, as neighbours only add. */
async function least(
  sides: Record<"floor" | "ours", Side>,
  load: CoreLoad,
  scratch: string,
): Promise<Record<"floor" | "ours", Taken>> {
  const most = { main: Infinity, all: Infinity, counted: Infinity }
  const found = { floor: most, ours: most }
  const names = ["floor", "ours"] as const
  for (let round = -1; round < ROUNDS; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const taken = await takenBy(sides[name], load, { round: round + 1, scratch })
      if (round >= 0 && taken.counted < found[name].counted) found[name] = taken
    }
  }
  return found
}

async function takenBy(
  side: Side,
  { requests, count: asked, per = 1, isWhole }: CoreLoad,
  { round, scratch }: { round: number; scratch: string },
): Promise<Taken> {
  const all = requests(side, round)
  await rested(side.pid)
  const before = cpuOf(side.pid)
  const count = asked ?? (await flood(side.origin, all, scratch))
  if (asked !== undefined) await ask(side.origin, all, asked)
  if (isWhole) await rested(side.pid)
  const after = cpuOf(side.pid)
  const of = (which: "all" | "main") => ((after[which] - before[which]) / count / per) * 1e6
  return { main: of("main"), all: of("all"), counted: of(isWhole ? "all" : "main") }
}

/** As many requests as wrk can send in a round, so that the server never waits for them. Returns how many. */
async function flood(origin: string, requests: Sent[], scratch: string): Promise<number> {
  const load = { origin, requests, connections: CONNECTIONS, seconds: FLOOD_SECONDS }
  return (await wrk(load, scratch)).requests
}

/** Different in every request of the run. */
let number = 0

async function ask(origin: string, requests: readonly Sent[], count: number): Promise<void> {
  let asked = 0
  async function connection(): Promise<void> {
    while (asked < count) {
      const { method = "GET", path, headers = {}, body } = requests[asked++ % requests.length]!
      const text = body?.replaceAll(NUMBER, String(++number).padStart(NUMBER.length, "0"))
      const answer = await fetch(origin + path, {
        method,
        // Nothing is compressed, as by the floor.
        headers: { ...headers, "Accept-Encoding": "identity" },
        ...(text !== undefined && { body: text }),
      })
      const said = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${said.slice(0, 300)}`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
}

/** Resolves when a process does next to nothing any more. */
async function rested(pid: number): Promise<void> {
  for (let last = cpuOf(pid).all; ; ) {
    await Bun.sleep(QUIET_MS)
    const now = cpuOf(pid).all
    if (now - last <= QUIET) return
    last = now
  }
}

function row(name: string, { floor, ours }: Record<"floor" | "ours", Taken>, was: number | undefined): Check {
  const ratio = floor.counted / ours.counted
  const goal = GOALS[name]!
  const worse = was !== undefined && ratio * WORSE < was ? `, was ${was.toFixed(2)}: DEARER` : ""
  const parts = ours.counted === ours.all ? `, main ${ours.main.toFixed(1)}` : ""
  return {
    work: name,
    goal: `>= ${goal}`,
    value: `${ratio.toFixed(2)} (${floor.counted.toFixed(1)} / ${ours.counted.toFixed(1)} us${parts})${worse}`,
    ok: ratio >= goal && worse === "",
    numbers: { kept: ratio, floor: floor.counted, ours: ours.counted, main: ours.main, all: ours.all },
  }
}

/** Memory and bytes of a side. */
function sizes({ pid, folder }: Side, peak: number, released: Record<string, number>): Check[] {
  const leads = leadsOf(join(folder, "leads.db"))
  const bytesOf = (name: string) => statSync(join(folder, name)).size / leads
  const one = (work: string, value: number, most: number, unit: "MB" | "bytes a lead"): Check => {
    const was = released[work]
    const worse = was !== undefined && value > was * WORSE ? `, was ${Math.round(was)}: LARGER` : ""
    const text = `${Math.round(value).toLocaleString("en-US")} ${unit}${worse}`
    return {
      work,
      goal: `<= ${most} ${unit}`,
      value: text,
      ok: value <= most && worse === "",
      numbers: { kept: value },
    }
  }
  return [
    one("memory, peak", peak, 200, "MB"),
    one("memory, 30 s later", memoryOf(pid).now, 120, "MB"),
    one("leads.db", bytesOf("leads.db"), 1_600, "bytes a lead"),
    one("leads.index.db", bytesOf("leads.index.db"), 800, "bytes a lead"),
  ]
}

function leadsOf(file: string): number {
  const db = new Database(file, { readonly: true })
  const { leads } = db.query<{ leads: number }, []>("SELECT sum(lead_count) AS leads FROM accounts").get()!
  db.close()
  return leads
}
