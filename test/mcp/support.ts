import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { ElicitRequestSchema, type ElicitResult } from "@modelcontextprotocol/sdk/types.js"
import type { Answer, TestAccount, TestApp } from "../support/app.ts"
import { environmentOf } from "../support/database.ts"
import { PROGRAM } from "../support/service.ts"

export const CLIENT = { name: "leaddb-test", version: "1.0.0" }

/** What a tool call gives: `data`, or `error` when `isError`. */
export interface Called {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  data: any
  error: { code: string; message: string; status: number }
  // biome-ignore lint/suspicious/noExplicitAny: as above
  content: any[]
  isError: boolean
  headers: Headers
}

interface RpcAnswer extends Answer {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  result: any
}

/** One JSON-RPC request over HTTP without any client library, in the way of the older protocol. */
export async function rpc(
  { app, key }: Reached,
  method: string,
  params: unknown = {},
  headers: Record<string, string> = {},
): Promise<RpcAnswer> {
  return post(
    app.mcpUrl,
    { jsonrpc: "2.0", id: 1, method, params },
    { Authorization: `Bearer ${key}`, ...headers },
  )
}

/** One request of protocol 2026-07-28 over HTTP without any client library. */
export async function modernRpc(
  { app, key }: Reached,
  method: string,
  params: Record<string, unknown>,
  capabilities: object = {},
): Promise<RpcAnswer> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  }
  const name = params.name ?? params.uri ?? params.taskId
  const headers = {
    Authorization: `Bearer ${key}`,
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": method,
    ...(typeof name === "string" && { "Mcp-Name": name }),
  }
  return post(app.mcpUrl, { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }, headers)
}

export async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<RpcAnswer> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  })
  const text = await response.text()
  const isJson = response.headers.get("content-type")?.includes("json")
  const answer = text === "" ? undefined : isJson ? JSON.parse(text) : text
  return { status: response.status, headers: response.headers, body: answer, result: answer?.result }
}

/** The same service, its tools at an address with this query. */
export const at = <Service extends Reached>(service: Service, query: string) => ({
  ...service,
  app: { ...service.app, mcpUrl: service.app.mcpUrl + query },
})

interface Listed {
  name: string
  annotations: { readOnlyHint: boolean }
  inputSchema: { properties: object }
}

export const listTools = async (service: Reached, headers?: Record<string, string>): Promise<Listed[]> =>
  (await rpc(service, "tools/list", {}, headers)).result.tools

/** Calls a tool; what is not an answer of a tool is thrown. */
export async function call(
  service: Reached,
  name: string,
  args: unknown = {},
  headers: Record<string, string> = {},
): Promise<Called> {
  const answer = await rpc(service, "tools/call", { name, arguments: args }, headers)
  if (!answer.result) throw new Error(`no answer of a tool: ${JSON.stringify(answer.body)}`)
  return { ...readCall(answer.result), headers: answer.headers }
}

interface CallResult {
  content?: unknown
  structuredContent?: unknown
  isError?: unknown
}

/** A tool's answer, once its text says the same as its structured content. */
export function readCall(result: object): Omit<Called, "headers"> {
  const { content, structuredContent, isError } = result as CallResult
  const blocks = content as Called["content"]
  const text = JSON.parse(blocks[0].text)
  if (!Bun.deepEquals(structuredContent, text))
    throw new Error(`text and structure differ: ${JSON.stringify(text)}`)
  const { data, error } = structuredContent as Called
  return { data, error, content: blocks, isError: isError === true }
}

/** A client's user: reads a question and answers it. */
export type User = (message: string) => ElicitResult | Promise<ElicitResult>

type Reached = Pick<TestAccount, "app" | "key">

/** The clients of all protocols over HTTP; one that has a user can ask them. */
export const CLIENTS = {
  "streamable HTTP, SDK v1": ({ app, key }: Reached, user?: User) =>
    connect(new StreamableHTTPClientTransport(new URL(app.mcpUrl), bearer(key)), user),
  "HTTP+SSE, SDK v1": ({ app, key }: Reached, user?: User) =>
    connect(new SSEClientTransport(sseUrl(app.mcpUrl), bearer(key)), user),
  "streamable HTTP, SDK v2, 2025-11-25": (service: Reached, user?: User) =>
    connectModern(service, "legacy", user),
  "streamable HTTP, SDK v2, 2026-07-28": (service: Reached, user?: User) =>
    connectModern(service, { pin: "2026-07-28" }, user),
}

export const WITH_STDIO = {
  ...CLIENTS,
  "stdio, SDK v1": ({ config, key }: TestApp) => connectStdio(config.data, ["--guard", "off"], key),
}

/** A client of `leaddb mcp` on a folder. */
export async function connectStdio(
  folder: string,
  more: string[],
  key?: string,
  user?: User,
): Promise<Client> {
  const env = { ...(await environmentOf(folder)), ...(key !== undefined && { LEADDB_API_KEY: key }) }
  const args = [...PROGRAM.slice(1), "mcp", "--data", folder, ...more]
  return connect(new StdioClientTransport({ command: PROGRAM[0]!, args, env, stderr: "ignore" }), user)
}

export function sseUrl(mcpUrl: string): URL {
  return Object.assign(new URL(mcpUrl), { pathname: "/sse" })
}

function bearer(key: string) {
  return { requestInit: { headers: { Authorization: `Bearer ${key}` } } }
}

const ASKING = { capabilities: { elicitation: {} } }

async function connect(
  transport: StreamableHTTPClientTransport | SSEClientTransport | StdioClientTransport,
  user?: User,
): Promise<Client> {
  const client = new Client(CLIENT, user && ASKING)
  if (user) client.setRequestHandler(ElicitRequestSchema, ({ params }) => user(params.message))
  // The v1 types do not know exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<Client["connect"]>[0])
  return client
}

async function connectModern(
  { app, key }: Reached,
  mode: "legacy" | { pin: string },
  user?: User,
): Promise<ModernClient> {
  const client = new ModernClient(CLIENT, { ...(user && ASKING), versionNegotiation: { mode } })
  if (user) client.setRequestHandler("elicitation/create", ({ params }) => user(params.message))
  await client.connect(new ModernTransport(new URL(app.mcpUrl), bearer(key)))
  return client
}
