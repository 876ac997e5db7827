import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { addAccount } from "../support/account.ts"
import { openTestApp, startTestApp, type TestApp } from "../support/app.ts"
import { temporaryFolder } from "../support/folder.ts"
import { exchange, sendRaw } from "../support/raw.ts"
import { openStream } from "../support/stream.ts"
import { until } from "../support/until.ts"

/** Each request is made so often, each time on a new connection, that the main process and the workers all get some. */
const TIMES = 8

// A service on PostgreSQL has none.
const onFile = process.env.LEADDB_TEST_DATABASE === "postgres" ? describe.skip : describe

/** What comes back for a request on a new connection, but for the date. */
async function answerTo(url: string, head: string, body = ""): Promise<string> {
  const bytes = await exchange(url, `${head}\r\nX-Request-Id: fixed`, body, "localhost")
  const [top = "", ...rest] = bytes.replace(/^Date: .*\r\n/im, "").split("\r\n\r\n")
  const sent = rest.join("\r\n\r\n")
  return `${top}\r\n\r\n${/^Transfer-Encoding: chunked/im.test(top) ? unchunked(sent) : sent}`
}

/** A body without the borders of its chunks, which are where they are by chance. */
function unchunked(body: string): string {
  let text = ""
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf("\r\n", at)
    const size = Number.parseInt(body.slice(at, end), 16)
    text += body.slice(end + 2, end + 2 + size)
    at = end + 2 + size + 2
  }
  return text
}

/** An answer to a write without its second: a new one may have begun before the next answer. */
const withoutSeconds = (answer: string) =>
  answer.replaceAll(/"(updated|last_interaction|last_touched)_at":\d+/g, '"$1_at":0')

const repeated = <T>(work: () => Promise<T>, times = TIMES): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, work))

/** Ids of the processes that this one has started as workers. */
function workerPids(): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const parent = readFileSync(`/proc/${name}/stat`, "latin1")
        .replace(/^.*\) /, "")
        .split(" ")[1]
      const isOurs = Number(parent) === process.pid
      return isOurs && readFileSync(`/proc/${name}/cmdline`, "latin1").includes("--serve-reads")
        ? [Number(name)]
        : []
    } catch {
      return []
    }
  })
}

