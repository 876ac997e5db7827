import { ProtocolError } from "@modelcontextprotocol/server"
import { callTool, type Mcp, type Visit } from "./call.ts"

/** A tool call of an older protocol version, with nothing about it that the SDK would have to look into. */
interface PlainCall {
  id: string | number
  name: string
  args: object
}

/**
 * The tool call that a message is, when it is one and no more. Nearly every message is: answered without the SDK, whose
 * checks and handshake between objects take as long as all the rest of a `get_lead`.
 */
export function plainCall(json: unknown): PlainCall | undefined {
  if (!isObject(json) || !hasOnly(json, ["jsonrpc", "id", "method", "params"])) return undefined
  const { jsonrpc, id, method, params } = json
  if (jsonrpc !== "2.0" || method !== "tools/call" || !isId(id)) return undefined
  if (!isObject(params) || !hasOnly(params, ["name", "arguments", "_meta"])) return undefined
  const { name, arguments: args = {}, _meta: meta = {} } = params
  if (typeof name !== "string" || !isObject(args) || !isObject(meta)) return undefined
  if (meta.progressToken !== undefined && !isId(meta.progressToken)) return undefined
  return { id, name, args }
}

/** The JSON-RPC message that answers a call. */
export async function answerCall(mcp: Mcp, visit: Visit, { id, name, args }: PlainCall): Promise<object> {
  try {
    return { result: await callTool(mcp, visit, name, args), jsonrpc: "2.0", id }
  } catch (thrown) {
    if (!(thrown instanceof ProtocolError)) throw thrown
    return { jsonrpc: "2.0", id, error: { code: thrown.code, message: thrown.message } }
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function hasOnly(value: object, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name))
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || Number.isInteger(value)
}
