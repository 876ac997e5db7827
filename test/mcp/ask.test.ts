// Clients that can ask their users are asked in place of a plan, in each protocol.
import { describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { openTestAccount } from "../support/app.ts"
import { temporaryFolder } from "../support/folder.ts"
import { at, CLIENT, CLIENTS, call, connectStdio, readCall, rpc, type User } from "./support.ts"

type Args = Record<string, unknown>

const GUARD = "?guard=plan"
const capabilities = { elicitation: {} }
const NAMES = Object.keys(CLIENTS) as (keyof typeof CLIENTS)[]

async function openAsked(name: keyof typeof CLIENTS, user: User, leads = 60) {
  const service = await openTestAccount()
  const rows = Array.from({ length: leads }, (_, i) => ({ name: `Lead ${i}`, source: "web", city: "Bonn" }))
  await service.call("POST", "/leads/batch", { leads: rows })
  const client = await CLIENTS[name](at(service, GUARD), user)
  const tool = async (tool: string, args: Args) =>
    readCall(await client.callTool({ name: tool, arguments: args }))
  const changed = async () =>
    (await service.call("GET", "/leads?filter=and.eq.status.disqualified&total=true")).body.total
  return { ...service, client, tool, changed, [Symbol.asyncDispose]: () => client.close() }
}

const MANY = { filter: ["and.eq.city.Bonn"], data: { status: "disqualified" } }

describe.each(NAMES)("%s", (name) => {
  test("asks the user how many leads are meant, and goes on when they agree", async () => {
    const asked: string[] = []
    await using service = await openAsked(name, (message) => {
      asked.push(message)
      return { action: "accept", content: {} }
    })
    const { data } = await service.tool("batch_update_leads", MANY)
    expect(data).toMatchObject({ matched: 60, success: 60 })
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain("Batch update leads: 60 in all")
    expect(asked[0]).toContain("and.eq.city.Bonn")
    expect(asked[0]).toContain('"Lead 0": status "new" -> "disqualified"')
    expect(await service.changed()).toBe(60)
  })

  test.each([
    ["decline", "declined"],
    ["cancel", "cancelled"],
  ] as const)("does nothing after %s, and says so", async (action, word) => {
    await using service = await openAsked(name, () => ({ action }))
    const { isError, error } = await service.tool("batch_update_leads", MANY)
    expect(isError).toBe(true)
    expect(error).toMatchObject({ code: "CONFIRMATION_REQUIRED", status: 400 })
    expect(error.message).toContain(word)
    expect(error.message).toContain("nothing was done")
    expect(await service.changed()).toBe(0)
  })

  test("asks nothing where no plan is needed, and shows no secret", async () => {
    const asked: string[] = []
    await using service = await openAsked(name, (message) => {
      asked.push(message)
      return { action: "accept", content: {} }
    })
    expect((await service.tool("list_leads", { limit: 1 })).isError).toBe(false)
    expect(asked).toEqual([])
    const hook = { url: "http://127.0.0.1:9/hook", events: ["lead.created"], secret: "hidden-one" }
    expect((await service.tool("create_webhook", hook)).data.id).toStartWith("wh_")
    expect(asked[0]).toContain("http://127.0.0.1:9/hook")
    expect(asked[0]).not.toContain("hidden-one")
  })

  test("refuses a wrong call before it asks", async () => {
    await using service = await openAsked(name, () => {
      throw new Error("was asked")
    })
    const { error } = await service.tool("delete_lead", { id: "cl_nothing" })
    expect(error.code).toBe("RESOURCE_NOT_FOUND")
  })

  test("does nothing when meanwhile other leads match", async () => {
    await using service = await openAsked(name, async () => {
      await service.call("POST", "/leads", { name: "New one", source: "web", city: "Bonn" })
      return { action: "accept", content: {} }
    })
    expect((await service.tool("batch_update_leads", MANY)).error).toMatchObject({ code: "CONFLICT" })
    expect(await service.changed()).toBe(0)
  })
})

test("leaddb mcp asks the user of its client", async () => {
  const folder = temporaryFolder()
  const asked: string[] = []
  const client = await connectStdio(folder, [], undefined, (message) => {
    asked.push(message)
    return { action: asked.length === 1 ? "decline" : "accept", content: {} }
  })
  const make = async () =>
    readCall(await client.callTool({ name: "create_api_key", arguments: { name: "agent", role: "viewer" } }))
  expect((await make()).error.message).toContain("The user declined")
  expect((await make()).data.key).toStartWith("ldb_")
  expect(asked).toHaveLength(2)
  await client.close()
  rmSync(folder, { recursive: true })
})

describe("a question over streamable HTTP of the older protocols", () => {
  const connected = { protocolVersion: "2025-11-25", clientInfo: CLIENT }

  async function openQuestion() {
    const service = await openTestAccount()
    const { key } = service
    const send = (body: object, headers: Record<string, string> = {}, as = key) =>
      fetch(service.app.mcpUrl + GUARD, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
          Authorization: `Bearer ${as}`,
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: "2.0", ...body }),
      })
    const start = await send({ id: 0, method: "initialize", params: { ...connected, capabilities } })
    const session = { "Mcp-Session-Id": start.headers.get("Mcp-Session-Id")! }
    const params = { name: "create_api_key", arguments: { name: "agent" } }
    const stream = (await send({ id: 1, method: "tools/call", params }, session)).body!.getReader()
    const next = async () => {
      const { value } = await stream.read()
      return value && JSON.parse(/^data: (.*)$/m.exec(Buffer.from(value).toString())![1]!)
    }
    const question = await next()
    const keys = async () => (await service.call("GET", "/api-keys")).body.length
    return { ...service, send, stream, next, question, session, keys }
  }

  test("takes its answer from the same key alone", async () => {
    const { call, send, next, question, session, keys } = await openQuestion()
    expect(question.method).toBe("elicitation/create")
    const other = (await call("POST", "/api-keys", { name: "other" })).body.key
    const answer = { id: question.id, result: { action: "accept", content: {} } }
    expect((await send(answer, session, other)).status).toBe(202)
    expect(await keys()).toBe(2)
    expect((await send(answer, session)).status).toBe(202)
    const { id, result } = await next()
    expect([id, readCall(result).data.name]).toEqual([1, "agent"])
    expect(await keys()).toBe(3)
    expect((await send(answer, session)).status).toBe(202)
    expect(await keys()).toBe(3)
  })

  test("becomes a plan by an error of the client, which cannot ask", async () => {
    const { send, next, question, session, keys } = await openQuestion()
    await send({ id: question.id, error: { code: -32601, message: "no" } }, session)
    expect(readCall((await next()).result).data).toMatchObject({ matched: 1, expires_in: 600 })
    expect(await keys()).toBe(1)
  })

  test("cannot be answered once its client has gone", async () => {
    const { send, stream, question, session, keys } = await openQuestion()
    await stream.cancel()
    await send({ id: question.id, result: { action: "accept", content: {} } }, session)
    expect(await keys()).toBe(1)
  })

  test("is not asked of a client that cannot ask: it gets a plan", async () => {
    const { app, key } = await openTestAccount()
    for (const own of [{}, { elicitation: { url: {} } }]) {
      const start = await rpc({ app, key }, "initialize", { ...connected, capabilities: own })
      expect(start.headers.get("Mcp-Session-Id")).toBeNull()
    }
    const made = await call(at({ app, key }, GUARD), "create_api_key", { name: "agent" })
    expect(made.data.plan).toStartWith("pl_")
  })
})

// A bridge may pass on that its client asks, and answer that it does not know how.
test.each(NAMES.filter((name) => !name.includes("2026")))(
  "%s: a client that says it asks, and cannot, gets a plan",
  async (name) => {
    await using service = await openAsked(name, () => {
      throw new Error("Method not found")
    })
    const { matched, plan } = (await service.tool("batch_update_leads", MANY)).data
    expect(matched).toBe(60)
    expect(await service.changed()).toBe(0)
    const again = await service.tool("batch_update_leads", { ...MANY, plan })
    expect(again).toMatchObject({ data: { success: 60 } })
  },
)
