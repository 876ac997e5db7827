// Plays jobs of test/clients/mcp-matrix.test.ts through one client: `node player.js CLIENT`. The first line of its input says
// where to connect, {url, headers, stdio: {command, args, env}, folder}; each other one is a job: {id, list: true},
// {id, call, args} or {cancel: id}. It writes {id, tools}, or {id} with what the client passes on: `texts`, `structure`,
// `inner` or `thrown`. When its user is asked, it writes {asked} and agrees.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"

const INFO = { name: "leaddb-matrix", version: "1.0.0" }
const CAPABILITIES = { elicitation: {} }
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)
const programOf = (path) => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url))
const namesOf = (tools) => tools.map(({ name }) => name)
const textsOf = (content) => [content].flat().map(({ text }) => text)

/** The user, as a handler of questions. */
function agree({ params }) {
  say({ asked: params.message })
  return { action: "accept", content: {} }
}

/** An SDK's client, which passes on everything. `options` makes the arguments behind a call's from its signal. */
async function connected(client, transport, options) {
  await client.connect(transport)
  return {
    tools: async () => namesOf((await client.listTools()).tools),
    async call(name, args, signal) {
      const { content, structuredContent } = await client.callTool(
        { name, arguments: args },
        ...options(signal),
      )
      return { texts: textsOf(content), structure: structuredContent }
    },
    close: () => client.close(),
  }
}

async function older(transport) {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js")
  const { ElicitRequestSchema } = await import("@modelcontextprotocol/sdk/types.js")
  const client = new Client(INFO, { capabilities: CAPABILITIES })
  client.setRequestHandler(ElicitRequestSchema, agree)
  return connected(client, transport, (signal) => [undefined, { signal }])
}

async function olderByStdio(program) {
  const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js")
  return older(new StdioClientTransport({ stderr: "ignore", ...program }))
}

async function newer(mode, transport) {
  const { Client } = await import("@modelcontextprotocol/client")
  const client = new Client(INFO, { capabilities: CAPABILITIES, versionNegotiation: { mode } })
  client.setRequestHandler("elicitation/create", agree)
  return connected(client, transport, (signal) => [{ signal }])
}

async function newerByHttp(mode, { url, headers }) {
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client")
  return newer(mode, new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
}

const MODERN = { pin: "2026-07-28" }

/** What opens each client. */
const CLIENTS = {
  async "SDK 1"({ url, headers }) {
    const http = await import("@modelcontextprotocol/sdk/client/streamableHttp.js")
    return older(new http.StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  },
  "SDK 1, stdio": ({ stdio }) => olderByStdio(stdio),
  "SDK 2, 2025-11-25": (where) => newerByHttp("legacy", where),
  "SDK 2, 2026-07-28": (where) => newerByHttp(MODERN, where),
  async "SDK 2, 2026-07-28, stdio"({ stdio }) {
    const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio")
    return newer(MODERN, new StdioClientTransport({ stderr: "ignore", ...stdio }))
  },

  "mcp-remote"({ url, headers, folder }) {
    const sent = Object.entries(headers).flatMap(([name, value]) => ["--header", `${name}:${value}`])
    const args = [programOf("mcp-remote/dist/proxy.js"), url, ...sent]
    const env = { ...process.env, MCP_REMOTE_CONFIG_DIR: folder }
    return olderByStdio({ command: process.execPath, args, env })
  },

  async mcporter({ url, headers, folder }) {
    const config = `${folder}/mcporter.json`
    writeFileSync(config, JSON.stringify({ imports: [], mcpServers: { leaddb: { url, headers } } }))
    async function run(args, signal) {
      const command = [programOf("mcporter/dist/cli.js"), ...args, "--config", config]
      const child = spawn(process.execPath, command, {
        ...{ cwd: folder, env: { ...process.env, HOME: folder }, signal },
        stdio: ["ignore", "pipe", "inherit"],
      })
      return JSON.parse((await Promise.all([text(child.stdout), once(child, "close")]))[0])
    }
    return {
      tools: async () => namesOf((await run(["list", "leaddb", "--json"])).tools),
      async call(name, args, signal) {
        const given = ["--args", JSON.stringify(args), "--output", "json"]
        return { inner: await run(["call", `leaddb.${name}`, ...given], signal) }
      },
      async close() {},
    }
  },

  async "AI SDK"({ url, headers }) {
    const { createMCPClient, ElicitationRequestSchema } = await import("@ai-sdk/mcp")
    const client = await createMCPClient({
      transport: { type: "http", url, headers },
      capabilities: CAPABILITIES,
    })
    client.onElicitationRequest(ElicitationRequestSchema, agree)
    const tools = await client.tools()
    return {
      tools: async () => Object.keys(tools),
      async call(name, input, abortSignal) {
        const output = await tools[name].execute(input, { abortSignal, toolCallId: "1", messages: [] })
        const { value } = await tools[name].toModelOutput({ output, input, toolCallId: "1" })
        return { texts: textsOf(value) }
      },
      close: () => client.close(),
    }
  },

  async LangChain({ url, headers }) {
    const { MultiServerMCPClient } = await import("@langchain/mcp-adapters")
    const client = new MultiServerMCPClient({ leaddb: { transport: "http", url, headers } })
    const tools = await client.getTools()
    return {
      tools: async () => namesOf(tools),
      async call(name, args, signal) {
        const output = await tools.find((tool) => tool.name === name).invoke(args, { signal })
        return { texts: textsOf(output) }
      },
      close: () => client.close(),
    }
  },

  async "OpenAI Agents"({ url, headers }) {
    const { Agent, getAllMcpTools, MCPServerStreamableHttp, RunContext } = await import("@openai/agents")
    const server = new MCPServerStreamableHttp({ url, requestInit: { headers } })
    await server.connect()
    const runContext = new RunContext()
    const agent = new Agent({ name: INFO.name })
    const tools = await getAllMcpTools({ mcpServers: [server], runContext, agent })
    return {
      tools: async () => namesOf(tools),
      async call(name, args, signal) {
        const tool = tools.find((tool) => tool.name === name)
        return { texts: textsOf(await tool.invoke(runContext, JSON.stringify(args), { signal })) }
      },
      close: () => server.close(),
    }
  },
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const client = await CLIENTS[process.argv[2]](JSON.parse((await lines.next()).value))
const stops = new Map()

async function play({ id, list, call, args }) {
  const stop = new AbortController()
  stops.set(id, stop)
  try {
    say({ id, ...(list ? { tools: await client.tools() } : await client.call(call, args, stop.signal)) })
  } catch (error) {
    say({ id, thrown: error.message })
  }
}

for await (const line of lines) {
  const job = JSON.parse(line)
  if (job.cancel) stops.get(job.cancel).abort()
  else play(job)
}
await client.close()
process.exit()
