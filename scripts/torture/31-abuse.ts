// Attacks of one account, each alone and then all at once, while another account goes on working at 40 requests a second.
import { statSync } from "node:fs"
import { setPriority } from "node:os"
import { need as asked } from "../../test/support/ask.ts"
import { environmentOf } from "../../test/support/database.ts"
import { createService, type Service } from "../../test/support/service.ts"
import { partOf } from "./abuse/gauge.ts"
import { newAccount } from "./abuse/place.ts"
import { type Attack, type Attacker, need, shoot } from "./abuse/strangers/attack.ts"
import { files } from "./abuse/strangers/files.ts"
import { type Peaks, watchMemory } from "./abuse/strangers/memory.ts"
import { questions } from "./abuse/strangers/questions.ts"
import { slowClients } from "./abuse/strangers/slow-clients.ts"
import type { Kind, WitnessOrder, WitnessReport } from "./abuse/strangers/witness.ts"
import { work } from "./abuse/strangers/work.ts"
import type { Row, RowOptions, RowResult } from "./row.ts"

const ATTACKS: readonly Attack[] = [...files, ...questions, ...work, slowClients]
const RATE = 40
const GET_MS = 100
const CREATE_MS = 250
const HEALTH_MS = 250
const MEMORY = 300e6
const START_MS = 1_000
const GROUP = "abuse"
const FIRST = 31
const PRIORITY = 10
/** How soon a refused request is sent again: ten times as soon as `Retry-After` says at least. */
const AGAIN_MS = 100
/** Connections of an attack in the short form. */
const SHORT_CONNECTIONS = 4
const GOALS =
  "another account's GET p99 <= 100 ms, creates p99 <= 250 ms, /healthz <= 250 ms; service <= 300 MB, its children <= 300 MB each; answers within 1 s after kill -9"

export const abuse: readonly Row[] = [
  ...ATTACKS.map((attack, i) => rowOf(FIRST + i, attack.name, attack.sends, attack.seconds ?? 10, [attack])),
  rowOf(FIRST + ATTACKS.length, "all", "all of them at once", 60, ATTACKS),
]

function rowOf(
  number: number,
  name: string,
  sends: string,
  seconds: number,
  attacks: readonly Attack[],
): Row {
  return {
    ...{ number, name: `${GROUP}-${name}`, group: GROUP, seconds },
    must: `${sends}: ${GOALS}`,
    run: (options) => run(options, attacks),
  }
}

interface Seen {
  report: WitnessReport
  peaks: Peaks
  /** How often each status came back, by attack. */
  statuses: Map<string, Map<number, number>>
  /** Answers that no attack may get. */
  wrong: string[]
  /** Milliseconds from a start after kill -9 to its first answer. */
  startMs: number
  /** Bytes in the file for each that was sent, and how many there may be; of attacks whose texts are stored. */
  stored: { ratio: number; max: number }
  /** Leads of the other account that were acknowledged and are not there. */
  lost: number
}

async function run(options: RowOptions, attacks: readonly Attack[]): Promise<RowResult> {
  const { program, folder } = options
  const service = createService({ program, folder, env: await environmentOf(folder) })
  await service.start()
  try {
    const attacker = await newAttacker(service)
    const shots = new Map<Attack, Awaited<ReturnType<Attack["prepare"]>>>()
    for (const attack of attacks) shots.set(attack, await attack.prepare(attacker))
    const witness = await startWitness(service)
    const sizeBefore = sizeOf(service)
    attacker.sent = 0
    const memory = watchMemory(service.pid()!)
    const statuses = new Map<string, Map<number, number>>()
    const wrong: string[] = []
    standBack(PRIORITY)
    const until = performance.now() + options.seconds * 1_000
    /** One connection of an attack: in the short form it sends its share of the distinct requests, each until it is taken. */
    const attack = async (one: Attack, line: number, lines: number) => {
      const counts = statuses.getOrInsertComputed(one.name, () => new Map())
      const { distinct, shot } = shots.get(one)!
      const isOver = (nth: number) => (options.short ? nth >= distinct : performance.now() > until)
      for (let nth = line; !isOver(nth); ) {
        const { status, text, mayRetry } = await shoot(attacker, shot(nth))
        counts.set(status, (counts.get(status) ?? 0) + 1)
        const isRefused = (status === 429 || status === 503) && mayRetry
        if (isRefused) await Bun.sleep(AGAIN_MS)
        else if (!one.answers.includes(status)) wrong.push(`${one.name}: ${status} ${text.slice(0, 100)}`)
        if (!isRefused || !options.short) nth += lines
        if (one.pauseMs) await Bun.sleep(one.pauseMs)
      }
    }
    // In the short form one after the other, on the same service.
    for (const together of options.short ? attacks.map((one) => [one]) : [attacks]) {
      const held = together.flatMap(({ hold }) => hold?.(attacker, options.short) ?? [])
      const all = together.flatMap((one) => {
        const lines = options.short ? Math.min(one.connections, SHORT_CONNECTIONS) : one.connections
        return Array.from({ length: lines }, (_, line) => attack(one, line, lines))
      })
      // A request without an answer long after the last one was sent is a finding of its own.
      const isAnswered = await Promise.race([Promise.all(all).then(() => true), patience(options)])
      if (!isAnswered) wrong.push("requests without an answer")
      for (const one of held) wrong.push(...(await one.end()))
    }
    standBack(0)
    const report = await witness.end()
    const peaks = memory.stop()
    const max = Math.max(...attacks.map(({ storedMax = Number.POSITIVE_INFINITY }) => storedMax))
    const stored = { ratio: (sizeOf(service) - sizeBefore) / attacker.sent, max }
    const startMs = await restart(service)
    const lost = 1 + report.created - (await countLeads(service))
    return judge(options, { report, peaks, statuses, wrong, stored, startMs, lost })
  } finally {
    await service.kill()
  }
}

