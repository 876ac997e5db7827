import { type CallToolResult, type ListToolsResult, ProtocolError } from "@modelcontextprotocol/server"
import { AppError, asAppError } from "../../core/errors.ts"
import type { Log } from "../../core/log.ts"
import { type Caller, execute, type Operation, type Services } from "../../core/operation.ts"
import type { RateLimit } from "../http/rate-limit.ts"
import { errorResult, toolResult } from "./answer.ts"
import { unknownTool } from "./errors.ts"
import type { Splices } from "./splices.ts"
import { makeTools, type Tool } from "./tools.ts"

/** Bytes of a request for a tool that does not say otherwise, as over REST. */
const BODY_MAX = 1024 * 1024

/** What every connection shares; made once. */
export interface Mcp {
  services: Services
  rateLimit: RateLimit
  log: Log
  tools: ReadonlyMap<string, Tool>
  list: ListToolsResult
}

/** One request or connection, and who makes it. */
export interface Visit {
  readonly caller: Caller | Promise<Caller>
  /** The size of the request, where the transport knows it. */
  bytes: number
  /** Rate limit headers, set when a call is counted; for transports that can send them. */
  headers: Readonly<Record<string, string>>
  /** Takes large answers past the SDK, where the transport can. */
  splices?: Splices
}

/** One whose caller is known, as every request over HTTP says. */
export interface KnownVisit extends Visit {
  readonly caller: Caller
}

export function makeMcp(parts: {
  services: Services
  operations: readonly Operation[]
  rateLimit: RateLimit
  log: Log
}): Mcp {
  const { services, operations, rateLimit, log } = parts
  const tools = makeTools(operations)
  return { services, rateLimit, log, tools, list: { tools: [...tools.values()].map((tool) => tool.card) } }
}

/**
 * Calls a tool. It counts as one request of the account; then confirmation is asked for before anything else about
 * the call. What goes wrong is the answer; only an unknown tool is thrown, as a ProtocolError.
 */
export async function callTool(mcp: Mcp, visit: Visit, name: string, args: object): Promise<CallToolResult> {
  const tool = mcp.tools.get(name)
  try {
    await count(mcp, visit)
    if (!tool) throw unknownTool(name, mcp.tools.keys())
    const input = tool.needsConfirm ? confirmed(name, args) : args
    refuseLarge(tool.operation, visit.bytes)
    return await toolResult(
      await execute(mcp.services, tool.operation, await visit.caller, input),
      input,
      visit.splices,
    )
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown
    const error = asAppError(thrown)
    if (error.status >= 500) mcp.log.error(error.message, { tool: name }, thrown)
    return errorResult(error)
  }
}

/** Counts a request that reads or changes data against the account's limit. Throws `rate_limit_exceeded`. */
export async function count({ rateLimit }: Mcp, visit: Visit): Promise<void> {
  try {
    visit.headers = await rateLimit.admit((await visit.caller).account)
  } catch (thrown) {
    if (thrown instanceof AppError) visit.headers = thrown.headers
    throw thrown
  }
}

/** The arguments without `confirm`. Throws `confirmation_required` unless it is true. */
function confirmed(name: string, args: { confirm?: unknown }): object {
  const { confirm, ...input } = args
  if (confirm === true) return input
  const message = `${name} cannot be undone: once the user agrees, call it again with confirm: true`
  throw new AppError("confirmation_required", message)
}

function refuseLarge({ bodyMax = BODY_MAX }: Operation, bytes: number): void {
  if (bytes <= bodyMax) return
  throw new AppError(
    "too_large",
    `The request is larger than ${bodyMax / 1024 / 1024} MiB; send less at a time`,
  )
}
