// A thousand connections that dribble, stall and do not read, beside ordinary clients.

import type { Service } from "../../test/support/service.ts"
import { median, memoryOf } from "./abuse/gauge.ts"
import { startService } from "./abuse/place.ts"
import { type Probe, probe } from "./abuse/prober.ts"
import type { SlowOrder, SlowReport } from "./abuse/slow.ts"
import type { Row, RowOptions, RowResult } from "./row.ts"

const LONGEST_S = 15
const MIB = 1024 * 1024

export const slowClients: Row = {
  number: 10,
  name: "slow-clients",
  must: "1,000 sockets that dribble, stall or do not read: other requests' p99 < 2x, all cut in 15 s",
  seconds: 300,
  run,
}

async function run(options: RowOptions): Promise<RowResult> {
  const service = await startService(options)
  const mcpUrl = service.mcpUrl()
  try {
    await fill(service, options.short ? 4 : 12)
    return await measure(options, service, mcpUrl)
  } finally {
    await service.kill()
  }
}

/** So many thousand leads of a kilobyte: more than the system takes over for a reader that does not read. */
async function fill(service: Service, thousands: number): Promise<void> {
  for (let n = 0; n < thousands * 1_000; n += 1_000) {
    const leads = Array.from({ length: 1_000 }, (_, i) => ({
      name: `Lead ${n + i}`,
      source: "slow",
      city: i % 50 === 0 ? "Berlin" : "Bonn",
      description: "d".repeat(900),
    }))
    const headers = { "X-API-Key": service.key() }
    const response = await fetch(`${service.url()}/leads/batch`, {
      method: "POST",
      headers,
      body: JSON.stringify({ leads }),
    })
    if (response.status !== 201) throw new Error(`POST /leads/batch: ${response.status}`)
    await response.text()
  }
}

/** Quiet and slow stretches in turn: others use this machine too. */
async function measure(options: RowOptions, service: Service, mcpUrl: string): Promise<RowResult> {
  const { short, seconds, progress } = options
  const pairs = short ? 1 : 3
  const stretch = Math.max(short ? 4 : 20, seconds / pairs / 2 - 10)
  const order: SlowOrder = { url: service.url(), mcpUrl, key: service.key(), sockets: short ? 90 : 1_000 }
  const probes: { quiet: Probe[]; slow: Probe[] } = { quiet: [], slow: [] }
  const ask = (seconds: number) => probe(service.url(), service.key(), seconds)
  const before = memoryOf(service.pid()!)
  let most = 0
  const worst: SlowReport = {}
  await ask(2)
  for (let pair = 0; pair < pairs; pair++) {
    probes.quiet.push(await ask(stretch))
    await using slow = startSlow(order)
    await slow.open()
    const watching = setInterval(() => {
      most = Math.max(most, memoryOf(service.pid()!))
    }, 500)
    probes.slow.push(await ask(short ? LONGEST_S : stretch))
    clearInterval(watching)
    merge(worst, slow.report())
    const [quiet, busy] = [probes.quiet.at(-1)!, probes.slow.at(-1)!]
    progress(`p99 ${quiet.p99.toFixed(1)} ms, beside slow clients ${busy.p99.toFixed(1)} ms`)
  }
  return judge(options, probes, worst, { before, most, sockets: order.sockets })
}

interface Slow extends AsyncDisposable {
  /** Resolves when all connections are open. */
  open(): Promise<void>
  report(): SlowReport
}

function startSlow(order: SlowOrder): Slow {
  // What counts is what the service does to others, not what these clients take of the machine.
  const yielding = Bun.which("nice") ? ["nice", "-n", "10"] : []
  const child = Bun.spawn(
    [...yielding, process.execPath, `${import.meta.dir}/abuse/slow.ts`, JSON.stringify(order)],
    {
      stdout: "pipe",
      stderr: "inherit",
    },
  )
  let last: SlowReport = {}
  const reading = (async () => {
    let rest = ""
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split("\n")
      rest = lines.pop()!
      const line = lines.at(-1)
      if (line) last = JSON.parse(line)
    }
  })()
  return {
    report: () => last,
    async open() {
      const wanted = order.sockets * 0.9
      for (const end = performance.now() + 30_000; performance.now() < end; await Bun.sleep(100)) {
        if (Object.values(last).reduce((sum, { open }) => sum + open, 0) >= wanted) return
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL")
      await child.exited
      await reading
    },
  }
}

function merge(worst: SlowReport, report: SlowReport): void {
  for (const [name, { open, cut, longest }] of Object.entries(report)) {
    const of = worst[name] ?? { open, cut: 0, longest: 0 }
    worst[name] = { open, cut: of.cut + cut, longest: Math.max(of.longest, longest) }
  }
}

interface Memory {
  before: number
  most: number
  sockets: number
}

function judge(
  { progress, short }: RowOptions,
  { quiet, slow }: { quiet: Probe[]; slow: Probe[] },
  worst: SlowReport,
  { before, most, sockets }: Memory,
): RowResult {
  const of = (probes: Probe[], field: "p50" | "p99") => median(probes.map((probe) => probe[field]))
  const [idle, loaded] = [of(quiet, "p99"), of(slow, "p99")]
  const ratio = loaded / idle
  const failures = [...quiet, ...slow].flatMap((probe) => probe.failures)
  const again = [...quiet, ...slow].reduce((sum, probe) => sum + probe.again, 0)
  const longest = Math.max(...Object.values(worst).map((kind) => kind.longest))
  const cut = Object.values(worst).reduce((sum, kind) => sum + kind.cut, 0)
  for (const [name, kind] of Object.entries(worst)) {
    if (!short || kind.longest > LONGEST_S)
      progress(`${name}: ${kind.cut} cut, the longest lasted ${kind.longest.toFixed(1)} s`)
  }
  for (const failure of failures.slice(0, 5)) progress(failure)
  const perSocket = Math.max(0, most - before) / sockets
  return {
    // Two seconds of a busy machine say little about a ratio.
    ok: (short || ratio < 2) && longest <= LONGEST_S && cut > 0 && failures.length === 0,
    result: `${sockets} sockets of ${Object.keys(worst).length} kinds, ${cut} cut, the longest after ${longest.toFixed(1)} s; p99 of others ${idle.toFixed(1)} to ${loaded.toFixed(1)} ms (${ratio.toFixed(2)}x), ${failures.length} failures, ${again} sent again; at most ${(most / MIB).toFixed(0)} MiB, ${(perSocket / 1024).toFixed(0)} KiB a socket`,
    numbers: { sockets, cut, longest, idle, loaded, ratio, failures: failures.length, again, before, most },
  }
}
