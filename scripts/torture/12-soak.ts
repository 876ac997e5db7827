// Hours of ordinary work: nothing fails, and neither memory nor the write-ahead log grows.

import { need } from "../../test/support/ask.ts"
import type { Service } from "../../test/support/service.ts"
import { type Gauge, median, watchService } from "./abuse/gauge.ts"
import { newAccount, startService } from "./abuse/place.ts"
import { type Load, startLoad } from "./abuse/soak-load.ts"
import type { Row, RowOptions, RowResult } from "./row.ts"

const MIB = 1024 * 1024
const WAL_MAX = 64e6
const GROWTH_MAX = 0.05
/** Part of the time that counts as warming up, and parts over which memory is taken as one. */
const WARM_UP = 1 / 4
const WINDOW = 1 / 6

export const soak: Row = {
  number: 12,
  name: "soak",
  must: "an hour of mixed load with exports, scoring batches and webhooks: 0 errors, memory grows < 5 %, WAL <= 64 MB",
  seconds: 3_600,
  run,
}

async function run(options: RowOptions): Promise<RowResult> {
  const service = await startService(options)
  const mcpUrl = service.mcpUrl()
  const pid = service.pid()!
  try {
    const keys = [service.key(), await newAccount(service), await newAccount(service)]
    const target = { url: service.url(), mcpUrl, keys }
    const load = await startLoad(target, options.short ? 300 : 6_000, options.short ? 2 : 1, options.seed)
    const gauge = watchService(pid, service.file)
    await last(options, load, gauge)
    await load.stop()
    gauge.stop()
    return await judge(options, service, keys, load, gauge)
  } finally {
    await service.kill()
  }
}

const SHORT_SECONDS = 2

async function last(
  { seconds, progress, short }: RowOptions,
  load: Load,
  { readings }: Gauge,
): Promise<void> {
  const began = performance.now()
  for (;;) {
    const left = began + (short ? SHORT_SECONDS : seconds) * 1_000 - performance.now()
    await Bun.sleep(Math.max(0, Math.min(60_000, left)))
    const { memory = 0, busy = 0 } = readings.at(-1) ?? {}
    const wal = Math.max(...readings.map((reading) => reading.wal), 0)
    const text = `${Math.round(memory / MIB)} MiB, WAL at most ${(wal / 1e6).toFixed(1)} MB, busy ${busy.toFixed(0)} s, ${load.events()} events, ${load.missing()} under way, ${load.refused()} refused, ${load.errors.length} errors${load.errors.length > 0 ? `, first ${load.errors[0]}` : ""}`
    if (!short) progress(text)
    if (left <= 60_000) return
  }
}

async function judge(
  options: RowOptions,
  service: Service,
  keys: string[],
  load: Load,
  gauge: Gauge,
): Promise<RowResult> {
  const { readings } = gauge
  const { errors, counts } = load
  const total = readings.at(-1)!.at
  const within = (from: number, to: number) =>
    median(readings.filter(({ at }) => at >= total * from && at <= total * to).map(({ memory }) => memory))
  const [before, after] = [within(WARM_UP, WARM_UP + WINDOW), within(1 - WINDOW, 1)]
  const growth = after / before - 1
  const wal = Math.max(...readings.map((reading) => reading.wal))
  const kept = await Promise.all(load.leads().map((count, i) => differs(service, keys[i]!, count)))
  errors.push(...kept.filter((problem) => problem !== undefined))
  if (load.missing() > 0) errors.push(`${load.missing()} events of created leads never arrived`)
  const check = await service.run(["check", "--json"])
  if (check.code !== 0) errors.push(`leaddb check: ${check.out}${check.err}`)
  const requests = Object.values(counts).reduce((sum, count) => sum + count, 0)
  for (const error of errors.slice(0, 10)) options.progress(error)
  const busy = (readings.at(-1)!.busy - readings[0]!.busy) / (total - readings[0]!.at)
  // A few seconds say nothing about growth.
  const isFlat = options.short || growth < GROWTH_MAX
  return {
    ok: errors.length === 0 && isFlat && wal <= WAL_MAX,
    result: `${Math.round(total)} s, ${requests} requests (${counts.export ?? 0} exports, ${counts.score ?? 0} scoring batches), ${load.events()} events: ${errors.length} errors, ${load.refused()} refused and sent again; memory ${memory(before, after)}, WAL at most ${(wal / 1e6).toFixed(1)} MB`,
    numbers: {
      ...counts,
      requests,
      events: load.events(),
      errors: errors.length,
      refused: load.refused(),
      before,
      after,
      wal,
      busy,
    },
  }
}

function memory(before: number, after: number): string {
  const end = `${(after / MIB).toFixed(0)} MiB`
  // Warming up takes minutes.
  if (Number.isNaN(before)) return `${end} in the end`
  return `${(before / MIB).toFixed(0)} to ${end} (${((after / before - 1) * 100).toFixed(1)} %)`
}

/** What an account has that its clients do not know of, or the other way round. */
async function differs(service: Service, key: string, count: number): Promise<string | undefined> {
  const { total_leads: kept } = await need({ url: service.url() }, key, "GET", "/stats")
  return kept === count ? undefined : `an account has ${kept} leads, its clients know of ${count}`
}
