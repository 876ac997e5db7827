import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  isJsonContentType,
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type Transport,
} from "@modelcontextprotocol/server"
import { protocolErrorResponse } from "./http.ts"

/** Messages in one batch, which protocol 2025-03-26 has. */
const BATCH_MAX = 100

/**
 * Answers a posted message, or a batch, of a protocol version before 2026-07-28, without a session. The SDK's transport
 * does the same and keeps sessions and streams that we have no use for; this takes a quarter of its time. Throws
 * ProtocolError for what is no message.
 */
export async function answerLegacy(request: Request, json: unknown, server: Server): Promise<Response> {
  if (!isJsonContentType(request.headers.get("content-type"))) {
    const error = new ProtocolError(
      ProtocolErrorCode.InvalidRequest,
      "The Content-Type must be application/json",
    )
    return protocolErrorResponse(error, 415)
  }
  const messages = Array.isArray(json) ? json : [json]
  if (messages.length === 0 || messages.length > BATCH_MAX || !messages.every(isMessage)) {
    const message = `The body must be a JSON-RPC message, or a batch of at most ${BATCH_MAX}`
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, message)
  }
  const answers = await exchange(server, messages)
  if (answers.length === 0) return new Response(null, { status: 202 })
  return Response.json(Array.isArray(json) ? answers : answers[0])
}

function isMessage(value: unknown): value is JSONRPCMessage {
  return isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value)
}

/** Hands messages to a server and waits for the answers of all requests among them. */
async function exchange(server: Server, messages: readonly JSONRPCMessage[]): Promise<JSONRPCMessage[]> {
  const expected = messages.filter(isJSONRPCRequest).length
  const answers: JSONRPCMessage[] = []
  const { promise: answered, resolve } = Promise.withResolvers<void>()
  const transport: Transport = {
    start: async () => {},
    send: async (message) => {
      if (isJSONRPCResponse(message) && answers.push(message) === expected) resolve()
    },
    close: async () => transport.onclose?.(),
  }
  await server.connect(transport)
  // Between requests nothing is kept, so there is nothing that a client could cancel.
  for (const message of messages) if (isJSONRPCRequest(message)) transport.onmessage?.(message)
  if (expected > 0) await answered
  await server.close()
  return answers
}
