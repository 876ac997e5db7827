// Operator endpoints (health, readiness, metrics); no API key.

import { memoryUsage } from "bun:jsc"
import type { Hono } from "hono"
import { workCutOff } from "../../expression/budget.ts"
import type { Clock } from "../../runtime/clock.ts"
import { AppError } from "../../runtime/errors.ts"
import {
  counter,
  gauge,
  histogram,
  METRICS_CONTENT_TYPE,
  type Metric,
  renderMetrics,
  type Sample,
} from "../../runtime/metrics.ts"
import { isLoopback } from "../../runtime/network.ts"
import type { Vitals } from "../../runtime/vitals.ts"
import type { RestEnv } from "./observer.ts"

/** Bytes that must be free: a checkpoint of a write-ahead log at its usual length, and some writes. */
const FREE_MIN = 16 * 2 ** 20
/** Milliseconds that a commit may take before the service counts as stuck. */
const STUCK_MS = 5_000
/** Milliseconds that a delivery may wait for a worker that is not there: it is started anew within a second. */
const WORKERLESS_MS = 5_000
/** Milliseconds between two test writes while writing fails. */
const PROBE_EVERY_MS = 2_000
/** Milliseconds that a check waits for a test write. The next check sees the result of a slower one. */
const PATIENCE_MS = 1_000

/**
 * Tells why the service cannot do its work, in words for people; an empty list when it can. Writes nothing unless the
 * last commit failed: then a test write shows when writing works again, even if no client writes meanwhile.
 */
export function createHealthCheck(vitals: Vitals, clock: Clock): () => Promise<string[]> {
  let probed = Number.NEGATIVE_INFINITY

  async function writing(): Promise<string | undefined> {
    const { writes } = vitals
    const seconds = Math.round(writes.underWay() / 1000)
    if (writes.underWay() > STUCK_MS) return `a write has been under way for ${seconds} s`
    if (writes.failure() !== undefined && clock.monotonic() - probed >= PROBE_EVERY_MS) {
      probed = clock.monotonic()
      await Promise.race([writes.probe().catch(() => {}), Bun.sleep(PATIENCE_MS)])
    }
    const failure = writes.failure()
    return failure && `the last write failed: ${failure}`
  }

  /** Checked before the first write fails, so that a load balancer can send writers elsewhere in time. */
  function room(): string | undefined {
    const free = vitals.files?.().free
    if (free === undefined || free >= FREE_MIN) return undefined
    return `the disk is full: ${Math.floor(free / 2 ** 20)} MiB are free and ${FREE_MIN / 2 ** 20} MiB are needed`
  }

  async function reading(): Promise<string | undefined> {
    try {
      await vitals.read()
      return undefined
    } catch (error) {
      return `the database cannot be read: ${error instanceof Error ? error.message : error}`
    }
  }

  async function delivering(): Promise<string | undefined> {
    const { isWorkerRunning, overdue } = vitals.deliveries
    if (isWorkerRunning() || (await overdue()) <= WORKERLESS_MS) return undefined
    return "webhook deliveries are overdue and the worker thread is not running"
  }

  return async () => {
    if (vitals.isStopping()) return ["the service is stopping"]
    const unreadable = await reading()
    if (unreadable !== undefined) return [unreadable]
    return [room(), ...(await Promise.all([writing(), delivering()]))].filter(
      (reason) => reason !== undefined,
    )
  }
}

export interface OpsParts {
  vitals: Vitals
  facts: RunFacts
  clock: Clock
  /** The numbers of requests. */
  requests: () => Promise<Metric[]>
  /** Who may read the metrics: requests from this machine, everyone, or nobody. */
  metrics: "local" | "all" | "off"
}

const NO_STORE = { "Cache-Control": "no-store" }

/** Adds `/healthz`, `/readyz` and `/metrics`. */
export function mountOps(app: Hono<RestEnv>, { vitals, facts, clock, requests, metrics }: OpsParts): void {
  const reasons = createHealthCheck(vitals, clock)
  app.use("/:probe{healthz|readyz|metrics}", (c, next) => {
    c.env.trace.route = c.req.path
    c.env.trace.isProbe = true
    return next()
  })
  app.get("/healthz", (c) => c.json({ status: "ok", version: facts.version }, 200, NO_STORE))
  app.get("/readyz", async (c) => {
    const why = await reasons()
    if (why.length === 0) return c.json({ status: "ready" }, 200, NO_STORE)
    return c.json({ status: "not_ready", reasons: why }, 503, NO_STORE)
  })
  if (metrics === "off") return
  app.get("/metrics", async (c) => {
    if (metrics === "local" && !isLocal(c.env.address, c.req.raw.headers)) {
      throw new AppError("forbidden", "Metrics are shown to this machine alone: see LEADDB_METRICS")
    }
    const all = [...(await requests()), ...(await serviceMetrics(vitals, facts, clock.now()))]
    return c.body(renderMetrics(all), 200, { ...NO_STORE, "Content-Type": METRICS_CONTENT_TYPE })
  })
}

/** Headers by which proxies mark forwarded requests. */
const FORWARDED = ["forwarded", "x-forwarded-for", "x-real-ip", "via"]

/** Whether a request was made on this machine, and not passed on by a proxy on it. */
function isLocal(address: string, headers: Headers): boolean {
  return isLoopback(address) && !FORWARDED.some((name) => headers.has(name))
}

