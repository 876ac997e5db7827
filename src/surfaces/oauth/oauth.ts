// Sign-in of MCP clients through a browser: OAuth 2.1 with PKCE, where the access token is an API key.
import type { Context, Hono } from "hono"
import type { Services } from "../../domain/operation.ts"
import type { Clock } from "../../runtime/clock.ts"
import type { FetchDocument } from "../../runtime/document.ts"
import { AppError } from "../../runtime/errors.ts"
import type { Log } from "../../runtime/log.ts"
import type { Auth } from "../http/auth.ts"
import { forStrangers } from "../http/for-strangers.ts"
import { createSlidingWindows } from "../http/limits.ts"
import { addressKey } from "../http/request.ts"
import type { McpEnv, SignIn } from "../mcp/mcp.ts"
import { showConsent, takeConsent } from "./authorize.ts"
import { type ClientDocuments, createClientDocuments } from "./client-documents.ts"
import { register } from "./clients.ts"
import { metadataUrl, originOf, RESOURCE_PATHS, resourceMetadata, serverMetadata } from "./origin.ts"
import { problemPage } from "./page.ts"
import { NO_STORE, OAuthRefusal } from "./parameters.ts"
import type { OAuth, SignInVisit } from "./parts.ts"
import { exchangeCode, revokeToken } from "./token.ts"

/**
 * The document of the client that most often has one. Clients with documents do not fall back to registering, so
 * they are invited to use theirs only while this one can be had.
 */
const SAMPLE = "https://claude.ai/oauth/claude-code-client-metadata"
/** Milliseconds for which the result of the check is used. */
const VALID_MS = { works: 600_000, fails: 60_000 }
/** Milliseconds that an answer waits for the check. When that takes longer, the next answer uses its result. */
const PATIENCE = 1_000

/** Tells whether documents can be fetched; sends requests only when asked. */
function createOutboundCheck(documents: ClientDocuments, clock: Clock): () => Promise<boolean> {
  let works = false
  let validUntil = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    try {
      works = "client" in (await documents.load(SAMPLE, async () => true))
    } finally {
      validUntil = clock.monotonic() + (works ? VALID_MS.works : VALID_MS.fails)
      looking = undefined
    }
  }

  return async () => {
    if (clock.monotonic() >= validUntil) {
      looking ??= look()
      await Promise.race([looking, Bun.sleep(PATIENCE)])
    }
    return works
  }
}

interface OAuthSettings {
  services: Services
  auth: Auth
  log: Log
  /** Our address as clients see it; without one it is the one they ask at. */
  publicUrl?: string | undefined
  dashboardOf?: OAuth["dashboardOf"]
  fetchDocument: FetchDocument
}

export function createSignIn({
  services,
  auth,
  log,
  publicUrl,
  dashboardOf = () => undefined,
  fetchDocument,
}: OAuthSettings): SignIn {
  const { clock } = services
  const documents = createClientDocuments(fetchDocument, clock)
  const limits = {
    registrations: createSlidingWindows<string>(clock, 3_600_000),
    documents: createSlidingWindows<string>(clock, 600_000),
    loginCodes: createSlidingWindows<string>(clock, 600_000),
  }
  const oauth: OAuth = {
    services,
    auth,
    log,
    documents,
    limits,
    dashboardOf,
    takesDocuments: createOutboundCheck(documents, clock),
  }
  const visit = ({ req, env }: Context<McpEnv>): SignInVisit => ({
    request: req.raw,
    origin: originOf(req.raw, publicUrl),
    address: addressKey(env.address),
    now: Math.floor(clock.now() / 1000),
  })

  return {
    mount(app) {
      mountMetadata(app, oauth, visit)
      app.get("/authorize", (c) => asPage(c, log, () => showConsent(oauth, visit(c))))
      app.post("/authorize", (c) => asPage(c, log, () => takeConsent(oauth, visit(c))))
      openRoute(app, log, "/register", "POST", (c) => register(oauth, visit(c)))
      openRoute(app, log, "/token", "POST", (c) => exchangeCode(oauth, visit(c)))
      openRoute(app, log, "/revoke", "POST", (c) => revokeToken(oauth, visit(c)))
    },
    metadataUrl: (request) => metadataUrl(originOf(request, publicUrl), new URL(request.url).pathname),
  }
}

function mountMetadata(app: Hono<McpEnv>, oauth: OAuth, visit: (c: Context<McpEnv>) => SignInVisit): void {
  const wellKnown = "/.well-known/oauth-protected-resource"
  // The bare form speaks of /mcp too: clients that ask there compare it with the address they were given.
  const resources = [[wellKnown, "/mcp"], ...RESOURCE_PATHS.map((path) => [wellKnown + path, path])] as const
  for (const [path = "", resource = ""] of resources) {
    openRoute(app, oauth.log, path, "GET", (c) => json(resourceMetadata(visit(c).origin, resource)))
  }
  openRoute(app, oauth.log, "/.well-known/oauth-authorization-server", "GET", async (c) =>
    json(serverMetadata(visit(c).origin, await oauth.takesDocuments())),
  )
}

function json(document: object): Response {
  return Response.json(document, { headers: NO_STORE })
}

type Handler = (c: Context<McpEnv>) => Response | Promise<Response>

/** A route that any web page may use: it carries no cookies, and what it needs is in the request. */
function openRoute(
  app: Hono<McpEnv>,
  log: Log,
  path: string,
  method: "GET" | "POST",
  handler: Handler,
): void {
  const cors = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": `${method}, OPTIONS`,
    "Access-Control-Allow-Headers": "Content-Type, Authorization, MCP-Protocol-Version",
    "Access-Control-Max-Age": "600",
  }
  app.options(path, () => new Response(null, { status: 204, headers: cors }))
  app.on(method, path, async (c) => {
    const response = await answerRefusals(c, log, handler)
    for (const [name, value] of Object.entries(cors)) response.headers.set(name, value)
    return response
  })
}

const NOT_NOW = "this cannot be done at the moment; try again later"

async function answerRefusals(c: Context<McpEnv>, log: Log, handler: Handler): Promise<Response> {
  try {
    return await handler(c)
  } catch (thrown) {
    if (thrown instanceof OAuthRefusal) return thrown.toResponse()
    if (!(thrown instanceof AppError)) throw thrown
    const { kind, message, headers } = forStrangers(thrown, NOT_NOW, c.env.trace, log)
    const refusal =
      kind === "unavailable"
        ? new OAuthRefusal("temporarily_unavailable", message, headers)
        : new OAuthRefusal("invalid_request", message)
    return refusal.toResponse()
  }
}

/** Shows errors of a page as a page. */
async function asPage(c: Context<McpEnv>, log: Log, show: () => Promise<Response>): Promise<Response> {
  try {
    return await show()
  } catch (thrown) {
    const error = forStrangers(thrown, "This cannot be done at the moment; try again later", c.env.trace, log)
    return problemPage(`${error.message}.`, error.status)
  }
}
