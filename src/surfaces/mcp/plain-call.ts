// Tool calls answered without the SDK. Through its handler the same get_lead takes 100 us more with protocol 2025-06-18 and
// 230 us more with 2026-07-28, twice to five times its 50 us here. The SDK has what asks the user or tells its progress.
import { isJsonContentType, ProtocolError, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server"
import { isObject } from "../../lead/parse.ts"
import { createSplices } from "./answer.ts"
import { callTool, type CallAnswer as ToolAnswer } from "./call.ts"
import { INFO } from "./entry.ts"
import { isGuarded, USE_TOOL } from "./tools.ts"
import {
  type Abilities,
  abilitiesInSession,
  abilitiesOf,
  type KnownVisit,
  type Mcp,
  type ToolVisit,
} from "./visit.ts"

/** A tool call that needs nothing from the SDK. */
export interface PlainCall {
  id: string | number
  name: string
  args: object
  isModern: boolean
  abilities: Abilities
  /** It may wait for a job, and can be cancelled meanwhile. */
  mayWait: boolean
  cancelled?: AbortSignal
}

/** What a call of `use_tool` is about, as sent. */
interface UsedTool {
  name?: unknown
  arguments?: unknown
}

/** The protocol version whose requests carry client, capabilities and version in `_meta`. */
const MODERN = "2026-07-28"
export const META = "io.modelcontextprotocol/"
const ANSWERED = { resultType: "complete", _meta: { [`${META}serverInfo`]: INFO } }

/**
 * Reads a message as a tool call, when it is well formed and agrees with its headers, as nearly all messages do. Undefined
 * for every other message: the SDK answers those, and reports what is wrong with them.
 */
export function plainCall(
  { tools }: Mcp,
  { caller, view }: KnownVisit,
  json: unknown,
  headers: Headers,
): PlainCall | undefined {
  if (!isJsonContentType(headers.get("content-type"))) return undefined
  if (!isObject(json) || !hasOnly(json, ["jsonrpc", "id", "method", "params"])) return undefined
  const { jsonrpc, id, method, params } = json
  if (jsonrpc !== "2.0" || method !== "tools/call" || !isId(id)) return undefined
  if (!isObject(params) || !hasOnly(params, ["name", "arguments", "_meta"])) return undefined
  const { name, arguments: args = {}, _meta: meta = {} } = params
  if (typeof name !== "string" || !isObject(args) || !isObject(meta)) return undefined
  if (meta.progressToken !== undefined && !isId(meta.progressToken)) return undefined
  const isModern = Object.keys(meta).some((key) => key.startsWith(META))
  const isWell = isModern
    ? isWhole(meta) && agrees(headers, { "mcp-method": method, "mcp-name": name })
    : isOlder(headers.get("mcp-protocol-version"))
  const { name: meant = name, arguments: input = args }: UsedTool = name === USE_TOOL ? args : {}
  const tool = tools.get(meant as string)
  if (!isWell || !tool || !isObject(input)) return undefined
  const abilities = isModern ? abilitiesOf(meta[`${META}clientCapabilities`]) : abilitiesInSession(headers)
  // A question and a task are answers of protocol 2026-07-28, which need nothing further of their call.
  const mayWait = !abilities.followsTasks && tool.mayTakeLong(input)
  const mayAsk = abilities.asksUser && !isModern && tool.guardOf(input, isGuarded(view, caller)) !== undefined
  if ((mayWait && meta.progressToken !== undefined) || mayAsk) return undefined
  const asksUser = isModern && abilities.asksUser
  return { id, name, args, isModern, mayWait, abilities: { ...abilities, asksUser } }
}

function isOlder(version: string | null): boolean {
  return version === null || (version !== MODERN && SUPPORTED_PROTOCOL_VERSIONS.includes(version))
}

/** Whether the metadata of a request of the modern protocol is all there. */
export function isWhole(meta: Record<string, unknown>): boolean {
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
export function agrees(headers: Headers, expected: Readonly<Record<string, string>>): boolean {
  return (
    headers.get("mcp-protocol-version") === MODERN &&
    Object.entries(expected).every(([name, value]) => headers.get(name) === value) &&
    headers.get("accept")?.includes("application/json") === true
  )
}

/** Answers a call. */
export async function answerPlain(
  mcp: Mcp,
  visit: ToolVisit,
  { id, isModern, ...call }: PlainCall,
): Promise<Response> {
  const splices = createSplices()
  const answered = await resultOf(mcp, Object.assign(visit, { splices }), call, isModern)
  const text = splices.filled(JSON.stringify({ ...answered, jsonrpc: "2.0", id }))
  return new Response(text, { headers: { "Content-Type": "application/json" } })
}

async function resultOf(
  mcp: Mcp,
  visit: ToolVisit,
  call: Omit<PlainCall, "id" | "isModern">,
  isModern: boolean,
): Promise<{ result: ToolAnswer } | { error: { code: number; message: string } }> {
  try {
    const result = await callTool(mcp, visit, call)
    return { result: isModern ? { ...ANSWERED, ...result, _meta: ANSWERED._meta } : result }
  } catch (thrown) {
    if (!(thrown instanceof ProtocolError)) throw thrown
    return { error: { code: thrown.code, message: thrown.message } }
  }
}

function hasOnly(value: object, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name))
}

export function isId(value: unknown): value is string | number {
  return typeof value === "string" || Number.isInteger(value)
}
