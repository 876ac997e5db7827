import { describe, expect, test } from "bun:test"
import { connect } from "node:net"
import { version } from "../../package.json"
import { createHistogram, type Vitals } from "../../src/runtime/vitals.ts"
import { createRequestIds } from "../../src/surfaces/ops/observer.ts"
import { createHealthCheck } from "../../src/surfaces/ops/ops.ts"
import { openTestApp, openTestAppForReading, type TestApp } from "../support/app.ts"
import { heldClock } from "../support/clock.ts"
import { onPostgres } from "../support/database.ts"
import { sendRaw } from "../support/raw.ts"
import { openPlace } from "../support/service.ts"
import { until } from "../support/until.ts"

const originOf = ({ app }: TestApp) => new URL(app.url).origin

describe("GET /healthz and /readyz", () => {
  const service = openTestAppForReading(async () => {})

  test("answer without a key, to HEAD too, and are never kept", async () => {
    const health = await fetch(`${originOf(service())}/healthz`)
    expect(health.status).toBe(200)
    expect(health.headers.get("cache-control")).toBe("no-store")
    expect(await health.json()).toEqual({ status: "ok", version })
    const ready = await fetch(`${originOf(service())}/readyz`)
    expect([ready.status, await ready.json()]).toEqual([200, { status: "ready" }])
    for (const path of ["/healthz", "/readyz", "/metrics"]) {
      expect((await fetch(originOf(service()) + path, { method: "HEAD" })).status).toBe(200)
    }
  })
})

/** A service in good order, but for what a test says. */
function vitals(ill: { [part in keyof Vitals]?: Partial<Vitals[part]> } = {}): Vitals {
  const histogram = createHistogram([1])
  return {
    read: async () => {},
    files: () => ({ database: 0, wal: 0, free: 2 ** 30 }),
    accounts: async () => [],
    isStopping: () => false,
    duplicates: { counts: async () => ({ waiting: 0, open: 0 }), compared: () => 0 },
    ...(ill as Partial<Vitals>),
    writes: {
      ...{ depth: () => 0, sizes: histogram, seconds: histogram },
      ...{ failure: () => undefined, underWay: () => 0, probe: async () => {} },
      ...ill.writes,
    },
    deliveries: {
      ...{ isWorkerRunning: () => true, overdue: async () => 0, attempts: () => ({}) },
      ...ill.deliveries,
    },
  }
}

describe("a service is not ready", () => {
  const reasons = (ill: Vitals, clock = heldClock()) => createHealthCheck(ill, clock)()

  test("while it stops, and when the database cannot be read", async () => {
    expect(await reasons(vitals())).toEqual([])
    expect(await reasons(vitals({ isStopping: () => true }))).toEqual(["the service is stopping"])
    const unreadable = vitals({
      read() {
        throw new Error("disk I/O error")
      },
    })
    expect(await reasons(unreadable)).toEqual(["the database cannot be read: disk I/O error"])
  })

  test("while the disk is full, also before a write has failed", async () => {
    const free = (bytes: number) => vitals({ files: () => ({ database: 0, wal: 0, free: bytes }) })
    expect(await reasons(free(16 * 2 ** 20))).toEqual([])
    expect(await reasons(free(16 * 2 ** 20 - 1))).toEqual([
      "the disk is full: 15 MiB are free and 16 MiB are needed",
    ])
  })

  test("when a write takes longer than 5 seconds", async () => {
    expect(await reasons(vitals({ writes: { underWay: () => 5_000 } }))).toEqual([])
    expect(await reasons(vitals({ writes: { underWay: () => 7_400 } }))).toEqual([
      "a write has been under way for 7 s",
    ])
  })

  test("after a write failed, until one works: it is tried at most every 2 seconds", async () => {
    const clock = heldClock()
    let failure: string | undefined = "The disk is full"
    let tries = 0
    const probe = async () => {
      if (++tries === 2) failure = undefined
      else throw new Error("still full")
    }
    const check = createHealthCheck(vitals({ writes: { failure: () => failure, probe } }), clock)
    expect(await check()).toEqual(["the last write failed: The disk is full"])
    clock.advance(1_999)
    expect(await check()).toHaveLength(1)
    expect(tries).toBe(1)
    clock.advance(1)
    expect(await check()).toEqual([])
    clock.advance(60_000)
    expect(await check()).toEqual([])
    expect(tries).toBe(2)
  })

  test("when deliveries are overdue and no worker runs", async () => {
    const of = (isRunning: boolean, overdue: number) =>
      vitals({ deliveries: { isWorkerRunning: () => isRunning, overdue: async () => overdue } })
    expect(await reasons(of(true, 60_000))).toEqual([])
    expect(await reasons(of(false, 0))).toEqual([])
    expect(await reasons(of(false, 5_001))).toEqual([
      "webhook deliveries are overdue and the worker thread is not running",
    ])
  })
})

