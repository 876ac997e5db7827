import { type Context, Hono, type MiddlewareHandler } from "hono"
import { AppError, asAppError } from "../../core/errors.ts"
import type { Log } from "../../core/log.ts"
import type { Operation, Services } from "../../core/operation.ts"
import type { Auth } from "../auth.ts"
import type { RateLimit } from "../rate-limit.ts"
import type { RestBindings } from "../rest/rest.ts"
import { type Body, readMessage } from "./body.ts"
import { makeMcp, type Visit } from "./call.ts"
import { createGuard, type Guard, type GuardSettings } from "./guard.ts"
import { challenge, corsHeaders, errorResponse, keyOf } from "./http.ts"
import { createSse, type Sse } from "./sse.ts"
import { createStreamable, type Streamable } from "./streamable.ts"

export type McpEnv = { Bindings: RestBindings }

/** Sign-in through a browser, when it is on. */
export interface SignIn {
  /** Adds its pages and documents. Host and Origin are checked before them, keys are not. */
  mount(app: Hono<McpEnv>): void
  /** Where the metadata of the protected resource is: clients begin to sign in from it (RFC 9728). */
  metadataUrl(request: Request): string
}

export interface McpParts {
  services: Services
  operations: readonly Operation[]
  auth: Auth
  rateLimit: RateLimit
  log: Log
  guard: GuardSettings
  signIn?: SignIn
}

export interface McpApp {
  fetch(request: Request, bindings: RestBindings): Response | Promise<Response>
  /** Ends the streams that are open, which would keep a listener from stopping. */
  close(): Promise<void>
}

export const MCP_PATH = "/mcp"
const SSE_PATH = "/sse"
const MESSAGES_PATH = "/messages"
const METHODS = { [MCP_PATH]: "POST", [SSE_PATH]: "GET", [MESSAGES_PATH]: "POST" }

interface Transports {
  streamable: Streamable
  sse: Sse
}

/** The tool server over HTTP: streamable HTTP at /mcp, the older HTTP+SSE transport at /sse. */
export function mcpApp({ auth, guard, signIn, ...parts }: McpParts): McpApp {
  const mcp = makeMcp(parts)
  const transports = { streamable: createStreamable(mcp), sse: createSse(mcp, MESSAGES_PATH) }
  const app = new Hono<McpEnv>()
  app.use(guarded(createGuard(guard)))
  signIn?.mount(app)
  mountTransports(app, transports, auth)
  app.notFound((c) => errorResponse(new AppError("not_found", `There is nothing at ${c.req.path}; tools are at /mcp`)))
  app.onError((thrown, c) => {
    const error = asAppError(thrown)
    if (error.status >= 500) parts.log.error(error.message, { path: c.req.path }, thrown)
    if (error.kind !== "unauthorized") return errorResponse(error)
    const { headers } = c.req.raw
    const wanted = challenge(keyOf(headers) !== undefined, signIn?.metadataUrl(c.req.raw))
    return errorResponse(error, { "WWW-Authenticate": wanted })
  })
  return {
    fetch: app.fetch,
    close: async () => void (await Promise.all([transports.streamable.close(), transports.sse.close()])),
  }
}

/** Turns away what comes from foreign web pages, and lets our own read the answers. */
function guarded(guard: Guard): MiddlewareHandler<McpEnv> {
  return async (c, next) => {
    const { headers } = c.req.raw
    const refused = guard.refuse(headers)
    if (refused !== undefined) return errorResponse(new AppError("forbidden", refused))
    const cors = corsHeaders(headers)
    if (c.req.method === "OPTIONS") return new Response(null, { status: 204, headers: cors })
    await next()
    for (const name in cors) c.res.headers.set(name, cors[name]!)
  }
}

function mountTransports(app: Hono<McpEnv>, { streamable, sse }: Transports, auth: Auth): void {
  /** Who asks, before anything is read. Throws `unauthorized`. */
  function arrive({ req, env }: Context<McpEnv>): Visit {
    const { headers } = req.raw
    return { caller: auth.authenticate({ key: keyOf(headers), headers, address: env.address }), bytes: 0, headers: {} }
  }
  /** The posted message. Whatever it asks for may then take its time. */
  async function read({ req, env }: Context<McpEnv>, visit: Visit): Promise<Body> {
    const body = await readMessage(req.raw)
    visit.bytes = body.bytes
    env.keepOpen()
    return body
  }

  app.post(MCP_PATH, async (c) => {
    const visit = arrive(c)
    const response = await streamable.post(c.req.raw, await read(c, visit), visit)
    for (const name in visit.headers) response.headers.set(name, visit.headers[name]!)
    return response
  })
  app.get(SSE_PATH, (c) => {
    const visit = arrive(c)
    c.env.keepOpen()
    return sse.open(visit)
  })
  app.post(MESSAGES_PATH, async (c) => {
    const visit = arrive(c)
    const { json } = await read(c, visit)
    return sse.post(c.req.query("sessionId") ?? "", json, visit)
  })
  for (const [path, Allow] of Object.entries(METHODS)) {
    app.all(path, (c) => {
      arrive(c)
      const message = `${c.req.method} is not for ${path}; it takes ${Allow}`
      throw new AppError("method_not_allowed", message, { headers: { Allow } })
    })
  }
}
