import {
  CLIENT_CAPABILITIES_META_KEY,
  Server,
  type ServerContext,
  type ServerOptions,
} from "@modelcontextprotocol/server"
import packageJson from "../../../package.json" with { type: "json" }
import { type Abilities, abilitiesOf } from "./abilities.ts"
import { replyIn } from "./ask.ts"
import { callTool, listTools, type Mcp, type ToolVisit } from "./call.ts"
import { INSTRUCTIONS } from "./guides.ts"
import { completionsFor, getPrompt, PROMPTS } from "./prompts.ts"
import { RESOURCE_TEMPLATES, RESOURCES, readResource } from "./resources.ts"
import { nameWrongParams } from "./wrong-params.ts"

/** The server's name, title and version. */
export const INFO = {
  name: "leaddb",
  title: "leaddb",
  version: packageJson.version,
}

/** The lists are the same for everyone and change only with the program. */
const LISTS = { ttlMs: 300_000, cacheScope: "public" } as const
/** Tools are those that a caller asks for and may call. */
const OWN = { ttlMs: 300_000, cacheScope: "private" } as const

const OPTIONS: ServerOptions = {
  capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
  instructions: INSTRUCTIONS,
  cacheHints: {
    "tools/list": OWN,
    "prompts/list": LISTS,
    "resources/list": LISTS,
    "resources/templates/list": LISTS,
    "server/discover": LISTS,
  },
}

/** A protocol server for one request or one connection; `visitOf` tells who makes a request on it. */
export function buildServer(mcp: Mcp, visitOf: (context: ServerContext) => ToolVisit): Server {
  const server = new Server(INFO, OPTIONS)
  nameWrongParams(server)
  server.setRequestHandler("tools/list", (_, context) => listTools(mcp, visitOf(context)))
  server.setRequestHandler("tools/call", ({ params: { name, arguments: args = {} } }, context) => {
    const { inputResponses, requestState } = context.mcpReq
    const reply = replyIn(inputResponses, requestState())
    return callTool(mcp, visitOf(context), { name, args, abilities: abilitiesAt(server, context), reply })
  })
  server.setRequestHandler("resources/list", () => ({ resources: RESOURCES }))
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: RESOURCE_TEMPLATES }))
  server.setRequestHandler("resources/read", ({ params }, context) =>
    readResource(mcp, visitOf(context), params.uri),
  )
  server.setRequestHandler("prompts/list", () => ({ prompts: PROMPTS }))
  server.setRequestHandler("prompts/get", ({ params }) => getPrompt(params.name, params.arguments))
  server.setRequestHandler("completion/complete", ({ params }) => ({
    completion: { values: completionsFor(params) },
  }))
  return server
}

/** Abilities of the client, by the request itself or by what it said when it connected. */
function abilitiesAt(server: Server, { mcpReq }: ServerContext): Abilities {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {}
  return abilitiesOf(envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities())
}
