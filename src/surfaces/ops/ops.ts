// Operator endpoints (health, readiness, metrics); no API key.
import type { Hono } from "hono"
import type { Clock } from "../../runtime/clock.ts"
import { AppError } from "../../runtime/errors.ts"
import { METRICS_CONTENT_TYPE, type Metric, renderMetrics } from "../../runtime/metrics.ts"
import type { Vitals } from "../../runtime/vitals.ts"
import type { RestEnv } from "./bindings.ts"
import { type RunFacts, serviceMetrics } from "./service-metrics.ts"

/** Bytes that must be free: a checkpoint of a write-ahead log at its usual length, and some writes. */
const FREE_MIN = 16 * 2 ** 20
/** Milliseconds that a commit may take before the service counts as stuck. */
const STUCK_MS = 5_000
/** Milliseconds that a delivery may wait for a worker that is not there: it is started anew within a second. */
const WORKERLESS_MS = 5_000
/** While writing fails, how often it is tried again, in milliseconds. */
const PROBE_EVERY_MS = 2_000
/** How long such a try is waited for; the next check has what came of it. */
const PATIENCE_MS = 1_000

/**
 * Finds out why the service cannot do its work, in words for people; an empty list when it can. Nothing is written
 * unless the last commit failed: then a try tells when it works again, though no client writes meanwhile.
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

  /** Known before the first write fails: who balances the load can send writers elsewhere in time. */
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
  const isLoopback = /^(::ffff:)?127\.|^::1$/.test(address)
  return isLoopback && !FORWARDED.some((name) => headers.has(name))
}