/** Attackers are elsewhere: they must not take the processor from the service. Only root can undo it. */
function standBack(priority: number): void {
  if (process.getuid?.() === 0) setPriority(process.pid, priority)
}

/** Resolves long after a row's last request is due. */
async function patience({ seconds }: RowOptions): Promise<false> {
  await Bun.sleep((seconds + 60) * 1_000)
  return false
}

async function newAttacker(service: Service): Promise<Attacker> {
  const owner = await newAccount(service)
  const attacker: Attacker = { service, owner, viewer: "", sent: 0 }
  const { key } = await need(attacker, "POST", "/api-keys", { name: "viewer", role: "viewer" })
  return { ...attacker, viewer: key }
}

async function startWitness(service: Service) {
  const own: Attacker = { service, owner: service.key(), viewer: "", sent: 0 }
  const { id } = await need(own, "POST", "/leads", { name: "Witness", source: "test" })
  const order: WitnessOrder = { url: service.url(), key: service.key(), lead: id, rate: RATE }
  const argv = [process.execPath, `${import.meta.dir}/abuse/strangers/witness.ts`, JSON.stringify(order)]
  const child = Bun.spawn(argv, { stdin: "pipe", stdout: "pipe", stderr: "inherit" })
  return {
    async end(): Promise<WitnessReport> {
      child.stdin.end()
      return new Response(child.stdout).json()
    },
  }
}

/** Bytes of the file and of what is still to be written into it. */
function sizeOf({ file }: Service): number {
  const sizes = [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0)
  return sizes[0]! + sizes[1]!
}

async function restart(service: Service): Promise<number> {
  await service.kill()
  const began = performance.now()
  await service.start()
  const response = await fetch(new URL("/healthz", service.url()))
  await response.text()
  if (response.status !== 200) throw new Error(`/healthz after a start: ${response.status}`)
  return performance.now() - began
}

async function countLeads(service: Service): Promise<number> {
  const { plan } = await asked({ url: service.url() }, service.key(), "GET", "/stats")
  return plan.leads_used
}

function judge({ short }: RowOptions, seen: Seen): RowResult {
  const { report, peaks, statuses, wrong, stored, startMs, lost } = seen
  const p99 = (...kinds: Kind[]) =>
    partOf(
      kinds.flatMap((kind) => report.waits[kind]),
      0.99,
    )
  const [get, create, health] = [p99("get", "list"), p99("create"), Math.max(...report.waits.health)]
  // A few seconds beside other tests say nothing of speed, nor of what the machine has room for.
  const isServed = report.refused === 0
  const isFast =
    isServed && get <= GET_MS && create <= CREATE_MS && health <= HEALTH_MS && startMs <= START_MS
  const isSmall = peaks.service <= MEMORY && peaks.child <= MEMORY && !(stored.ratio > stored.max)
  const isSound = wrong.length === 0 && report.failures.length === 0 && lost === 0
  const told = [...statuses].map(
    ([name, counts]) => `${name} ${[...counts].map(([status, n]) => `${n}x${status}`).join(" ")}`,
  )
  const mb = (bytes: number) => Math.round(bytes / 1e6)
  return {
    ok: isSound && (short || (isFast && isSmall)),
    result:
      `GET p99 ${get.toFixed(0)} ms, creates p99 ${create.toFixed(0)} ms, /healthz at most ${health.toFixed(0)} ms; ` +
      `service ${mb(peaks.service)} MB, child ${mb(peaks.child)} MB; answers ${startMs.toFixed(0)} ms after kill -9; ` +
      `${stored.max === Number.POSITIVE_INFINITY ? "" : `stored ${stored.ratio.toFixed(2)}x of what was sent; `}` +
      `${lost} lost, ${report.refused} refused, ${report.failures.length} failures ${report.failures.slice(0, 3).join(", ")}` +
      `${wrong.length > 0 ? `, ${wrong.length} wrong: ${wrong.slice(0, 3).join(", ")}` : ""}; ${told.join("; ")}`,
    numbers: {
      ...{ get, create, health, start: startMs, service: peaks.service, child: peaks.child },
      ...{ lost, refused: report.refused, failures: report.failures.length, wrong: wrong.length },
    },
  }
}
