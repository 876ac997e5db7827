import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server"
import type { Context, Hono } from "hono"
import { AppError } from "../../runtime/errors.ts"
import { parseExact } from "../../text/exact-json.ts"
import type { Auth } from "../http/auth.ts"
import { readBody } from "../http/body.ts"
import type { RestBindings } from "../ops/bindings.ts"
import { apiKeyIn } from "./http.ts"
import { MCP_PATH, MESSAGES_PATH, SSE_PATH } from "./paths.ts"
import type { Sse } from "./sse.ts"
import type { Streamable } from "./streamable.ts"
import { viewOf } from "./toolsets.ts"
import type { KnownVisit, Mcp } from "./visit.ts"

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
export function mountTransports(app: Hono<McpEnv>, { mcp, streamable, sse }: Transports, auth: Auth): void {
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
      const message = `${c.req.method} is not for ${path}; it takes ${Allow}`
      throw new AppError("method_not_allowed", message, { headers: { Allow } })
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
