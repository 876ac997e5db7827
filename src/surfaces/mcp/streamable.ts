import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server"
import type { Mcp, Visit } from "./call.ts"
import { buildServer } from "./server.ts"
import { createSplices } from "./splices.ts"

/** The streamable HTTP transport, without sessions. */
export interface Streamable {
  /** Answers a posted message, `json` being its body; both protocol eras. */
  post(request: Request, json: unknown, visit: Visit): Promise<Response>
  /** Ends the streams that are open. */
  close(): Promise<void>
}

export function createStreamable(mcp: Mcp): Streamable {
  const report = (error: Error) => mcp.log.info(`MCP: ${error.message}`)
  const modern = createMcpHandler(({ authInfo }) => buildServer(mcp, () => visitIn(authInfo)), {
    legacy: "reject",
    onerror: report,
  })

  /** The SDK's own fallback for older clients frames every answer as a stream; plain JSON takes half the time. */
  async function legacy(request: Request, parsedBody: unknown, visit: Visit): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    const server = buildServer(mcp, () => visit)
    await server.connect(transport)
    try {
      return await transport.handleRequest(request, { parsedBody })
    } finally {
      await server.close()
    }
  }

  return {
    async post(request, json, visit) {
      const splices = createSplices()
      const visitor = Object.assign(visit, { splices })
      if (await isLegacyRequest(request, json)) return splices.fill(await legacy(request, json, visitor))
      return splices.fill(await modern.fetch(request, { parsedBody: json, authInfo: carry(visitor) }))
    },
    close: () => modern.close(),
  }
}

/** The SDK hands a request's AuthInfo through to its server: the visit travels in it. */
export function carry(visit: Visit): AuthInfo {
  return { token: "", clientId: visit.caller.keyId, scopes: [], extra: { visit } }
}

export function visitIn(authInfo: AuthInfo | undefined): Visit {
  return authInfo?.extra?.visit as Visit
}
