import { type AuthInfo, createMcpHandler, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server"
import type { Body } from "./body.ts"
import type { Mcp, Visit } from "./call.ts"
import { answerLegacy } from "./legacy.ts"
import { buildServer } from "./server.ts"
import { createSplices } from "./splices.ts"

/** The streamable HTTP transport, without sessions, for every protocol version. */
export interface Streamable {
  /** Answers a posted message. */
  post(request: Request, body: Body, visit: Visit): Promise<Response>
  /** Ends the streams that are open. */
  close(): Promise<void>
}

/** What the SDK reports though it told the client already. */
const CLIENT_MISTAKE = /^(Rejected inbound|Unsupported) /

export function createStreamable(mcp: Mcp): Streamable {
  const modern = createMcpHandler(({ authInfo }) => buildServer(mcp, () => visitIn(authInfo)), {
    onerror(error) {
      if (!CLIENT_MISTAKE.test(error.message)) mcp.log.error("MCP request failed", {}, error)
    },
  })
  return {
    async post(request, { json, text }, visit) {
      const splices = createSplices()
      const visitor = Object.assign(visit, { splices })
      const response = isSurelyLegacy(request, text)
        ? await answerLegacy(request, json, buildServer(mcp, () => visitor))
        : await modern.fetch(request, { parsedBody: json, authInfo: carry(visitor) })
      return splices.fill(response)
    },
    close: () => modern.close(),
  }
}

/** True when nothing in a request can belong to protocol 2026-07-28; else the SDK finds out. */
function isSurelyLegacy(request: Request, text: string): boolean {
  const version = request.headers.get("mcp-protocol-version")
  if (version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return false
  return !text.includes("io.modelcontextprotocol/") && !text.includes("server/discover")
}

/** The SDK hands a request's AuthInfo through to its server: the visit travels in it. */
export function carry(visit: Visit): AuthInfo {
  return { token: "", clientId: visit.caller.keyId, scopes: [], extra: { visit } }
}

export function visitIn(authInfo: AuthInfo | undefined): Visit {
  return authInfo?.extra?.visit as Visit
}
