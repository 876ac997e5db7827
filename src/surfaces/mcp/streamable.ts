import {
  type AuthInfo,
  createMcpHandler,
  type McpHttpHandler,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server"
import { AppError } from "../../core/errors.ts"
import type { KnownVisit, Mcp } from "./call.ts"
import { answerLegacy } from "./legacy.ts"
import { answerCall, plainCall } from "./plain-call.ts"
import { buildServer } from "./server.ts"
import { createSplices } from "./splices.ts"

/** The streamable HTTP transport, without sessions, for every protocol version. */
export interface Streamable {
  /** Answers a posted message, `json`. Throws ProtocolError, and `unavailable` when it is closed. */
  post(request: Request, json: unknown, visit: KnownVisit): Promise<Response>
  /** Waits for the calls under way, takes no more, and ends the streams that are open. */
  close(): Promise<void>
}

/** Milliseconds that calls under way have when the service stops. */
const PATIENCE_MS = 10_000

/** Errors that the SDK reports although it told the client already. */
const CLIENT_MISTAKE = /^(Rejected inbound|Unsupported) /

export function createStreamable(mcp: Mcp): Streamable {
  const modern = createMcpHandler(({ authInfo }) => buildServer(mcp, () => visitIn(authInfo)), {
    onerror(error) {
      if (!CLIENT_MISTAKE.test(error.message)) mcp.log.error("MCP request failed", {}, error)
    },
  })
  const underWay = new Set<Promise<Response>>()
  let isStopping = false

  return {
    async post(request, json, visit) {
      if (isStopping) throw new AppError("unavailable", "The service is stopping")
      const answered = answer(mcp, modern, request, json, visit)
      underWay.add(answered)
      try {
        return await answered
      } finally {
        underWay.delete(answered)
      }
    },
    async close() {
      isStopping = true
      await Promise.race([Promise.allSettled(underWay), Bun.sleep(PATIENCE_MS)])
      await modern.close()
    },
  }
}

async function answer(
  mcp: Mcp,
  modern: McpHttpHandler,
  request: Request,
  json: unknown,
  visit: KnownVisit,
): Promise<Response> {
  const splices = createSplices()
  const visitor = Object.assign(visit, { splices })
  const call = plainCall(json, request.headers)
  if (call) {
    const text = splices.filled(JSON.stringify(await answerCall(mcp, visitor, call)))
    return new Response(text, { headers: { "Content-Type": "application/json" } })
  }
  const isModern = claimsModern(json)
  if (!isModern && !isKnownVersion(request.headers.get("mcp-protocol-version"))) {
    // Only refusals come of this.
    return modern.fetch(request, { parsedBody: json, authInfo: carry(visit) })
  }
  const response = isModern
    ? await modern.fetch(request, { parsedBody: json, authInfo: carry(visitor) })
    : await answerLegacy(
        request,
        json,
        buildServer(mcp, () => visitor),
      )
  return splices.fill(response)
}

/** True when a message says of itself that it is of protocol 2026-07-28 or later. */
function claimsModern(json: unknown): boolean {
  const messages = Array.isArray(json) ? json : [json]
  return messages.some((message) => Object.hasOwn(Object(message?.params?._meta), PROTOCOL_VERSION_META_KEY))
}

function isKnownVersion(version: string | null): boolean {
  return version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)
}

/** The SDK hands a request's AuthInfo through to its server: the visit travels in it. */
export function carry(visit: KnownVisit): AuthInfo {
  return { token: "", clientId: visit.caller.keyId, scopes: [], extra: { visit } }
}

export function visitIn(authInfo: AuthInfo | undefined): KnownVisit {
  return authInfo?.extra?.visit as KnownVisit
}
