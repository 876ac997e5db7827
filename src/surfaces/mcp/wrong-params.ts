import { type JSONRPCMessage, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server"

interface Issue {
  path: (string | number)[]
  message: string
}

/**
 * Has a server say of parameters that do not fit their method that they are invalid. The SDK calls that an internal
 * error of ours, with its schema's issues as a JSON text for a message.
 */
export function nameWrongParams(server: Server): void {
  const connect = server.connect.bind(server)
  server.connect = (transport) => {
    const send = transport.send.bind(transport)
    transport.send = (message, options) => send(reworded(message), options)
    return connect(transport)
  }
}

function reworded(message: JSONRPCMessage): JSONRPCMessage {
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
