import { ProtocolError } from "@modelcontextprotocol/server"
import { Hono, type MiddlewareHandler } from "hono"
import type { Operation, Services } from "../../domain/operation.ts"
import { AppError, asAppError } from "../../runtime/errors.ts"
import type { Log } from "../../runtime/log.ts"
import type { Auth } from "../http/auth.ts"
import { createHostGuard, type GuardSettings, type HostGuard } from "../http/host-guard.ts"
import type { RateLimit } from "../http/rate-limit.ts"
import type { RestBindings } from "../ops/bindings.ts"
import { makeMcp } from "./call.ts"
import { apiKeyIn, challenge, corsHeaders, errorResponse, protocolErrorResponse } from "./http.ts"
import { MESSAGES_PATH } from "./paths.ts"
import { type McpEnv, mountTransports } from "./routes.ts"
import { createSse } from "./sse.ts"
import { createStreamable } from "./streamable.ts"

/** Sign-in through a browser, when it is on. */
export interface SignIn {
  /** Adds its pages and documents, which any web page may ask for. Host is checked before them, keys are not. */
  mount(app: Hono<McpEnv>): void
  /** Where the metadata of the protected resource is: clients begin to sign in from it (RFC 9728). */
  metadataUrl(request: Request): string
}

interface McpParts {
  services: Services
  operations: readonly Operation[]
  auth: Auth
  rateLimit: RateLimit
  log: Log
  guard: GuardSettings
  signIn?: SignIn | undefined
}

export interface McpApp {
  fetch(request: Request, bindings: RestBindings): Response | Promise<Response>
  /** Ends the streams that are open, which would keep a listener from stopping. */
  close(): Promise<void>
}

/** The tool server over HTTP: streamable HTTP at /mcp, the older HTTP+SSE transport at /sse. */
export function mcpApp({ auth, guard, signIn, ...parts }: McpParts): McpApp {
  const mcp = makeMcp(parts)
  const transports = { mcp, streamable: createStreamable(mcp), sse: createSse(mcp, MESSAGES_PATH) }
  const app = new Hono<McpEnv>()
  const hosts = createHostGuard(guard)
  app.use(async (c, next) => {
    const refused = hosts.refuseHost(c.req.raw.headers)
    return refused === undefined ? next() : errorResponse(refused)
  })
  signIn?.mount(app)
  app.use(guarded(hosts))
  mountTransports(app, transports, auth)
  app.notFound((c) =>
    errorResponse(new AppError("not_found", `There is nothing at ${c.req.path}; tools are at /mcp`)),
  )
  app.onError((thrown, c) => {
    if (thrown instanceof ProtocolError) return protocolErrorResponse(thrown)
    const error = asAppError(thrown)
    if (error.status >= 500) parts.log.error(error.message, { path: c.req.path }, thrown)
    if (error.kind !== "unauthorized") return errorResponse(error)
    const { headers } = c.req.raw
    const wanted = challenge(apiKeyIn(headers) !== undefined, signIn?.metadataUrl(c.req.raw))
    return errorResponse(error, { "WWW-Authenticate": wanted })
  })
  return {
    fetch: app.fetch,
    close: async () => void (await Promise.all([transports.streamable.close(), transports.sse.close()])),
  }
}

/** Turns away what comes from foreign web pages, and lets our own read the answers. */
function guarded(guard: HostGuard): MiddlewareHandler<McpEnv> {
  return async (c, next) => {
    const { headers } = c.req.raw
    const refused = guard.refuseOrigin(headers)
    if (refused !== undefined) return errorResponse(refused)
    const cors = corsHeaders(headers)
    if (c.req.method === "OPTIONS") return new Response(null, { status: 204, headers: cors })
    await next()
    for (const name in cors) c.res.headers.set(name, cors[name]!)
  }
}