onFile("a service with worker processes", () => {
  let alone: TestApp
  let shared: TestApp
  let id: string
  let cursor: string
  let etag: string
  const folder = temporaryFolder()

  beforeAll(async () => {
    const file = join(folder, "leads.db")
    alone = await startTestApp({ file })
    shared = await startTestApp({ file, workers: 3 })
    for (let i = 0; i < 30; i++) {
      const lead = {
        name: `Lead ${i} é`,
        source: "test",
        email: `l${i}@example.com`,
        description: "x".repeat(100 * i),
      }
      id = (await alone.call("POST", "/leads", lead)).body.id
    }
    cursor = (await alone.call("GET", "/leads?limit=7")).body.next_cursor
    etag = (await alone.call("GET", `/leads/${id}`)).headers.get("etag") ?? ""
  })
  afterAll(async () => {
    await shared.close()
    await alone.close()
    rmSync(folder, { recursive: true })
  })

  const requests: readonly [what: string, head: () => string, body?: string][] = [
    ["a lead", () => `GET /api/v1/leads/${id}`],
    ["a lead that is known", () => `GET /api/v1/leads/${id} HTTP/1.1\r\nIf-None-Match: ${etag}`],
    ["the head of a lead", () => `HEAD /api/v1/leads/${id}`],
    ["a list", () => "GET /api/v1/leads"],
    ["a list, compressed", () => "GET /api/v1/leads HTTP/1.1\r\nAccept-Encoding: gzip"],
    ["the next page", () => `GET /api/v1/leads?limit=7&cursor=${cursor}`],
    ["fields of a list", () => "GET /api/v1/leads?fields=name,email&sort_by=name&sort_order=desc"],
    ["a filter", () => "GET /api/v1/leads?filter=and.contains.name.Lead%201"],
    ["a search with its total", () => "GET /api/v1/leads?q=lead&total=true"],
    ["all leads with 1,000 a page", () => "GET /api/v1/leads?limit=1000"],
    ["a lead that is missing", () => "GET /api/v1/leads/cl_none"],
    ["a limit past the most", () => "GET /api/v1/leads?limit=5000"],
    ["a forged cursor", () => "GET /api/v1/leads?cursor=abc"],
    ["a slash at the end", () => `GET /api/v1/leads/${id}/`],
    ["an unknown path", () => "GET /api/v1/nothing"],
    ["another method", () => "DELETE /api/v1/leads"],
    ["the methods of a path", () => "OPTIONS /api/v1/leads"],
    ["an unclear role", () => "GET /api/v1/leads HTTP/1.1\r\nX-Member-Role: king"],
    ["a page of another origin", () => "GET /api/v1/leads HTTP/1.1\r\nOrigin: https://evil.example"],
    ["a header that is no ASCII", () => "GET /api/v1/leads/cl_none HTTP/1.1\r\nUser-Agent: caf\u00e9 \u2713"],
    ["an actor that is no ASCII", () => "GET /api/v1/stats HTTP/1.1\r\nX-Member-Id: caf\u00e9"],
    ["notes", () => `GET /api/v1/leads/${id}/notes`],
    ["stats", () => "GET /api/v1/stats"],
    ["an export as CSV", () => "GET /api/v1/leads/export?format=csv"],
    ["the dashboard", () => "GET /app"],
    ["the API's document", () => "GET /api/v1/openapi.json"],
    ["health", () => "GET /healthz"],
    [
      "a dry run",
      () => "POST /api/v1/leads?dry_run=true",
      '{"name":"x","source":"y","email":"l1@example.com"}',
    ],
    ["a body that is no JSON", () => "POST /api/v1/leads", "{"],
    ["an update that changes nothing", () => `PUT /api/v1/leads/${id}`, '{"city":null}'],
  ]

  test.each(requests)("answers with the same bytes as without: %s", async (_, head, body = "") => {
    const [line = "", ...more] = head().split("\r\n")
    const first = line.endsWith("HTTP/1.1") ? line : `${line} HTTP/1.1`
    const type = body === "" ? [] : ["Content-Type: application/json", `Content-Length: ${body.length}`]
    const whole = [first, `X-API-Key: ${alone.key}`, ...type, ...more].join("\r\n")
    const expected = await answerTo(alone.app.url, whole, body)
    expect(expected).toStartWith("HTTP/1.1 ")
    const compared = (answer: string) => (body === "" ? answer : withoutSeconds(answer))
    for (const answer of await repeated(() => answerTo(shared.app.url, whole, body)))
      expect(compared(answer)).toBe(compared(expected))
  })

  test.each([
    ["no key", ""],
    ["an unknown key", `X-API-Key: ldb_${"x".repeat(38)}`],
  ])("counts failures to sign in over all processes: %s", async (_, header) => {
    const remaining = await Promise.all(
      Array.from({ length: TIMES }, async () => {
        const { status, headers } = await sendRaw(
          shared.app.url,
          `GET /api/v1/leads HTTP/1.1\r\n${header || "X-A: b"}`,
        )
        return `${status} ${headers["x-ratelimit-remaining"]}`
      }),
    )
    expect(new Set(remaining).size).toBe(TIMES)
  })

  test("tells what a request came with: its address, its agent, its host", async () => {
    const head = "GET /metrics HTTP/1.1"
    for (const { status } of await repeated(() => sendRaw(shared.app.url, head))) expect(status).toBe(200)
    const foreign = `${head}\r\nX-Forwarded-For: 1.2.3.4`
    for (const { status } of await repeated(() => sendRaw(shared.app.url, foreign))) expect(status).toBe(403)
    const rebound = "GET /api/v1/leads HTTP/1.1"
    for (const { status } of await repeated(() => sendRaw(shared.app.url, rebound, "", "evil.example")))
      expect(status).toBe(421)
    const old = "GET /api/v1/leads HTTP/1.0"
    for (const { status } of await repeated(() => sendRaw(shared.app.url, old, "", null)))
      expect(status).toBe(401)
  })

  test("shows a write to every process as soon as it is answered", async () => {
    for (let i = 0; i < 5; i++) {
      const { body } = await shared.as(alone.key)("POST", "/leads", { name: `New ${i}`, source: "test" })
      const head = `GET /api/v1/leads/${body.id} HTTP/1.1\r\nX-API-Key: ${alone.key}`
      for (const { status } of await repeated(() => sendRaw(shared.app.url, head))) expect(status).toBe(200)
    }
  })

  test("refuses a revoked key in every process at once", async () => {
    const made = await shared.as(alone.key)("POST", "/api-keys", { name: "passing" })
    const head = `GET /api/v1/leads/${id} HTTP/1.1\r\nX-API-Key: ${made.body.key}`
    for (const { status } of await repeated(() => sendRaw(shared.app.url, head))) expect(status).toBe(200)
    await shared.as(alone.key)("DELETE", `/api-keys/${made.body.id}`)
    for (const { status } of await repeated(() => sendRaw(shared.app.url, head))) expect(status).toBe(401)
  })

  test("counts the requests of an account over all processes", async () => {
    const { key } = await addAccount(shared.config.file, { plan: "free" })
    const head = `GET /api/v1/leads?limit=1 HTTP/1.1\r\nX-API-Key: ${key}`
    const answers = await repeated(() => sendRaw(shared.app.url, head), 120)
    const allowed = answers.filter(({ status }) => status === 200)
    expect(allowed.length).toBe(100)
    const left = allowed.map(({ headers }) => Number(headers["x-ratelimit-remaining"]))
    expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i))
    for (const { status } of answers.filter((one) => !allowed.includes(one))) expect(status).toBe(429)
  })

  test("counts requests in the metrics wherever they were answered", async () => {
    const counted = async () => {
      const { body } = await sendRaw(shared.app.url, "GET /metrics HTTP/1.1")
      const line =
        'leaddb_http_requests_total{listener="rest",method="GET",route="/api/v1/leads/:id",status="200"}'
      return Number(
        body
          .split("\n")
          .find((one) => one.startsWith(line))
          ?.slice(line.length) ?? 0,
      )
    }
    const before = await counted()
    const head = `GET /api/v1/leads/${id} HTTP/1.1\r\nX-API-Key: ${alone.key}`
    await repeated(() => sendRaw(shared.app.url, head), 40)
    expect(await counted()).toBe(before + 40)
  })

  test("sends streams of events from every process", async () => {
    const key = shared.key || alone.key
    const streams = await repeated(() =>
      openStream(`${shared.app.url}/changes`, key, { Connection: "close" }),
    )
    const { body } = await alone.call("POST", "/leads", { name: "Told to all", source: "test" })
    await Promise.all(
      streams.map(async ({ next, close }) => {
        while ((await next())!.change.lead_id !== body.id);
        close()
      }),
    )
  })

  test("takes uploads of any size in every process", async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => `Row ${i},r${i}@example.com,${"y".repeat(40)}`)
    const csv = `name,email,description\n${rows.join("\n")}\n`
    for (let i = 0; i < 4; i++) {
      const response = await fetch(`${shared.app.url}/leads/import?dry_run=true&source=test`, {
        method: "POST",
        headers: { "X-API-Key": alone.key, "Content-Type": "text/csv", Connection: "close" },
        body: csv,
      })
      expect([response.status, await response.text()]).toEqual([
        200,
        expect.stringContaining(`${rows.length}`),
      ])
    }
  })

  test("starts a worker process again that was killed, and answers meanwhile", async () => {
    const before = workerPids()
    expect(before.length).toBe(3)
    process.kill(before[0]!, "SIGKILL")
    await until("another worker process", () => {
      const now = workerPids()
      return now.length === 3 && !now.includes(before[0]!)
    })
    const head = `GET /api/v1/leads/${id} HTTP/1.1\r\nX-API-Key: ${alone.key}`
    for (const { status } of await repeated(() => sendRaw(shared.app.url, head))) expect(status).toBe(200)
  })

  test("refuses a second service on its port", async () => {
    const port = Number(new URL(shared.app.url).port)
    for (const workers of [0, 1]) {
      const second = openTestApp({ port, workers })
      await expect(second).rejects.toThrow(`port ${port} on 127.0.0.1 is already in use`)
    }
  })
})

onFile("a service with worker processes that stops", () => {
  test("finishes what it has begun and leaves no process behind", async () => {
    const { app, call, close } = await openTestApp({ workers: 2 })
    const began = workerPids().length
    expect(began).toBe(2)
    let isStopping = false
    const created = new Set<string>()
    const clients = Array.from({ length: 8 }, async (_, client) => {
      for (let i = 0; !isStopping; i++) {
        const answer = await call("POST", "/leads", { name: `${client} ${i}`, source: "test" }).catch(
          () => undefined,
        )
        // Connections that were not taken any more are refused; an answer that has begun is whole.
        if (answer === undefined) return
        if (answer.status === 201) created.add(answer.body.id)
      }
    })
    await until("some leads", () => created.size > 20)
    await close()
    isStopping = true
    await Promise.all(clients)
    expect(workerPids()).toEqual([])
    await expect(fetch(app.url)).rejects.toThrow()
  })
})
