import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server"
import { serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio"
import type { Caller } from "../../domain/operation.ts"
import { AppError } from "../../runtime/errors.ts"
import { parseExact } from "../../text/json-text.ts"
import { type ListenRequest, listen, listenMessage } from "./listen.ts"
import { buildServer } from "./server.ts"
import { PLAIN_VIEW } from "./tools.ts"
import type { Mcp, ToolVisit } from "./visit.ts"

/** Characters of one message; a longer one ends the connection. */
const LINE_MAX = 16 * 1024 * 1024
/** Milliseconds that calls under way have when the client has said its last. */
const PATIENCE_MS = 10_000

/** The two ends of one client: messages are lines of JSON. */
interface Pipes {
  input: AsyncIterable<Uint8Array>
  output(text: string): void
}

/**
 * Serves one client over a pair of pipes, in either protocol era, until it closes its end; calls under way are still
 * answered. `callerOf` is asked at every call, so that a revoked key stops at once.
 */
export async function serveStdio(
  mcp: Mcp,
  callerOf: () => Promise<Caller>,
  pipes: Pipes,
  view = PLAIN_VIEW,
): Promise<void> {
  const { promise: gone, resolve } = Promise.withResolvers<void>()
  const visit: ToolVisit = {
    get caller() {
      return callerOf()
    },
    view,
    bytes: 0,
    headers: {},
  }
  const listens = createListens(mcp, visit, pipes.output)
  const transport = createPipeTransport(pipes, listens, resolve)
  const connection = serveConnection(({ era }) => buildServer(mcp, era, () => visit), {
    transport,
    onerror: (error) => mcp.log.warn(`MCP: ${error.message}`),
  })
  await gone
  listens.close()
  await connection.close()
}

/** `ended` is called when nothing more will come and all is answered. */
function createPipeTransport({ input, output }: Pipes, listens: Listens, ended: () => void): Transport {
  const open = createOpenRequests(ended)
  const transport: Transport = {
    async start() {
      // Not awaited: starting means that reading has begun.
      void read()
    },
    async send(message) {
      output(`${JSON.stringify(message)}\n`)
      open.sent(message)
    },
    async close() {
      transport.onclose?.()
    },
  }

  async function read(): Promise<void> {
    try {
      for await (const line of lines(input)) receive(line)
    } catch (error) {
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)))
    }
    open.noMore()
  }

  function receive(line: string): void {
    let message: JSONRPCMessage
    try {
      message = parseJSONRPCMessage(parseExact(line))
    } catch (error) {
      output(`${unreadable(error)}\n`)
      return
    }
    if (listens.take(message)) return
    open.received(message)
    transport.onmessage?.(message)
  }
  return transport
}

/** The subscriptions of a connection. */
interface Listens {
  /** Begins a subscription or ends one. False for every other message. */
  take(message: JSONRPCMessage): boolean
  close(): void
}

function createListens(mcp: Mcp, visit: ToolVisit, output: Pipes["output"]): Listens {
  const open = new Map<unknown, AbortController>()
  const tell = (message: object) => output(`${JSON.stringify(message)}\n`)

  async function follow(request: ListenRequest, end: AbortController): Promise<void> {
    try {
      for await (const message of listen(mcp, visit, request, end.signal)) {
        // A client that has cancelled hears no more of it.
        if (end.signal.aborted) break
        tell(message)
      }
    } catch (thrown) {
      mcp.log.error("A subscription failed", {}, thrown)
      tell({ jsonrpc: "2.0", id: request.id, error: FAILED })
    } finally {
      open.delete(request.id)
    }
  }

  return {
    take(message) {
      if (!("method" in message)) return false
      if (message.method === "notifications/cancelled") {
        const end = open.get(message.params?.requestId)
        end?.abort()
        return end !== undefined
      }
      const request = listenMessage(message)
      if (!request) return false
      const end = new AbortController()
      open.set(request.id, end)
      void follow(request, end)
      return true
    },
    close() {
      for (const end of open.values()) end.abort()
    },
  }
}

const FAILED = { code: ProtocolErrorCode.InternalError, message: "The subscription failed" }

/** Keeps in mind which requests are without an answer; calls `ended` when none is and no more will come. */
function createOpenRequests(ended: () => void) {
  const ids = new Set<unknown>()
  let isOver = false
  function settle(): void {
    if (isOver && ids.size === 0) ended()
  }
  return {
    received(message: JSONRPCMessage): void {
      if (!("method" in message)) return
      if ("id" in message) ids.add(message.id)
      else if (message.method === "notifications/cancelled") ids.delete(message.params?.requestId)
    },
    sent(message: JSONRPCMessage): void {
      if ("id" in message && !("method" in message)) ids.delete(message.id)
      settle()
    },
    noMore(): void {
      isOver = true
      setTimeout(ended, PATIENCE_MS).unref()
      settle()
    },
  }
}

function unreadable(reason: unknown): string {
  const message = reason instanceof AppError ? reason.message : "A line must be one JSON-RPC message"
  return JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32700, message } })
}

async function* lines(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const chunk of input) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n")
    rest = parts.pop() ?? ""
    if (rest.length > LINE_MAX) throw new Error(`a message is longer than ${LINE_MAX} characters`)
    for (const part of parts) if (part.trim() !== "") yield part
  }
  if (rest.trim() !== "") yield rest
}