/** Facts that are constant while the service runs. */
interface RunFacts {
  version: string
  /** Unix milliseconds. */
  started: number
}

/** Everything there is to say of the service now, besides its requests. */
async function serviceMetrics(
  vitals: Vitals,
  { version, started }: RunFacts,
  now: number,
): Promise<Metric[]> {
  return [
    gauge("leaddb_build_info", "Always 1; the version is in the labels.", [
      [{ version, bun: Bun.version }, 1],
    ]),
    gauge("leaddb_uptime_seconds", "Time since the start.", Math.max(0, (now - started) / 1000)),
    gauge("process_start_time_seconds", "When it was started, in Unix seconds.", started / 1000),
    gauge("process_resident_memory_bytes", "Memory in use.", memoryUsage().current),
    ...writeMetrics(vitals),
    ...readMetrics(vitals),
    ...fileMetrics(vitals),
    ...(await deliveryMetrics(vitals)),
    ...backupMetrics(vitals),
    ...(await duplicateMetrics(vitals)),
    ...(await accountMetrics(vitals)),
    counter(
      "leaddb_scoring_cut_off_total",
      "Leads whose scoring rules looked through too much text and were cut off, in requests.",
      workCutOff(),
    ),
  ]
}

function writeMetrics({ writes }: Vitals): Metric[] {
  return [
    gauge("leaddb_write_queue_depth", "Writes that wait for their turn.", writes.depth()),
    histogram("leaddb_commit_group_size", "Writes that were committed together.", [[{}, writes.sizes]]),
    histogram("leaddb_commit_duration_seconds", "Time that a group of writes took, its commit included.", [
      [{}, writes.seconds],
    ]),
    gauge("leaddb_write_failing", "1 while the last write could not be stored.", writes.failure() ? 1 : 0),
  ]
}

function readMetrics({ reads }: Vitals): Metric[] {
  if (!reads) return []
  const { underWay, connections } = reads()
  return [
    gauge("leaddb_database_reads", "Reads of the database that are under way.", underWay),
    gauge("leaddb_database_connections", "Connections that reads share at most.", connections),
  ]
}

function fileMetrics({ files }: Vitals): Metric[] {
  if (!files) return []
  const { database, wal, free } = files()
  return [
    gauge("leaddb_database_bytes", "Size of the database file.", database),
    gauge("leaddb_wal_bytes", "Size of the write-ahead log.", wal),
    gauge("leaddb_disk_free_bytes", "What is free on the disk of the database.", free),
  ]
}

async function deliveryMetrics({ deliveries }: Vitals): Promise<Metric[]> {
  const overdue = (await deliveries.overdue()) / 1000
  return [
    counter(
      "leaddb_webhook_attempts_total",
      "Attempts to deliver: succeeded, to be retried, or the last (failed: refused; expired: no answer).",
      Object.entries(deliveries.attempts()).map(([outcome, count]) => [{ outcome }, count]),
    ),
    gauge("leaddb_webhook_overdue_seconds", "How late the most overdue delivery is.", overdue),
    gauge("leaddb_worker_running", "1 while the worker thread runs.", deliveries.isWorkerRunning() ? 1 : 0),
  ]
}

async function duplicateMetrics({ duplicates }: Vitals): Promise<Metric[]> {
  const { waiting, open } = await duplicates.counts()
  return [
    gauge("leaddb_duplicates_waiting", "Leads that have yet to be compared with others.", waiting),
    gauge("leaddb_duplicates_open", "Pairs of 50 % and more that nobody has decided on.", open),
    counter(
      "leaddb_duplicates_compared_total",
      "Leads that were compared with others.",
      duplicates.compared(),
    ),
  ]
}

function backupMetrics({ backups }: Vitals): Metric[] {
  if (!backups) return []
  const last = backups.last()
  const ofLast = (value: number | undefined): Sample[] => (value === undefined ? [] : [[{}, value]])
  return [
    gauge(
      "leaddb_backup_last_success_timestamp_seconds",
      "When the newest automatic backup was begun, in Unix seconds; 0 when there is none.",
      (backups.newest() ?? 0) / 1000,
    ),
    gauge(
      "leaddb_backup_duration_seconds",
      "Time that the last automatic backup took, its check included.",
      ofLast(last && last.milliseconds / 1000),
    ),
    gauge("leaddb_backup_bytes", "Size of the last automatic backup.", ofLast(last?.bytes)),
    counter("leaddb_backup_failures_total", "Automatic backups that could not be made.", backups.failures()),
  ]
}

async function accountMetrics(vitals: Vitals): Promise<Metric[]> {
  const accounts = await vitals.accounts()
  const plans = [...new Set(accounts.map(({ plan }) => plan))].toSorted()
  const perPlan = (value: (of: typeof accounts) => number): Sample[] =>
    plans.map((plan) => [{ plan }, value(accounts.filter((account) => account.plan === plan))])
  return [
    gauge(
      "leaddb_accounts",
      "Accounts.",
      perPlan((all) => all.length),
    ),
    gauge(
      "leaddb_leads",
      "Leads that are kept.",
      perPlan((all) => all.reduce((sum, { leads }) => sum + leads, 0)),
    ),
  ]
}