describe("GET /metrics", () => {
  /** The metrics as a map from name and labels to number. */
  async function read(service: TestApp): Promise<Map<string, number>> {
    const text = await (await fetch(`${originOf(service)}/metrics`)).text()
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))
    return new Map(
      lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]),
    )
  }

  test("is the Prometheus text format: every family announced once, every line a name, labels and a number", async () => {
    const service = await openTestApp()
    await service.call("GET", "/leads")
    const response = await fetch(`${originOf(service)}/metrics`)
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
    const text = await response.text()
    expect(text).toEndWith("\n")
    const types = [...text.matchAll(/^# TYPE (\w+) (counter|gauge|histogram)$/gm)].map(([, name]) => name!)
    expect(new Set(types).size).toBe(types.length)
    expect([...text.matchAll(/^# HELP /gm)]).toHaveLength(types.length)
    let family = ""
    for (const line of text.trimEnd().split("\n")) {
      const [, name] = /^# TYPE (\w+)/.exec(line) ?? []
      family = name ?? family
      if (line.startsWith("#")) continue
      expect(line).toMatch(/^\w+(\{\w+="[^"\n]*"(,\w+="[^"\n]*")*\})? (\d+(\.\d+)?(e[+-]\d+)?)$/)
      expect(line.replace(/_(bucket|sum|count)\b.*/, "").replace(/[{ ].*/, "")).toBe(family)
    }
  })

  test("counts requests by route and status, also those that are refused", async () => {
    const service = await openTestApp()
    const { call, as } = service
    const { id } = (await call("POST", "/leads", { name: "A", source: "s" })).body
    for (let i = 0; i < 3; i++) await call("GET", `/leads/${id}`)
    await call("GET", "/leads/cl_none")
    await as("")("GET", `/leads/${id}`)
    await call("PUT", "/leads/batch", {})
    await call("GET", "/nothing")
    await fetch(`${originOf(service)}/elsewhere/${id}`, { method: "PROPFIND" })
    await fetch(service.app.mcpUrl)
    const metrics = await read(service)
    const requests = (method: string, route: string, status: number, listener = "rest") =>
      metrics.get(
        `leaddb_http_requests_total{listener="${listener}",method="${method}",route="${route}",status="${status}"}`,
      )
    expect(requests("POST", "/api/v1/leads", 201)).toBe(1)
    expect(requests("GET", "/api/v1/leads/:id", 200)).toBe(3)
    expect(requests("GET", "/api/v1/leads/:id", 404)).toBe(1)
    expect(requests("GET", "/api/v1/leads/:id", 401)).toBe(1)
    expect(requests("PUT", "/api/v1/leads/batch", 400)).toBe(1)
    expect(requests("GET", "/api/v1/*", 404)).toBe(1)
    expect(requests("other", "other", 404)).toBe(1)
    expect(requests("GET", "/mcp", 401, "mcp")).toBe(1)
    const route = 'listener="rest",method="GET",route="/api/v1/leads/:id"'
    expect(metrics.get(`leaddb_http_request_duration_seconds_count{${route}}`)).toBe(5)
    expect(metrics.get(`leaddb_http_request_duration_seconds_bucket{${route},le="+Inf"}`)).toBe(5)
    expect(metrics.get("leaddb_http_requests_in_flight")).toBe(1)
  })

  test("counts a client that goes away within its body as a bad request, not as our failure", async () => {
    const service = await openTestApp({ log: "off" })
    const { hostname, port } = new URL(service.app.url)
    const socket = connect(Number(port), hostname, () => {
      const head = `POST /api/v1/leads HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${service.key}\r\nContent-Length: 9`
      socket.write(`${head}\r\n\r\n{`)
    })
    const metric = async (name: string) => (await read(service)).get(name)
    await until("it has arrived", async () => (await metric("leaddb_http_requests_in_flight")) === 2)
    socket.destroy()
    const series =
      'leaddb_http_requests_total{listener="rest",method="POST",route="/api/v1/leads",status="400"}'
    await until("it is counted", async () => (await metric(series)) === 1)
  })

  test("tells of writes, leads, webhooks, the file and the process", async () => {
    const clock = heldClock()
    const service = await openTestApp({}, clock)
    await service.call("POST", "/leads/batch", {
      leads: [1, 2, 3].map((n) => ({ name: `L${n}`, source: "s" })),
    })
    clock.advance(90_000)
    // What is left to be indexed is written behind the batch.
    await until("nothing waits to be written", async () => {
      return (await read(service)).get("leaddb_write_queue_depth") === 0
    })
    const metrics = await read(service)
    expect(metrics.get('leaddb_leads{plan="enterprise"}')).toBe(3)
    expect(metrics.get('leaddb_accounts{plan="enterprise"}')).toBe(1)
    expect(metrics.get("leaddb_uptime_seconds")).toBe(90)
    expect(metrics.get("leaddb_write_failing")).toBe(0)
    expect(metrics.get("leaddb_commit_group_size_count")).toBeGreaterThan(1)
    expect(metrics.get("leaddb_commit_duration_seconds_sum")).toBeGreaterThan(0)
    expect(metrics.get('leaddb_webhook_attempts_total{outcome="succeeded"}')).toBe(0)
    expect(metrics.get("leaddb_webhook_overdue_seconds")).toBe(0)
    expect(metrics.get("leaddb_duplicates_open")).toBe(0)
    expect(metrics.get("leaddb_duplicates_waiting")).toBeGreaterThanOrEqual(0)
    expect(metrics.get("leaddb_duplicates_compared_total")).toBeGreaterThanOrEqual(0)
    const ofFile = onPostgres ? [] : ["leaddb_database_bytes", "leaddb_wal_bytes"]
    for (const name of [...ofFile, "process_resident_memory_bytes"]) {
      expect([name, metrics.get(name)! > 4_000]).toEqual([name, true])
    }
  })

  test("is for this machine: not for requests that a proxy passes on", async () => {
    const url = `${originOf(await openTestApp())}/metrics`
    for (const name of ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"]) {
      const response = await fetch(url, { headers: { [name]: "203.0.113.7" } })
      expect([name, response.status]).toEqual([name, 403])
      expect((await response.json()).message).toContain("LEADDB_METRICS")
    }
  })

  test("is open to all, or not there, when it is so configured", async () => {
    const headers = { "X-Forwarded-For": "203.0.113.7" }
    const open = await openTestApp({ metrics: "all" })
    expect((await fetch(`${originOf(open)}/metrics`, { headers })).status).toBe(200)
    const off = await openTestApp({ metrics: "off" })
    expect((await fetch(`${originOf(off)}/metrics`)).status).toBe(404)
  })
})

describe("X-Request-Id", () => {
  const service = openTestAppForReading(async () => {})
  const idOf = async (url: string, init: RequestInit = {}) =>
    (await fetch(url, { redirect: "manual", ...init })).headers.get("x-request-id")

  test("is on every answer, whatever it is, with the id that was sent", async () => {
    const { app, key } = service()
    const origin = originOf(service())
    const headers = { "X-API-Key": key, "X-Request-Id": "trace-1" }
    for (const path of ["/", "/docs", "/docs/", "/healthz", "/metrics", "/nothing", "/api/v1/openapi.json"]) {
      expect([path, await idOf(origin + path, { headers })]).toEqual([path, "trace-1"])
    }
    for (const path of ["/leads", "/leads/none", "/leads?limit=0", "/nothing", "/leads/export?format=csv"]) {
      expect([path, await idOf(app.url + path, { headers })]).toEqual([path, "trace-1"])
    }
    expect(await idOf(`${app.url}/leads`, { headers: { "X-Request-Id": "trace-1" } })).toBe("trace-1")
    expect(await idOf(`${app.url}/leads`, { method: "POST", headers, body: "{" })).toBe("trace-1")
    expect(await idOf(app.mcpUrl, { headers })).toBe("trace-1")
    expect(
      await idOf(`${new URL(app.mcpUrl).origin}/.well-known/oauth-protected-resource`, { headers }),
    ).toBe("trace-1")
  })

  test("is one of our own when none came, or none that may be repeated", async () => {
    const { app } = service()
    const own = /^[0-9a-f]{12}-[0-9a-z]+$/
    expect(await idOf(app.url)).toMatch(own)
    const sent = await sendRaw(app.url, "GET /healthz HTTP/1.1\r\nX-Request-Id: a b\tc")
    expect(sent.headers["x-request-id"]).toMatch(own)
    const ids = createRequestIds()
    expect(ids("a".repeat(128))).toBe("a".repeat(128))
    for (const bad of [null, "", "a b", "é", 'a"b', "a\nb", "a".repeat(129), `x-${service().key}`])
      expect(ids(bad)).toMatch(own)
    expect(ids(null)).not.toBe(ids(null))
  })
})

test("the log of a service has a line for every request but probes that went well, and never a key", async () => {
  await using place = openPlace()
  const service = await place.serve([], { LEADDB_LOG: "json" })
  const origin = new URL(service.url).origin
  const headers = { "X-API-Key": service.key, "X-Request-Id": "mine" }
  await fetch(`${service.url}/leads?filter=and.eq.email.ada@example.com`, { headers })
  await fetch(`${service.url}/api-keys/${service.key}`, { method: "DELETE", headers })
  await fetch(`${service.url}/leads`)
  for (const path of ["/healthz", "/readyz", "/metrics"]) await fetch(origin + path)
  await fetch(`${origin}/metrics`, { headers: { Via: "proxy" } })
  service.signal("SIGTERM")
  const { out } = await service.ended
  const lines = out.trimEnd().split("\n")
  const [started, ...rest] = lines.map((line) => JSON.parse(line))
  expect(started).toMatchObject({ msg: "started", api_key: service.key })
  expect(rest.map(({ msg, method, path, status }) => [msg, method, path, status])).toEqual([
    ["request", "GET", "/api/v1/leads", 200],
    ["request", "DELETE", "/api/v1/api-keys/ldb_***", 404],
    ["request", "GET", "/api/v1/leads", 401],
    ["request", "GET", "/metrics", 403],
    ["stopped", undefined, undefined, undefined],
  ])
  expect(rest[0]).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    ...{ level: "info", msg: "request", method: "GET", path: "/api/v1/leads", status: 200 },
    ...{
      ms: expect.any(Number),
      key: expect.stringMatching(/^key_/),
      from: "127.0.0.1",
      request_id: "mine",
    },
  })
  expect(lines.slice(1).join("\n")).not.toMatch(/ldb_\w/)
})
