import { describe, expect } from "bun:test"
import { operations } from "../../src/domain/operations/index.ts"
import { openTestAccount, openTestApp } from "../support/app.ts"
import { whileTimeStands } from "../support/clock.ts"
import { LEAST, NO_LEAD } from "../support/lead.ts"
import { testWith } from "../support/test-with.ts"
import { until } from "../support/until.ts"
import { CLIENT, CLIENTS, post, readCall, rpc, sseUrl } from "./support.ts"

const test = testWith(openTestApp)

const INITIALIZE = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: CLIENT }

describe.each(Object.keys(CLIENTS) as (keyof typeof CLIENTS)[])("%s", (name) => {
  test("lists, calls, reads and closes", async () => {
    const client = await CLIENTS[name](await openTestApp())
    expect(client.getServerVersion()).toMatchObject({
      name: "leaddb",
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    })
    expect(client.getInstructions()).toContain("list_leads")
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain("create_lead")

    const { data: lead } = readCall(
      await client.callTool({ name: "create_lead", arguments: { ...LEAST, city: "Zürich" } }),
    )
    expect(lead.city).toBe("Zürich")
    const listed = readCall(
      await client.callTool({ name: "list_leads", arguments: { filter: ["and.eq.city.zürich"] } }),
    )
    expect(listed.data.leads).toMatchObject([{ id: lead.id }])
    const missing = readCall(await client.callTool({ name: "get_lead", arguments: { id: NO_LEAD } }))
    expect(missing).toMatchObject({ isError: true, error: { code: "RESOURCE_NOT_FOUND", status: 404 } })
    const file = readCall(await client.callTool({ name: "list_leads", arguments: { format: "xlsx" } }))
    expect(file.content[1].resource.blob).toStartWith("UEsDB")
    expect(client.callTool({ name: "no_tool", arguments: {} })).rejects.toMatchObject({ code: -32602 })

    const read = await client.readResource({ uri: `leads://${lead.id}` })
    expect(JSON.parse((read.contents[0] as { text: string }).text)).toMatchObject({
      id: lead.id,
      city: "Zürich",
    })
    expect((await client.listPrompts()).prompts.length).toBe(6)
    expect(
      (await client.getPrompt({ name: "find_duplicates", arguments: { city: "Bonn" } })).messages,
    ).toHaveLength(1)
    await client.close()
  })

  test("answers calls that overlap, each its own", async (service) => {
    const client = await CLIENTS[name](service)
    const calls = Array.from({ length: 4 }, (_, i) =>
      client.callTool({ name: "create_lead", arguments: { ...LEAST, name: `Lead ${i}`, email: `${i}@x.y` } }),
    )
    const made = (await Promise.all(calls)).map((result) => readCall(result).data.email)
    expect(made).toEqual(Array.from({ length: 4 }, (_, i) => `${i}@x.y`))
    await client.close()
  })

  test("a call under way when the service stops is answered", async () => {
    if (name.includes("SSE")) return
    const slow = operations.find(({ name }) => name === "list_cities")!
    const { run } = slow
    const service = await openTestApp()
    const client = await CLIENTS[name](service)
    const begun = Promise.withResolvers<void>()
    const isStopping = Promise.withResolvers<void>()
    slow.run = async (...args) => {
      begun.resolve()
      await isStopping.promise
      return run(...args)
    }
    try {
      const called = client.callTool({ name: "list_cities", arguments: {} })
      await begun.promise
      const closed = service.close()
      const ready = new URL("/readyz", service.app.url)
      await until("it says that it stops", async () => (await fetch(ready)).status === 503)
      isStopping.resolve()
      expect(readCall(await called).data).toEqual([])
      await closed
    } finally {
      slow.run = run
    }
    await client.close()
  })

  test("a service that stops lets go of its clients", async (service) => {
    const client = await CLIENTS[name](service)
    await whileTimeStands(service.close)
    await client.close()
  })
})

