// Three times what the service can do, from clients that do not wait for each other.

import { createService, type Service } from "../../test/support/service.ts"
import { onCore } from "../bench/machine.ts"
import type { FloodOrder, FloodReport, Second } from "./abuse/flood-order.ts"
import { busyOf, median } from "./abuse/gauge.ts"
import type { Row, RowOptions, RowResult } from "./row.ts"

const OVERLOAD = 3
const GOODPUT_LEAST = 0.8
/** Connections that one after the other has an answer: enough for groups of writes as large as they get. */
const IN_FLIGHT = 256
const CONNECTIONS = 6_000
/** Part of what it can do that is asked before and after. */
const EASY = 0.3
const RECOVERY_S = 2
/** A recovered service answers as before, give or take what a busy machine does to both. */
const RECOVERED = 3

export const overload: Row = {
  number: 11,
  name: "overload",
  must: "3x capacity for 60 s: only 429 and 503 beside 2xx, goodput >= 80 % of the peak, recovers in 2 s",
  seconds: 300,
  run,
}

async function run(options: RowOptions): Promise<RowResult> {
  // The service keeps to one core and the clients to the other, where a machine has two.
  const service = createService({ program: onCore("server", options.program), folder: options.folder })
  await service.start()
  try {
    const rounds: Round[] = []
    for (let i = 0; i < (options.short ? 1 : 3); i++) {
      rounds.push(await round(service, options))
      options.progress(told(rounds.at(-1)!))
    }
    return judge(options, rounds)
  } finally {
    await service.kill()
  }
}

interface Round {
  /** Good answers in a second, at the best it can do and under overload. */
  peak: number
  goodput: number
  /** The same for a second of processor time: what else runs on the machine has no part in it. */
  peakOfCpu: number
  goodputOfCpu: number
  offered: number
  /** By status, under overload. */
  statuses: Record<string, number>
  /** Without an answer: the connection broke. */
  lost: number
  /** Milliseconds, of good answers. */
  p99: number
  /** Seconds after the overload in which it was not as before. */
  recovery: number
}

/** Peak, overload and calm one after the other, so that what else the machine does weighs on all alike. */
async function round(service: Service, { short }: RowOptions): Promise<Round> {
  const [easy, full, over, after] = short ? [2, 3, 4, 4] : [4, 8, 20, 8]
  const warm = await flood(service, [{ until: full!, inFlight: IN_FLIGHT }])
  const first = median(warm.slice(1).map(good))
  const before = await flood(service, [{ until: easy!, rate: first * EASY }])
  const pid = service.pid()!
  const peakBusy = [busyOf(pid)]
  const peaks = [await flood(service, [{ until: full!, inFlight: IN_FLIGHT }])]
  peakBusy.push(busyOf(pid))
  const offered = OVERLOAD * median([first, ...peaks[0]!.slice(1).map(good)])
  const busy = [busyOf(pid)]
  setTimeout(() => busy.push(busyOf(pid)), over! * 1_000)
  const seconds = await flood(service, [
    { until: over!, rate: offered },
    { until: over! + after!, rate: first * EASY },
  ])
  const loaded = seconds.slice(1, over)
  const calm = seconds.slice(over)
  const usual = median(before.slice(1).map(({ p99 }) => p99))
  const isBack = (second: Second) => second.p99 <= Math.max(usual * RECOVERED, 250) && refused(second) === 0
  const firstBack = calm.findIndex((second, i) => isBack(second) && calm.slice(i, i + 2).every(isBack))
  return {
    peak: median(peaks.flatMap((peak) => peak.slice(1, full)).map(good)),
    goodput: median(loaded.map(good)),
    peakOfCpu: all(peaks.flat()) / (peakBusy[1]! - peakBusy[0]!),
    goodputOfCpu: all(seconds.slice(0, over)) / (busy[1]! - busy[0]!),
    offered,
    statuses: total(seconds.map(({ statuses }) => statuses)),
    lost: seconds.reduce((sum, { dropped }) => sum + dropped, 0),
    p99: median(loaded.map(({ p99 }) => p99)),
    recovery: firstBack < 0 ? after! : firstBack,
  }
}

