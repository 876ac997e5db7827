import { describe, expect } from "bun:test"
import { rmSync } from "node:fs"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { addAccount } from "../support/account.ts"
import { appTest as test } from "../support/app.ts"
import { environmentOf } from "../support/database.ts"
import { temporaryFolder } from "../support/folder.ts"
import { LEAST } from "../support/lead.ts"
import { PROGRAM } from "../support/service.ts"
import { CLIENT, call, readCall } from "./support.ts"

/** A folder for data that is gone after the test. */
function openFolder(): Disposable & { path: string } {
  const path = temporaryFolder()
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) }
}

/** The command with lines on its stdin, which then ends. */
async function run(
  folder: string,
  lines: readonly unknown[],
  env: Record<string, string> = {},
  args: string[] = [],
) {
  const input = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("")
  const child = Bun.spawn([...PROGRAM, "mcp", "--data", folder, ...args], {
    env: { ...(await environmentOf(folder)), ...env },
    stdin: Buffer.from(input),
    stdout: "pipe",
    stderr: "pipe",
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  const answers = out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
  return { answers, err, code, byId: (id: unknown) => answers.find((answer) => answer.id === id) }
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: CLIENT },
}
const initialized = { jsonrpc: "2.0", method: "notifications/initialized" }
const tool = (id: number, name: string, args: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
})

async function connect(folder: string, env: Record<string, string> = {}): Promise<Client> {
  const client = new Client(CLIENT)
  await client.connect(
    new StdioClientTransport({
      command: PROGRAM[0]!,
      args: [...PROGRAM.slice(1), "mcp", "--data", folder],
      env: { ...(await environmentOf(folder)), ...env },
      stderr: "pipe",
    }),
  )
  return client
}

describe("leaddb mcp", () => {
  test("serves a client on an empty folder, as owner of an account of its own", async () => {
    using folder = openFolder()
    const client = await connect(folder.path)
    expect(client.getServerVersion()?.name).toBe("leaddb")
    const { data } = readCall(await client.callTool({ name: "create_lead", arguments: LEAST }))
    expect(readCall(await client.callTool({ name: "list_leads", arguments: {} })).data.leads).toMatchObject([
      { id: data.id },
    ])
    expect(readCall(await client.callTool({ name: "get_stats", arguments: {} })).data.plan.name).toBe(
      "enterprise",
    )
    expect(readCall(await client.callTool({ name: "update_all_scores", arguments: {} })).data).toEqual({
      count: 1,
      changed: 0,
    })
    await client.close()
    const again = await connect(folder.path)
    expect(readCall(await again.callTool({ name: "get_lead", arguments: { id: data.id } })).data.name).toBe(
      LEAST.name,
    )
    await again.close()
  })

  test("writes nothing but answers to stdout, and answers what is under way when stdin ends", async () => {
    using folder = openFolder()
    const lines = [
      initialize,
      initialized,
      "no JSON",
      "",
      "[]",
      tool(2, "create_lead", LEAST),
      tool(3, "no_tool"),
      tool(4, "get_stats"),
    ]
    const { answers, byId, code, err } = await run(folder.path, lines)
    expect(code).toBe(0)
    expect(answers).toHaveLength(6)
    expect(byId(1).result.serverInfo.name).toBe("leaddb")
    expect(answers.filter((answer) => answer.id === null).map((answer) => answer.error.code)).toEqual([
      -32700, -32700,
    ])
    expect(readCall(byId(2).result).data.name).toBe(LEAST.name)
    expect(byId(3).error.code).toBe(-32602)
    expect(readCall(byId(4).result).isError).toBe(false)
    expect(err).toBe("")
  })

  test("speaks protocol 2026-07-28 too", async () => {
    using folder = openFolder()
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": CLIENT,
      "io.modelcontextprotocol/clientCapabilities": {},
    }
    const { byId } = await run(folder.path, [
      { jsonrpc: "2.0", id: 1, method: "server/discover", params: { _meta } },
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "get_stats", _meta } },
    ])
    expect(byId(1).result.supportedVersions).toEqual(["2026-07-28"])
    expect(readCall(byId(2).result).data.total_leads).toBe(0)
  })

  test("works beside a running service on the same file", async (service) => {
    const { data } = await call(service, "create_lead", LEAST)
    const lines = [initialize, initialized, tool(2, "update_lead", { id: data.id, city: "Bonn" })]
    const { byId } = await run(service.config.data, lines)
    expect(readCall(byId(2).result).data.city).toBe("Bonn")
    const { changes } = (await service.call("GET", `/leads/${data.id}/changes`)).body
    expect(changes[0]).toMatchObject({ action: "updated", actor_id: "local" })
  })
})

describe("LEADDB_API_KEY", () => {
  test("acts with the rights of the key", async (service) => {
    const { key, id } = (await service.call("POST", "/api-keys", { name: "v", role: "viewer" })).body
    const client = await connect(service.config.data, { LEADDB_API_KEY: key })
    expect(readCall(await client.callTool({ name: "list_leads", arguments: {} })).data.leads).toEqual([])
    const refused = readCall(await client.callTool({ name: "create_lead", arguments: LEAST }))
    expect(refused.error).toMatchObject({ code: "UNAUTHORIZED", status: 403 })
    await service.call("DELETE", `/api-keys/${id}`)
    const revoked = readCall(await client.callTool({ name: "list_leads", arguments: {} }))
    expect(revoked.error).toMatchObject({ code: "UNAUTHORIZED", status: 401 })
    await client.close()
  })

  test("that is wrong ends at once and says why, without repeating it", async (service) => {
    const wrong = `${service.key.slice(0, -1)}${service.key.endsWith("a") ? "b" : "a"}`
    const { code, err, answers } = await run(service.config.data, [initialize], { LEADDB_API_KEY: wrong })
    expect(code).toBe(1)
    expect(answers).toEqual([])
    expect(err).toContain("API key")
    expect(err).not.toContain(wrong)
  })
})

test("several accounts need --account or a key", async (service) => {
  const other = await addAccount(service.config.file)
  const unclear = await run(service.config.data, [initialize])
  expect(unclear.code).toBe(2)
  expect(unclear.err).toContain("--account")
  await call({ app: service.app, key: other.key }, "create_lead", LEAST)
  const lines = [initialize, initialized, tool(2, "list_leads")]
  const named = await run(service.config.data, lines, {}, ["--account", other.id])
  expect(readCall(named.byId(2).result).data.count).toBe(1)
  const keyed = await run(service.config.data, lines, { LEADDB_API_KEY: service.key })
  expect(readCall(keyed.byId(2).result).data.count).toBe(0)
})