describe("POST /mcp in the older protocol", () => {
  test("needs no handshake and no session", async (service) => {
    const { result, headers } = await rpc(service, "initialize", INITIALIZE)
    expect(result).toMatchObject({ protocolVersion: "2025-06-18", serverInfo: { name: "leaddb" } })
    expect(result.capabilities).toEqual({ tools: {}, resources: {}, prompts: {}, completions: {} })
    expect(headers.get("mcp-session-id")).toBeNull()
    expect((await rpc(service, "ping")).result).toEqual({})
    expect((await rpc(service, "ping", {}, { "MCP-Protocol-Version": "2024-11-05" })).result).toEqual({})
    expect(
      (await rpc(service, "initialize", { ...INITIALIZE, protocolVersion: "1999-01-01" })).result
        .protocolVersion,
    ).toBe("2025-11-25")
  })

  test.each<[string, unknown, number, number | undefined]>([
    ["a notification", { jsonrpc: "2.0", method: "notifications/initialized" }, 202, undefined],
    ["an answer", { jsonrpc: "2.0", id: 1, result: {} }, 202, undefined],
    [
      "a cancellation",
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
      202,
      undefined,
    ],
    ["no JSON", "{", 400, -32700],
    ["nothing", "", 400, -32700],
    ["a number", 5, 400, -32600],
    ["an empty batch", [], 400, -32600],
    ["a batch of 101", Array.from({ length: 101 }, () => ({ jsonrpc: "2.0", method: "ping" })), 400, -32600],
    ["another version of JSON-RPC", { jsonrpc: "1.0", id: 1, method: "ping" }, 400, -32600],
    ["an id of null", { jsonrpc: "2.0", id: null, method: "ping" }, 400, -32600],
    ["an unknown method", { jsonrpc: "2.0", id: 1, method: "nothing" }, 200, -32601],
    ["a call without a name", { jsonrpc: "2.0", id: 1, method: "tools/call", params: {} }, 200, -32602],
  ])("%s", async (_, body, status, code) => {
    const { app, key } = await openTestAccount()
    const answer = await post(app.mcpUrl, body, { Authorization: `Bearer ${key}` })
    expect(answer.status).toBe(status)
    expect(answer.body?.error?.code).toBe(code)
  })

  test("another content type is refused, as a web page could send it unasked", async () => {
    const { app, key } = await openTestAccount()
    const body = { jsonrpc: "2.0", id: 1, method: "ping" }
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "text/plain" }
    expect((await post(app.mcpUrl, body, headers)).status).toBe(415)
  })

  test("a version that nobody knows is refused with those that are known", async (service) => {
    const { status, body } = await rpc(service, "ping", {}, { "MCP-Protocol-Version": "2099-01-01" })
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain("2099-01-01")
  })

  test("a batch is answered as a batch", async () => {
    const { app, key } = await openTestAccount()
    const messages = [
      { jsonrpc: "2.0", id: "a", method: "ping" },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "b" } },
      { jsonrpc: "2.0", id: "b", method: "tools/call", params: { name: "list_leads" } },
      { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "list_leads" } },
    ]
    const { body } = await post(app.mcpUrl, messages, { Authorization: `Bearer ${key}` })
    expect(body.map((answer: { id: unknown }) => answer.id).toSorted()).toEqual([3, "a", "b"])
    const lists = body.filter((answer: { id: unknown }) => answer.id !== "a")
    for (const { result } of lists) expect(readCall(result).data.leads).toEqual([])
  })

  test("text about the new protocol in an older request is only text", async (service) => {
    const name = "io.modelcontextprotocol/protocolVersion server/discover"
    const { body } = await rpc(service, "tools/call", { name: "create_lead", arguments: { ...LEAST, name } })
    expect(readCall(body.result).data.name).toBe(name)
  })

  test("GET and DELETE are not taken, as there are no sessions", async () => {
    const { app, key } = await openTestAccount()
    for (const method of ["GET", "DELETE", "PUT"]) {
      const response = await fetch(app.mcpUrl, {
        method,
        headers: { Authorization: `Bearer ${key}`, Accept: "text/event-stream" },
      })
      expect([method, response.status, response.headers.get("allow")]).toEqual([method, 405, "POST"])
    }
  })

  test("a request of more than 1 MiB is for batches, and none is larger than 8 MiB", async (service) => {
    const leads = Array.from({ length: 12 }, (_, i) => ({
      ...LEAST,
      name: `${i}`,
      description: "x".repeat(99_000),
    }))
    const args = { name: "batch_create_leads", arguments: { leads } }
    expect(readCall((await rpc(service, "tools/call", args)).result).data.success).toBe(12)
    const large = { ...LEAST, description: "x".repeat(1_100_000) }
    const refused = readCall(
      (await rpc(service, "tools/call", { name: "create_lead", arguments: large })).result,
    )
    expect(refused.error).toMatchObject({ code: "VALIDATION_ERROR", status: 413 })
    const huge = await rpc(service, "tools/call", {
      name: "create_lead",
      arguments: { x: "x".repeat(9_000_000) },
    })
    expect(huge.status).toBe(413)
    expect(huge.body.error.code).toBe("VALIDATION_ERROR")
  })
})

test("protocol 2026-07-28 server/discover tells what there is, and lists may be kept for a while", async (service) => {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
  }
  const ask = (method: string) =>
    rpc(service, method, { _meta }, { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method })
  const { result } = await ask("server/discover")
  expect(result).toMatchObject({ supportedVersions: ["2026-07-28"], instructions: expect.any(String) })
  expect((await ask("tools/list")).result).toMatchObject({
    resultType: "complete",
    ttlMs: 300_000,
    cacheScope: "private",
  })
})

