// What the tool server's HTTP says around the protocol: who asks, what went wrong, which web pages may read it.
import type { ProtocolError } from "@modelcontextprotocol/server"
import type { AppError } from "../../core/errors.ts"
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

/** What was posted is no message that could be answered: said in the protocol's own form. */
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

/** What a browser needs to let a page of an allowed origin talk to us; nothing for programs. */
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
      "WWW-Authenticate, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset",
    "Access-Control-Max-Age": "600",
  }
}
