// The HTTP+SSE transport of protocol 2024-11-05, for clients that know no other: a stream of answers, and messages
// posted beside it.
import {
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server"
import { AppError } from "../../runtime/errors.ts"
import { eventStream } from "./event-stream.ts"
import { buildServer } from "./server.ts"
import { carry, visitIn } from "./streamable.ts"
import type { View } from "./tools.ts"
import type { KnownVisit, Mcp } from "./visit.ts"

const SESSIONS_MAX = 1_000
/** Bytes that may wait for a client that does not read. */
const WAITING_MAX = 32 * 1024 * 1024

/** Streams of one account, so that it leaves some to others. */
const SESSIONS_OF_ONE = 100
/** Calls of a session that are answered at a time, and that wait to be. */
const CALLS_MAX = 4
const WAITING_CALLS_MAX = 32

interface Session {
  keyId: string
  account: number
  transport: Transport
  /** Ids of the calls that are not answered yet. */
  calls: Set<string | number>
  /** Calls that wait until one of them is answered. */
  waiting: (() => void)[]
  view: View
}

export interface Sse {
  /** Opens a stream, whose first event says where to post. Throws `unavailable` when too many are open. */
  open(visit: KnownVisit): Promise<Response>
  /** Takes a posted message of a session; its answer goes to the stream. Throws `not_found` and ProtocolError. */
  post(sessionId: string, json: unknown, visit: KnownVisit): Promise<Response>
  close(): Promise<void>
}

export function createSse(mcp: Mcp, messagesPath: string): Sse {
  const sessions = new Map<string, Session>()

  async function open(visit: KnownVisit): Promise<Response> {
    if (sessions.size >= SESSIONS_MAX) throw new AppError("unavailable", "Too many SSE streams are open")
    const account = visit.caller.account.key
    const ofAccount = [...sessions.values()].filter((session) => session.account === account)
    if (ofAccount.length >= SESSIONS_OF_ONE)
      throw new AppError(
        "rate_limit_exceeded",
        `An account may have ${SESSIONS_OF_ONE} SSE streams at a time`,
      )
    const id = crypto.randomUUID()
    const calls: Session["calls"] = new Set()
    const waiting: Session["waiting"] = []
    const answered = (call: string | number) => {
      if (calls.delete(call)) waiting.shift()?.()
    }
    const endpoint = `event: endpoint\ndata: ${messagesPath}?sessionId=${id}\n\n`
    const stream = eventStream(() => void transport.close(), WAITING_MAX, endpoint)
    const transport: Transport = {
      start: async () => {},
      async send(message) {
        if (!("method" in message) && message.id != null) answered(message.id)
        stream.tell(message)
      },
      async close() {
        stream.end()
        transport.onclose?.()
      },
    }
    const server = buildServer(mcp, "legacy", (context) => visitIn(context.http?.authInfo))
    await server.connect(transport)
    server.onclose = () => {
      sessions.delete(id)
      calls.clear()
      for (const goOn of waiting.splice(0)) goOn()
    }
    sessions.set(id, { keyId: visit.caller.keyId, account, transport, calls, waiting, view: visit.view })
    return stream.response
  }

  async function post(sessionId: string, json: unknown, visit: KnownVisit): Promise<Response> {
    const session = sessions.get(sessionId)
    // Sessions of other keys are not found.
    if (session?.keyId !== visit.caller.keyId)
      throw new AppError("not_found", "No such session: open GET /sse first")
    const message = readMessage(json)
    if ("method" in message && "id" in message) {
      while (session.calls.size >= CALLS_MAX) await turnOf(session)
      session.calls.add(message.id)
    }
    // The address that was opened says which tools are wanted.
    session.transport.onmessage?.(message, { authInfo: carry({ ...visit, view: session.view }) })
    return new Response("Accepted", { status: 202 })
  }

  return {
    open,
    post,
    close: async () =>
      void (await Promise.all([...sessions.values()].map(({ transport }) => transport.close()))),
  }
}

/** Throws `rate_limit_exceeded` when too many wait already. */
function turnOf({ waiting }: Session): Promise<void> {
  if (waiting.length >= WAITING_CALLS_MAX) {
    const text = `A session may have ${CALLS_MAX} calls at a time, and ${WAITING_CALLS_MAX} that wait`
    throw new AppError("rate_limit_exceeded", text, { headers: { "Retry-After": "1" } })
  }
  return new Promise((goOn) => waiting.push(goOn))
}

function readMessage(json: unknown): JSONRPCMessage {
  if (Array.isArray(json))
    throw new ProtocolError(
      ProtocolErrorCode.InvalidRequest,
      "Send one message at a time, not a list of them",
    )
  try {
    return parseJSONRPCMessage(json)
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, "The body is not a JSON-RPC message")
  }
}