function flood(service: Service, phases: FloodOrder["phases"]): Promise<FloodReport> {
  const order: FloodOrder = {
    url: service.url(),
    requests: requests(service),
    phases,
    connections: CONNECTIONS,
  }
  const argv = [process.execPath, `${import.meta.dir}/abuse/flood.ts`, JSON.stringify(order)]
  return new Response(
    Bun.spawn(onCore("load", argv), { stderr: "inherit" }).stdout,
  ).json() as Promise<FloodReport>
}

/** As many leads that come as pages that are read. */
function requests(service: Service): string[] {
  const { pathname } = new URL(service.url())
  const head = (line: string) => `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${service.key()}\r\n`
  const lead = { name: "Lead #########", source: "flood", email: "#########@flood.example", rating: 4.2 }
  const body = JSON.stringify(lead)
  return [
    `${head(`POST ${pathname}/leads`)}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    `${head(`GET ${pathname}/leads`)}\r\n`,
  ]
}

const all = (seconds: readonly Second[]) => seconds.reduce((sum, second) => sum + good(second), 0)

function good({ statuses }: Second): number {
  return sum(statuses, (status) => status < 300)
}

function refused({ statuses }: Second): number {
  return sum(statuses, (status) => status >= 300)
}

function sum(statuses: Record<string, number>, counts: (status: number) => boolean): number {
  return Object.entries(statuses).reduce(
    (all, [status, count]) => all + (counts(Number(status)) ? count : 0),
    0,
  )
}

function total(all: readonly Record<string, number>[]): Record<string, number> {
  const totals: Record<string, number> = {}
  for (const statuses of all) {
    for (const [status, count] of Object.entries(statuses)) totals[status] = (totals[status] ?? 0) + count
  }
  return totals
}

function told({
  peak,
  goodput,
  peakOfCpu,
  goodputOfCpu,
  offered,
  statuses,
  p99,
  recovery,
  lost,
}: Round): string {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} of ${status}`)
  return `peak ${peak}/s, offered ${Math.round(offered)}/s, answered well ${goodput}/s (${((goodput / peak) * 100).toFixed(0)} %, ${((goodputOfCpu / peakOfCpu) * 100).toFixed(0)} % for the processor time), ${counts.join(", ")}, ${lost} lost, p99 ${p99.toFixed(0)} ms, recovered after ${recovery} s`
}

function judge({ short }: RowOptions, rounds: readonly Round[]): RowResult {
  const share = median(rounds.map(({ goodputOfCpu, peakOfCpu }) => goodputOfCpu / peakOfCpu))
  const byClock = median(rounds.map(({ goodput, peak }) => goodput / peak))
  const statuses = total(rounds.map((round) => round.statuses))
  const strange = sum(statuses, (status) => status >= 300 && status !== 429 && status !== 503)
  const lost = rounds.reduce((all, round) => all + round.lost, 0)
  const recovery = Math.max(...rounds.map((round) => round.recovery))
  const refusals = sum(statuses, (status) => status >= 300)
  const p99 = median(rounds.map((round) => round.p99))
  // A few seconds beside other tests say nothing about speed.
  const isGood = short || (share >= GOODPUT_LEAST && recovery <= RECOVERY_S && lost === 0)
  const seconds = short ? 4 : 60
  const counts = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`)
  return {
    ok: strange === 0 && refusals > 0 && isGood,
    result: `${seconds} s at 3x: ${counts.join(", ")}, ${lost} without an answer; goodput ${(share * 100).toFixed(0)} % of the peak for the processor time (${(byClock * 100).toFixed(0)} % by the clock), p99 of it ${p99.toFixed(0)} ms; as before after ${recovery} s`,
    numbers: { share, byClock, recovery, lost, refusals, p99, peak: median(rounds.map(({ peak }) => peak)) },
  }
}
