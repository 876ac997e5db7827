import { describe, expect } from "bun:test"
import type { Access } from "../../src/domain/operation.ts"
import { operations } from "../../src/domain/operations/index.ts"
import { openTestAccount, openTestAccountForReading, openTestApp, test } from "../support/app.ts"
import { heldClock } from "../support/clock.ts"
import { onPostgres } from "../support/database.ts"
import { LEAST, NO_LEAD } from "../support/lead.ts"
import { pluck } from "../support/pluck.ts"
import { call, post, rpc } from "./support.ts"

const TOOLS = operations.filter(({ tool }) => tool && tool.set === undefined)

describe("without a good key", () => {
  const app = openTestAccountForReading(async () => {})

  test.each(["/mcp", "/sse", "/messages"])(
    "%s answers 401 with WWW-Authenticate, whatever the method",
    async (path) => {
      const url = new URL(path, app().app.mcpUrl)
      for (const method of ["GET", "POST", "DELETE", "PUT"]) {
        for (const headers of [
          {},
          { Authorization: "Bearer nonsense" },
          { Authorization: `Basic ${app().key}` },
        ] as const) {
          const response = await fetch(url, { method, headers })
          expect([method, response.status]).toEqual([method, 401])
          expect(response.headers.get("www-authenticate")).toStartWith("Bearer ")
          const { error } = (await response.json()) as { error: object }
          expect(error).toEqual({ code: "UNAUTHORIZED", status: 401, message: expect.any(String) })
        }
      }
    },
  )

  test("the challenge says when a key was there and is wrong", async () => {
    const { mcpUrl } = app().app
    const none = await post(mcpUrl, {})
    expect(none.headers.get("www-authenticate")).not.toContain("invalid_token")
    expect(none.body.error.message).toContain("Authorization: Bearer")
    const wrong = await post(mcpUrl, {}, { Authorization: `Bearer ${app().key.slice(0, -1)}` })
    expect(wrong.headers.get("www-authenticate")).toContain('error="invalid_token"')
  })

  test("the key is taken as bearer in any case of the word, or as X-API-Key", async () => {
    const { key } = app()
    for (const headers of [
      { Authorization: `bearer ${key}` },
      { Authorization: `BEARER  ${key} ` },
      { "X-API-Key": key },
    ] as const) {
      expect((await rpc({ app: app().app, key: "" }, "ping", {}, headers)).status).toBe(200)
    }
  })
})

describe("roles", () => {
  const app = openTestAccountForReading(async () => {})
  const rights: Partial<Record<Access, string[]>> = {
    read: ["viewer", "editor", "owner"],
    write: ["editor", "owner"],
    owner: ["owner"],
  }

  describe.each(["viewer", "editor", "owner"])("%s", (role) => {
    test.each(TOOLS)("$name", async ({ name, access }) => {
      const { error } = await call(app(), name, { nonsense: 1, confirm: true }, { "X-Member-Role": role })
      const allowed = rights[access]!.includes(role)
      expect(error).toMatchObject(
        allowed ? { code: "VALIDATION_ERROR" } : { code: "UNAUTHORIZED", status: 403 },
      )
    })
  })

  test("a viewer's key reads and does not write", async (service) => {
    const { key } = (await service.call("POST", "/api-keys", { name: "v", role: "viewer" })).body
    const viewer = { app: service.app, key }
    expect((await call(viewer, "list_leads")).data.leads).toEqual([])
    const { error } = await call(viewer, "create_lead", LEAST)
    expect(error).toEqual({ code: "UNAUTHORIZED", message: "viewer role cannot modify data", status: 403 })
  })

  test("the actor of a change is the header's, else the key", async (service) => {
    const { data } = await call(service, "create_lead", LEAST, { "X-Actor-Id": "user-7" })
    await call(service, "update_lead", { id: data.id, city: "Bonn" })
    const { changes } = (await service.call("GET", `/leads/${data.id}/changes`)).body
    expect(pluck(changes, "actor_id")).toEqual([expect.stringMatching(/^key_/), "user-7"])
  })

  test("another account's lead is missing", async (service) => {
    const { data } = await call(service, "create_lead", LEAST)
    const other = { app: service.app, key: (await service.addAccount()).key }
    expect((await call(other, "get_lead", { id: data.id })).error).toEqual(
      (await call(other, "get_lead", { id: NO_LEAD })).error,
    )
    expect((await call(other, "list_leads")).data.leads).toEqual([])
    expect((await rpc(other, "resources/read", { uri: `leads://${data.id}` })).body.error.code).toBe(-32602)
  })
})

