// Operator endpoints (health, readiness, metrics); no API key.
import type { Hono } from "hono"
import type { Clock } from "../../runtime/clock.ts"
import { AppError } from "../../runtime/errors.ts"
import { METRICS_CONTENT_TYPE, type Metric, renderMetrics } from "../../runtime/metrics.ts"
import type { Vitals } from "../../runtime/vitals.ts"
import type { RestEnv } from "./bindings.ts"
import { createHealthCheck } from "./health.ts"
import { type RunFacts, serviceMetrics } from "./service-metrics.ts"

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
