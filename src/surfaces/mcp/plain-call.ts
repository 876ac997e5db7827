// Tool calls answered without the SDK. Through its handler the same get_lead takes 100 us more with protocol 2025-06-18 and
// 230 us more with 2026-07-28, twice to five times its 50 us here.
import { isJsonContentType, ProtocolError, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server"
import { isObject } from "../../lead/parse.ts"
import { type Abilities, abilitiesInSession, abilitiesOf } from "./abilities.ts"
import { type Reply, replyIn } from "./ask.ts"
import { callTool, type CallAnswer as ToolAnswer } from "./call.ts"
import type { ProgressListener } from "./jobs.ts"
import { LISTEN, type ListenRequest, namedIn } from "./listen.ts"
import { INFO } from "./names.ts"
import type { Mcp, ToolVisit } from "./visit.ts"

/** A tool call that needs nothing from the SDK. */
export interface PlainCall {
  id: string | number
  name: string
  args: object
  isModern: boolean
  abilities: Abilities
  reply?: Reply | undefined
  /** Given by a client that wants to be told how far the call is. */
  progressToken?: string | number | undefined
  progressed?: ProgressListener
}

/** The protocol version whose requests carry client, capabilities and version in `_meta`. */
const MODERN = "2026-07-28"
const META = "io.modelcontextprotocol/"
const ANSWERED = { resultType: "complete", _meta: { [`${META}serverInfo`]: INFO } }
/** The parameters of a call, and those that a modern one has when it is repeated with the user's reply. */
const PARAMS = ["name", "arguments", "_meta"]
const REPLY_PARAMS = [...PARAMS, "inputResponses", "requestState"]

/**
 * Reads a message as a tool call, when it is well formed and agrees with its headers, as nearly all messages do. Undefined
 * for every other message: the SDK answers those, and reports what is wrong with them.
 */
export function plainCall(json: unknown, headers: Headers): PlainCall | undefined {
  if (!isJsonContentType(headers.get("content-type"))) return undefined
  if (!isObject(json) || !hasOnly(json, ["jsonrpc", "id", "method", "params"])) return undefined
  const { jsonrpc, id, method, params } = json
  if (jsonrpc !== "2.0" || method !== "tools/call" || !isId(id)) return undefined
  if (!isObject(params) || !hasOnly(params, REPLY_PARAMS)) return undefined
  const { name, arguments: args = {}, _meta: meta = {} } = params
  if (typeof name !== "string" || !isObject(args) || !isObject(meta)) return undefined
  if (meta.progressToken !== undefined && !isId(meta.progressToken)) return undefined
  const takesStreams = headers.get("accept")?.includes("text/event-stream")
  const progressToken = takesStreams ? (meta.progressToken as PlainCall["progressToken"]) : undefined
  const isModern = Object.keys(meta).some((key) => key.startsWith(META))
  if (
    isModern
      ? !(isWhole(meta) && agrees(headers, { "mcp-method": method, "mcp-name": name }))
      : !isOlder(headers.get("mcp-protocol-version"))
  )
    return undefined
  if (!isModern) {
    if (!hasOnly(params, PARAMS)) return undefined
    return { id, name, args, isModern, abilities: abilitiesInSession(headers), progressToken }
  }
  const { inputResponses, requestState } = params
  if (requestState !== undefined && typeof requestState !== "string") return undefined
  if (inputResponses !== undefined && !isObject(inputResponses)) return undefined
  const abilities = abilitiesOf(meta[`${META}clientCapabilities`])
  return { id, name, args, isModern, abilities, reply: replyIn(inputResponses, requestState), progressToken }
}

function isOlder(version: string | null): boolean {
  return version === null || (version !== MODERN && SUPPORTED_PROTOCOL_VERSIONS.includes(version))
}

/**
 * Reads a message as a request to listen, when it is well formed and agrees with its headers. Undefined for every other
 * message, which the SDK answers.
 */
export function listenRequest(json: unknown, headers: Headers): ListenRequest | undefined {
  return agrees(headers, { "mcp-method": LISTEN }) ? listenMessage(json) : undefined
}

/** The same for a transport without headers. */
export function listenMessage(json: unknown): ListenRequest | undefined {
  if (!isObject(json) || json.jsonrpc !== "2.0" || json.method !== LISTEN || !isId(json.id)) return undefined
  const named = namedIn(json.params)
  const meta = isObject(json.params) ? json.params._meta : undefined
  if (!named || !isObject(meta) || !isWhole(meta)) return undefined
  return { id: json.id, ...named, abilities: abilitiesOf(meta[`${META}clientCapabilities`]) }
}

/** Whether the metadata of a request of the modern protocol is all there. */
function isWhole(meta: Record<string, unknown>): boolean {
  const { [`${META}protocolVersion`]: version, [`${META}clientInfo`]: client } = meta
  const { [`${META}clientCapabilities`]: capabilities } = meta
  return (
    Object.keys(meta).filter((key) => key.startsWith(META)).length === 3 &&
    version === MODERN &&
    isObject(client) &&
    typeof client.name === "string" &&
    typeof client.version === "string" &&
    isObject(capabilities)
  )
}

/** Whether the headers of a request of the modern protocol are there and say what its body says. */
function agrees(headers: Headers, own: Readonly<Record<string, string>>): boolean {
  return (
    headers.get("mcp-protocol-version") === MODERN &&
    Object.entries(own).every(([name, value]) => headers.get(name) === value) &&
    headers.get("accept")?.includes("application/json") === true
  )
}

/** The JSON-RPC message that answers a call. */
interface CallAnswer {
  jsonrpc: "2.0"
  id: string | number
  result?: ToolAnswer
  error?: { code: number; message: string }
}

/** Answers a call. A question to the user is the result of a modern call alone; others are asked by their transport. */
export async function answerCall(mcp: Mcp, visit: ToolVisit, call: PlainCall): Promise<CallAnswer> {
  const { id, isModern } = call
  try {
    const result = await callTool(mcp, visit, call)
    return {
      result: isModern ? { ...ANSWERED, ...result, _meta: ANSWERED._meta } : result,
      jsonrpc: "2.0",
      id,
    }
  } catch (thrown) {
    if (!(thrown instanceof ProtocolError)) throw thrown
    return { jsonrpc: "2.0", id, error: { code: thrown.code, message: thrown.message } }
  }
}

function hasOnly(value: object, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name))
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || Number.isInteger(value)
}
