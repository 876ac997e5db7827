// HTTP around the tool protocol: API keys, errors, and CORS.
import type { ProtocolError } from "@modelcontextprotocol/server"
import type { AppError } from "../../runtime/errors.ts"
import { toolError } from "./errors.ts"

/** The key of `Authorization: Bearer`; X-API-Key is taken too, for clients that can set no other header. */
export function apiKeyIn(headers: Headers): string | undefined {
  const bearer = /^bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "")
  return bearer?.[1] ?? headers.get("x-api-key")?.trim()
}

/** An error before a call was read, in the shape of a call's error. */
export function errorResponse(error: AppError, headers: Record<string, string> = {}): Response {
  return Response.json(
    { error: toolError(error) },
    { status: error.status, headers: { ...error.headers, ...headers } },
  )
}

/** The protocol's own answer to a body that is not a message. */
export function protocolErrorResponse({ code, message }: ProtocolError, status = 400): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status })
}

/** The WWW-Authenticate header of a 401 (RFC 6750); with a metadata URL clients can sign in from it (RFC 9728). */
export function challenge(hasKey: boolean, metadataUrl: string | undefined): string {
  const parts = [
    ...(hasKey ? ['error="invalid_token"'] : []),
    metadataUrl === undefined ? 'realm="leaddb"' : `resource_metadata="${metadataUrl}"`,
  ]
  return `Bearer ${parts.join(", ")}`
}

/** CORS headers for pages of allowed origins; none for programs. */
export function corsHeaders(headers: Headers): Record<string, string> {
  const origin = headers.get("origin")
  if (!origin) return {}
  return {
    "Access-Control-Allow-Origin": origin,
    Vary: "Origin",
    "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
    "Access-Control-Allow-Headers":
      headers.get("access-control-request-headers") ?? "Authorization, Content-Type",
    "Access-Control-Expose-Headers":
      "Mcp-Session-Id, WWW-Authenticate, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset",
    "Access-Control-Max-Age": "600",
  }
}