describe("the request limit", () => {
  async function openLimited(requests: number) {
    const clock = heldClock()
    const service = await openTestApp({}, clock)
    const { key } = await service.addAccount({
      plan: "free",
      limits: { requests_limit: requests },
    })
    return { clock, app: service.app, key, rest: service.as(key) }
  }

  // PostgreSQL counts by its own clock, which no test holds.
  test.skipIf(onPostgres)("is one for tools, resources and REST", async () => {
    const { rest, clock, ...service } = await openLimited(4)
    const first = await call(service, "list_leads")
    expect(first.headers.get("x-ratelimit-limit")).toBe("4")
    expect(first.headers.get("x-ratelimit-remaining")).toBe("3")
    await rest("GET", "/leads")
    await rpc(service, "resources/read", { uri: `leads://${NO_LEAD}` })
    expect((await call(service, "get_lead", { id: NO_LEAD })).headers.get("x-ratelimit-remaining")).toBe("0")
    const refused = await call(service, "list_leads")
    expect(refused.error).toMatchObject({
      code: "RATE_LIMITED",
      status: 429,
      message: expect.stringContaining("600 s"),
    })
    expect(refused.headers.get("retry-after")).toBe("600")
    expect((await rest("GET", "/leads")).status).toBe(429)
    clock.advance(600_000)
    expect((await call(service, "list_leads")).isError).toBe(false)
  })

  test("counts every call of a batch", async () => {
    const { app, key } = await openLimited(2)
    const one = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "get_stats" } })
    const { body } = await post(app.mcpUrl, [one(1), one(2), one(3)], { Authorization: `Bearer ${key}` })
    const refused = body.map((answer: { result: { isError?: true } }) => answer.result.isError ?? false)
    expect(refused.toSorted()).toEqual([false, false, true])
  })

  test("does not count the handshake, lists, prompts, guides and completions", async () => {
    const { rest, clock, ...service } = await openLimited(1)
    const requests: [string, object][] = [
      [
        "initialize",
        { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
      ],
      ["ping", {}],
      ["tools/list", {}],
      ["resources/list", {}],
      ["resources/templates/list", {}],
      ["resources/read", { uri: "guide://filters" }],
      ["prompts/list", {}],
      ["prompts/get", { name: "weekly_report" }],
      [
        "completion/complete",
        { ref: { type: "ref/prompt", name: "weekly_report" }, argument: { name: "days", value: "" } },
      ],
    ]
    for (const [method, params] of requests) {
      const { result, headers } = await rpc(service, method, params)
      expect([method, typeof result]).toEqual([method, "object"])
      expect(headers.get("x-ratelimit-limit")).toBeNull()
    }
    expect((await call(service, "get_stats")).isError).toBe(false)
    expect((await call(service, "get_stats")).error.code).toBe("RATE_LIMITED")
  })

  test("comes before confirmation", async () => {
    const { rest, clock, ...service } = await openLimited(1)
    expect((await call(service, "delete_lead", { id: NO_LEAD })).error.code).toBe("CONFIRMATION_REQUIRED")
    expect((await call(service, "delete_lead", { id: NO_LEAD })).error.code).toBe("RATE_LIMITED")
  })
})

describe("Host and Origin", () => {
  async function statusOf(url: string, key: string, headers: Record<string, string>) {
    return (
      await post(
        url,
        { jsonrpc: "2.0", id: 1, method: "ping" },
        { Authorization: `Bearer ${key}`, ...headers },
      )
    ).status
  }

  test.each<[number, Record<string, string>]>([
    [200, {}],
    [200, { Host: "localhost" }],
    [200, { Host: "192.168.1.5" }],
    [421, { Host: "evil.example" }],
    [200, { Origin: "http://localhost:6274" }],
    [403, { Origin: "http://evil.example" }],
    [403, { Origin: "null" }],
  ])("on loopback: %p for %j", async (status, headers) => {
    const { app, key } = await openTestAccount()
    expect(await statusOf(app.mcpUrl, key, headers)).toBe(status)
  })

  test("an allowed page may read the answer, a foreign one may not even ask", async ({ app, key }) => {
    const origin = "http://localhost:6274"
    const asked = await fetch(app.mcpUrl, {
      method: "OPTIONS",
      headers: { Origin: origin, "Access-Control-Request-Headers": "authorization" },
    })
    expect(asked.status).toBe(204)
    expect(asked.headers.get("access-control-allow-origin")).toBe(origin)
    expect(asked.headers.get("access-control-allow-headers")).toBe("authorization")
    const answer = await rpc({ app, key }, "ping", {}, { Origin: origin })
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin)
    expect((await post(app.mcpUrl, {}, { Origin: origin })).headers.get("access-control-allow-origin")).toBe(
      origin,
    )
    expect(
      (await fetch(app.mcpUrl, { method: "OPTIONS", headers: { Origin: "https://evil.example" } })).status,
    ).toBe(403)
  })
})
