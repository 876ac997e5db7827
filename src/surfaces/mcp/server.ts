import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  isInputRequiredResult,
  type JSONRPCMessage,
  type ProtocolEra,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type ServerOptions,
} from "@modelcontextprotocol/server"
import { callTool, listTools, type ToolCall } from "./call.ts"
import { INFO } from "./entry.ts"
import { QUESTION, QUESTION_MS, questionIn, replyIn } from "./guard.ts"
import { completionsFor, getPrompt, INSTRUCTIONS, PROMPTS } from "./guides.ts"
import { PROGRESS, type ProgressListener, TASK_METHODS, TASK_SCHEMAS } from "./jobs.ts"
import { RESOURCE_TEMPLATES, RESOURCES, readResource } from "./resources.ts"
import {
  type Abilities,
  abilitiesOf,
  type Mcp,
  NO_ABILITIES,
  PAGE_TYPE,
  PAGES_EXTENSION,
  TASKS_EXTENSION,
  type ToolVisit,
} from "./visit.ts"

/** The lists are the same for everyone and change only with the program. */
const SHARED_LIST = { ttlMs: 300_000, cacheScope: "public" } as const
/** Tools are those that a caller asks for and may call. */
const LIST_OF_CALLER = { ttlMs: 300_000, cacheScope: "private" } as const

const CAPABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {} }
/** What protocol 2026-07-28 adds. */
const MODERN_CAPABILITIES = {
  ...CAPABILITIES,
  resources: { subscribe: true },
  extensions: { [TASKS_EXTENSION]: {}, [PAGES_EXTENSION]: { mimeTypes: [PAGE_TYPE] } },
}

const OPTIONS: ServerOptions = {
  instructions: INSTRUCTIONS,
  cacheHints: {
    "tools/list": LIST_OF_CALLER,
    "prompts/list": SHARED_LIST,
    "resources/list": SHARED_LIST,
    "resources/templates/list": SHARED_LIST,
    "server/discover": SHARED_LIST,
  },
}

/** A protocol server for one request or one connection of an era; `visitOf` tells who makes a request on it. */
export function buildServer(
  mcp: Mcp,
  era: ProtocolEra,
  visitOf: (context: ServerContext) => ToolVisit,
): Server {
  const capabilities = era === "modern" ? MODERN_CAPABILITIES : CAPABILITIES
  const server = new Server(INFO, { ...OPTIONS, capabilities })
  explainWrongParams(server)
  server.setRequestHandler("tools/list", (_, context) => {
    const visit = visitOf(context)
    return listTools(mcp, visit, abilitiesAt(server, context, visit))
  })
  server.setRequestHandler("tools/call", async ({ params: { name, arguments: args = {} } }, context) => {
    const { inputResponses, requestState } = context.mcpReq
    const reply = replyIn(inputResponses, requestState())
    const visit = visitOf(context)
    const { signal: cancelled } = context.mcpReq
    const abilities = abilitiesAt(server, context, visit)
    const call = { name, args, abilities, reply, cancelled, progressed: progressOf(context) }
    // The SDK's types know no tasks, whose handles have no content.
    const answered = (await callTool(mcp, visit, call)) as CallToolResult | InputRequiredResult
    if (era === "modern" || !isInputRequiredResult(answered)) return answered
    return (await callTool(mcp, visit, { ...call, ...(await askUser(context, answered)) })) as CallToolResult
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
  if (era === "modern") serveTasks(server, mcp, visitOf)
  return server
}

/** Tells a client how far its call is, where it gave a token for that. */
function progressOf({ mcpReq }: ServerContext): ProgressListener {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return undefined
  // A client that has gone away does not answer.
  return (progress) =>
    void mcpReq.notify({ method: PROGRESS, params: { progressToken, ...progress } }).catch(() => undefined)
}

/** What a client of an older protocol says to a question; one that cannot ask after all is asked no more. */
async function askUser(
  { mcpReq }: ServerContext,
  question: InputRequiredResult,
): Promise<Pick<ToolCall, "reply" | "abilities">> {
  try {
    // The SDK's own call checks the answer by a library that the executable lacks; the question asks for no values.
    const asking = {
      method: "elicitation/create",
      params: { ...questionIn(question), mode: "form" },
    } as const
    const result = await mcpReq.send(asking, { timeout: QUESTION_MS })
    return { reply: replyIn({ [QUESTION]: result }, question.requestState) }
  } catch {
    return { abilities: NO_ABILITIES }
  }
}

function serveTasks(server: Server, mcp: Mcp, visitOf: (context: ServerContext) => ToolVisit): void {
  for (const [method, answer] of Object.entries(TASK_METHODS))
    server.setRequestHandler(method, TASK_SCHEMAS, async ({ taskId }, context) => {
      const visit = visitOf(context)
      return { ...(await answer(mcp, visit, taskId, abilitiesAt(server, context, visit))) }
    })
}

/** Abilities of the client, by the request itself or by what it said when it connected. */
function abilitiesAt(server: Server, { mcpReq }: ServerContext, visit: ToolVisit): Abilities {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {}
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY]
  if (declared !== undefined) return abilitiesOf(declared)
  // Tasks are of protocol 2026-07-28, whose clients say with each request that they follow them.
  const { abilities = abilitiesOf(server.getClientCapabilities()) } = visit
  return { ...abilities, followsTasks: false }
}

interface Issue {
  path: (string | number)[]
  message: string
}

/**
 * Has a server say of parameters that do not fit their method that they are invalid. The SDK calls that an internal
 * error of ours, with its schema's issues as a JSON text for a message.
 */
function explainWrongParams(server: Server): void {
  const connect = server.connect.bind(server)
  server.connect = (transport) => {
    const send = transport.send.bind(transport)
    transport.send = (message, options) => send(explained(message), options)
    return connect(transport)
  }
}

function explained(message: JSONRPCMessage): JSONRPCMessage {
  if (!("error" in message) || !SCHEMA_CODES.has(message.error.code)) return message
  const issue = firstIssue(message.error.message)
  if (!issue) return message
  const at = issue.path.join(".")
  const text = `Invalid request: ${at && `${at}: `}${issue.message}`
  return { ...message, error: { code: ProtocolErrorCode.InvalidParams, message: text } }
}

/** Codes of the SDK for requests that do not fit their schema: right for tool calls, wrong for others. */
const SCHEMA_CODES: ReadonlySet<number> = new Set([
  ProtocolErrorCode.InternalError,
  ProtocolErrorCode.InvalidParams,
])

function firstIssue(text: string): Issue | undefined {
  const at = text.indexOf("[\n")
  if (at < 0 || !text.endsWith("]")) return undefined
  try {
    const [issue] = JSON.parse(text.slice(at))
    return Array.isArray(issue?.path) && typeof issue.message === "string" ? issue : undefined
  } catch {
    return undefined
  }
}