describe("HTTP+SSE", () => {
  test("a session belongs to its key, and ends with its stream", async (service) => {
    const { key } = (await service.call("POST", "/api-keys", { name: "other" })).body
    const headers = { Authorization: `Bearer ${service.key}` }
    const response = await fetch(sseUrl(service.app.mcpUrl), { headers })
    expect(response.headers.get("content-type")).toBe("text/event-stream")
    const reader = response.body!.getReader()
    const event = new TextDecoder().decode((await reader.read()).value)
    const messages = new URL(/^event: endpoint\ndata: (\S+)\n\n$/.exec(event)![1]!, service.app.mcpUrl).href
    const ping = { jsonrpc: "2.0", id: 7, method: "ping" }
    expect((await post(messages, ping, { Authorization: `Bearer ${key}` })).status).toBe(404)
    expect((await post(messages, "{", headers)).status).toBe(400)
    expect((await post(messages, { no: "message" }, headers)).status).toBe(400)
    expect((await post(messages, ping, headers)).status).toBe(202)
    const answer = new TextDecoder().decode((await reader.read()).value)
    expect(answer).toBe(`event: message\ndata: ${JSON.stringify({ result: {}, jsonrpc: "2.0", id: 7 })}\n\n`)
    await reader.cancel()
    // The service learns of it when the connection is gone.
    let status = 202
    for (let i = 0; i < 100 && status === 202; i++) status = (await post(messages, ping, headers)).status
    expect(status).toBe(404)
  })

  test("a key that is revoked is out at once, though its stream is open", async (service) => {
    const made = (await service.call("POST", "/api-keys", { name: "agent" })).body
    const client = await CLIENTS["HTTP+SSE, SDK v1"]({ ...service, key: made.key })
    await client.callTool({ name: "get_stats", arguments: {} })
    await service.call("DELETE", `/api-keys/${made.id}`)
    expect(client.callTool({ name: "get_stats", arguments: {} })).rejects.toThrow("401")
    await client.close()
  })
})

describe("a tool call", () => {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
  }
  const calls = [
    { name: "get_lead", arguments: { id: "cl_none" } },
    { name: "create_lead", arguments: { name: 'A "quoted" name', source: "x" } },
    { name: "create_lead", arguments: { source: "x" } },
    { name: "list_leads" },
    { name: "delete_lead", arguments: { id: "cl_none" } },
    { name: "no_such_tool", arguments: {} },
    { name: "batch_update_leads", arguments: { filter: ["and.eq.city.Nowhere"], data: { city: "X" } } },
    { name: "list_leads", arguments: {}, _meta: { progressToken: 1 } },
  ]
  const answered = async (body: unknown, headers: Record<string, string> = {}) => {
    const { app, key } = await openTestAccount()
    const answer = await post(app.mcpUrl, body, { Authorization: `Bearer ${key}`, ...headers })
    // Each answer has marks, ids and times of its own.
    const text = JSON.stringify(answer.body)
      .replaceAll(/data-[0-9a-f]{16}/g, "data-mark")
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{10}/g, "0")
    return { status: answer.status, body: JSON.parse(text) }
  }

  test.each(calls)("of an older protocol is answered alone as in a batch: %j", async (params) => {
    const request = { jsonrpc: "2.0", id: "one", method: "tools/call", params }
    const [alone, batch] = [await answered(request), await answered([request])]
    expect(alone).toEqual({ status: batch.status, body: batch.body[0] })
  })

  test.each(calls)("of protocol 2026-07-28 is answered as the SDK answers it: %j", async (params) => {
    const request = (more: object) => ({
      jsonrpc: "2.0",
      id: "one",
      method: "tools/call",
      params: { ...params, _meta: { ...meta, ...params._meta, ...more } },
    })
    const headers = {
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "tools/call",
      "Mcp-Name": params.name,
    }
    // A log level is nothing that we look at, so the SDK does.
    const slow = await answered(request({ "io.modelcontextprotocol/logLevel": "info" }), headers)
    expect(await answered(request({}), headers)).toEqual(slow)
  })

  test.each([
    ["another tool in its header", { "Mcp-Name": "get_stats" }],
    ["another method in its header", { "Mcp-Method": "tools/list" }],
    ["another version in its header", { "MCP-Protocol-Version": "2025-06-18" }],
  ])("of protocol 2026-07-28 with %s is refused", async (_, wrong) => {
    const request = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "list_leads", _meta: meta },
    }
    const right = {
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "tools/call",
      "Mcp-Name": "list_leads",
    }
    const { status, body } = await answered(request, { ...right, ...wrong })
    expect([status, typeof body.error.code]).toEqual([400, "number"])
  })

  test.each([
    ["a name that is no text", { name: 5 }],
    ["arguments that are a list", { name: "list_leads", arguments: [] }],
    ["no parameters", null],
  ])("with %s gets the protocol's error", async (_, params) => {
    const { body } = await answered({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
    expect([typeof body.error.code, body.result]).toEqual(["number", undefined])
  })
})
