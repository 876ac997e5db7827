import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server"
import { type Context, Hono, type MiddlewareHandler } from "hono"
import type { Operation, Services } from "../../domain/operation.ts"
import { AppError, asAppError } from "../../runtime/errors.ts"
import type { Log } from "../../runtime/log.ts"
import { parseExact } from "../../text/json-text.ts"
import type { Auth } from "../http/auth.ts"
import type { RateLimit } from "../http/limits.ts"
import {
  bearerToken,
  createHostGuard,
  type GuardSettings,
  type HostGuard,
  methodNotAllowed,
  readBody,
} from "../http/request.ts"
import type { RestBindings } from "../ops/observer.ts"
import { makeMcp } from "./call.ts"
import { MCP_PATH, type McpApp, MESSAGES_PATH, SSE_PATH } from "./entry.ts"
import { toolError } from "./errors.ts"
import { createSse, type Sse } from "./sse.ts"
import { createStreamable, type Streamable } from "./streamable.ts"
import { viewOf } from "./tools.ts"
import type { KnownVisit, Mcp } from "./visit.ts"

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

/** Bytes of a message: a batch as large as REST takes it, with room for its envelope. */
const MESSAGE_MAX = 8 * 1024 * 1024 + 64 * 1024

const tooLarge = () => new AppError("too_large", "The message is larger than 8 MiB; send less at a time")

interface Body {
  json: unknown
  bytes: number
}

/** The JSON of a posted message. Throws `too_large` and ProtocolError. */
async function readMessage(request: Request): Promise<Body> {
  const bytes = await readBody(request, MESSAGE_MAX, tooLarge)
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return { json: parseExact(text), bytes: bytes.length }
  } catch (error) {
    const message = error instanceof AppError ? error.message : "The body is not valid JSON in UTF-8"
    throw new ProtocolError(ProtocolErrorCode.ParseError, message)
  }
}

export type McpEnv = { Bindings: RestBindings }

const METHODS = { [MCP_PATH]: "POST", [SSE_PATH]: "GET", [MESSAGES_PATH]: "POST" }

interface Transports {
  mcp: Mcp
  streamable: Streamable
  sse: Sse
}

/** Adds the routes of both transports. Every request on them must carry a key. */
function mountTransports(app: Hono<McpEnv>, { mcp, streamable, sse }: Transports, auth: Auth): void {
  app.post(MCP_PATH, async (c) => {
    const visit = await arrive(mcp, auth, c)
    const response = await streamable.post(c.req.raw, await read(c, visit), visit)
    for (const name in visit.headers) response.headers.set(name, visit.headers[name]!)
    return response
  })
  app.get(SSE_PATH, async (c) => {
    const visit = await arrive(mcp, auth, c)
    c.env.keepOpen()
    return sse.open(visit)
  })
  app.post(MESSAGES_PATH, async (c) => {
    const visit = await arrive(mcp, auth, c)
    return sse.post(c.req.query("sessionId") ?? "", await read(c, visit), visit)
  })
  for (const [path, Allow] of Object.entries(METHODS)) {
    app.all(path, async (c) => {
      await arrive(mcp, auth, c)
      throw methodNotAllowed(c.req.method, Allow, path)
    })
  }
}

/** Authenticates the caller and reads the view, before the body is read. Throws `unauthorized` and `bad_request`. */
async function arrive({ known }: Mcp, auth: Auth, { req, env }: Context<McpEnv>): Promise<KnownVisit> {
  const { headers } = req.raw
  const caller = await auth.authenticate({
    key: apiKeyIn(headers),
    headers,
    address: env.address,
    isForTools: true,
  })
  return { caller, view: viewOf(known, req.url, headers), bytes: 0, headers: {} }
}

/** The posted message. Whatever it asks for may then take its time. */
async function read({ req, env }: Context<McpEnv>, visit: KnownVisit): Promise<unknown> {
  const { json, bytes } = await readMessage(req.raw)
  visit.bytes = bytes
  env.keepOpen()
  return json
}

// HTTP around the tool protocol: API keys, errors, and CORS.

/** The key of `Authorization: Bearer`; X-API-Key is taken too, for clients that can set no other header. */
function apiKeyIn(headers: Headers): string | undefined {
  return bearerToken(headers) ?? headers.get("x-api-key")?.trim()
}

/** An error before a call was read, in the shape of a call's error. */
function errorResponse(error: AppError, headers: Record<string, string> = {}): Response {
  return Response.json(
    { error: toolError(error) },
    { status: error.status, headers: { ...error.headers, ...headers } },
  )
}

/** The protocol's own answer to a body that is not a message. */
function protocolErrorResponse({ code, message }: ProtocolError): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status: 400 })
}

/** The WWW-Authenticate header of a 401 (RFC 6750); with a metadata URL clients can sign in from it (RFC 9728). */
function challenge(hasKey: boolean, metadataUrl: string | undefined): string {
  const parts = [
    ...(hasKey ? ['error="invalid_token"'] : []),
    metadataUrl === undefined ? 'realm="leaddb"' : `resource_metadata="${metadataUrl}"`,
  ]
  return `Bearer ${parts.join(", ")}`
}

/** CORS headers for pages of allowed origins; none for programs. */
function corsHeaders(headers: Headers): Record<string, string> {
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
