import { describe, expect, test } from "bun:test"
import { createHostGuard, type GuardSettings } from "../../src/surfaces/http/request.ts"
import { openTestAccount, openTestAccountForReading, openTestApp } from "../support/app.ts"
import { LEAST } from "../support/lead.ts"
import { sendRaw } from "../support/raw.ts"

/** The status with which a request is turned away, 200 when it is not. */
function statusOf(settings: Partial<GuardSettings>, headers: Record<string, string>): number {
  const guard = createHostGuard({ host: "127.0.0.1", allowedHosts: [], corsOrigins: [], ...settings })
  const sent = new Headers(headers)
  return (guard.refuseHost(sent) ?? guard.refuseOrigin(sent))?.status ?? 200
}

describe("behind public addresses", () => {
  const settings = {
    mcpPublicUrl: "https://mcp.example.com",
    publicUrl: "https://leads.example.com:8443",
    allowedHosts: ["leaddb"],
  }

  test.each([
    [200, {}],
    [200, { Host: "mcp.example.com" }],
    [200, { Host: "leaddb:8080" }],
    [200, { Host: "leads.example.com", Origin: "https://leads.example.com:8443" }],
    [200, { Host: "127.0.0.1:8081", Origin: "https://mcp.example.com" }],
    [421, { Host: "example.com" }],
    [421, { Host: "evil@leads.example.com" }],
    [403, { Host: "leads.example.com", Origin: "https://example.com" }],
  ])("%p for %j", (expected, headers) => expect(statusOf(settings, headers)).toBe(expected))
})

describe("without any", () => {
  test.each([
    [200, { Host: "LOCALHOST:8080" }],
    [200, { Host: "localhost", Origin: "http://127.0.0.1" }],
    [200, { Host: "leaddb.localhost:8080" }],
    [200, { Host: "192.168.1.5:8081" }],
    [200, { Host: "[fd00::5]:8081" }],
    [200, { Host: "192.168.1.5:8081", Origin: "http://192.168.1.5:8081" }],
    [403, { Host: "192.168.1.5:8081", Origin: "http://192.168.1.6:8081" }],
    [403, { Host: "localhost", Origin: "null" }],
    [403, { Host: "localhost", Origin: "garbage" }],
    [403, { Host: "localhost", Origin: "http://localhost.evil.example" }],
    [421, { Host: "evil.example:8081" }],
    [421, { Host: "localhost.evil.example" }],
    [421, { Host: "leaddb:8081" }],
    [421, { Host: "a b" }],
    [421, { Host: "" }],
  ])("%p for %j", (expected, headers) => expect(statusOf({}, headers)).toBe(expected))
})

test("the name to listen on is ours, too", () => {
  expect(statusOf({ host: "Leads.Example" }, { Host: "leads.example" })).toBe(200)
})

describe("the REST port", () => {
  const app = openTestAccountForReading(async () => {})
  const head = (path: string) => `GET ${path} HTTP/1.1\r\nX-API-Key: ${app().key}`

  test("answers 421 to another name, with the setting that adds it", async () => {
    for (const host of ["evil.example", "a@b", "a/b"]) {
      const answer = await sendRaw(app().app.url, head("/api/v1/leads"), "", host)
      expect([host, answer.status]).toEqual([host, 421])
      expect(answer.body).toContain("LEADDB_ALLOWED_HOSTS")
    }
  })

  test("tells by whatever name whether it is well", async () => {
    for (const host of ["evil.example", "a@b", "a b", ""]) {
      for (const path of ["/healthz", "/readyz"])
        expect([host, (await sendRaw(app().app.url, head(path), "", host)).status]).toEqual([host, 200])
    }
  })

  test("finds the route of a request without Host", async () => {
    const { status } = await sendRaw(app().app.url, head("/api/v1/leads").replace("1.1", "1.0"), "", null)
    expect(status).toBe(200)
  })

  test("turns away pages of other origins, and none of them may read without being named", async () => {
    const { call } = app()
    const origin = "https://app.example.com"
    expect((await call("GET", "/leads", undefined, { Origin: origin })).status).toBe(403)
    const own = await call("GET", "/leads", undefined, { Origin: "http://localhost:3000" })
    expect(own.headers.get("access-control-allow-origin")).toBeNull()
  })
})

describe("LEADDB_CORS_ORIGINS", () => {
  const origin = "https://app.example.com"
  const asking = { Origin: origin, "Access-Control-Request-Method": "PUT" }

  test("lets pages of these origins ask, send and read", async () => {
    const { call } = await openTestApp({ corsOrigins: [origin] })
    const asked = await call("OPTIONS", "/leads", undefined, { ...asking, "X-API-Key": "" })
    expect([asked.status, asked.body]).toEqual([204, undefined])
    expect(asked.headers.get("access-control-allow-origin")).toBe(origin)
    expect(asked.headers.get("access-control-allow-methods")).toContain("PUT")
    for (const header of ["X-API-Key", "Authorization", "Idempotency-Key", "If-Match", "Last-Event-ID"])
      expect(asked.headers.get("access-control-allow-headers")).toContain(header)
    expect(asked.headers.get("access-control-allow-credentials")).toBeNull()
    const answers = [
      await call("POST", "/leads", LEAST, { Origin: origin }),
      await call("GET", "/leads/export?format=csv", undefined, { Origin: origin }),
      await call("GET", "/leads", undefined, { Origin: origin, "X-API-Key": "" }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 401])
    for (const { headers } of answers) {
      expect(headers.get("access-control-allow-origin")).toBe(origin)
      expect(headers.get("vary")).toContain("Origin")
      expect(headers.get("access-control-expose-headers")).toMatch(
        /ETag, Idempotency-Replayed.*X-RateLimit-Remaining/,
      )
    }
  })

  test("keeps all others out", async () => {
    const { call } = await openTestApp({ corsOrigins: [origin] })
    const headers = { ...asking, Origin: "https://evil.example" }
    const asked = await call("OPTIONS", "/leads", undefined, headers)
    expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([403, null])
  })

  test("may be all of them", async () => {
    const { call } = await openTestApp({ corsOrigins: ["*"] })
    const asked = await call("OPTIONS", "/leads", undefined, asking)
    expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([204, "*"])
  })

  test("off, a browser's question gets no answer that opens the API", async () => {
    const { call } = await openTestAccount()
    const asked = await call("OPTIONS", "/leads", undefined, { ...asking, Origin: "http://localhost:1" })
    expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([204, null])
  })
})
