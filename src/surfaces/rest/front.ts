// The checks before the REST API: whether a request is for this host, and from which pages it may come.
import { AppError } from "../../runtime/errors.ts"
import { createHostGuard, type GuardSettings } from "../http/request.ts"
import type { RestBindings } from "../ops/observer.ts"

/** Public forms decide themselves which pages may post to them. */
const FORMS = "/f/"

type Fetch = (request: Request, bindings: RestBindings) => Response | Promise<Response>

/** Probes reach the service by any host name. */
const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz"])

/** Turns away what is not meant for us with 421, foreign pages with 403, and answers browsers that ask first. */
export function guardRest(settings: GuardSettings, fetch: Fetch): Fetch {
  const guard = createHostGuard(settings)
  const { corsOrigins } = settings
  const cors = createCors(corsOrigins)
  function answered(request: Request, bindings: RestBindings): Response | Promise<Response> {
    if (corsOrigins.length === 0) return fetch(request, bindings)
    const preflight = cors.preflight(request)
    if (preflight) return cors.opened(request, preflight)
    return Promise.resolve(fetch(request, bindings)).then((response) => cors.opened(request, response))
  }
  return (request, bindings) => {
    const { headers } = request
    const { path } = bindings.trace
    if (path.startsWith(FORMS)) {
      const elsewhere = guard.refuseHost(headers)
      return elsewhere ? refusal(elsewhere) : fetch(request, bindings)
    }
    const stranger = PROBES.has(path) ? undefined : guard.refuseHost(headers)
    const refused = stranger ?? guard.refuseOrigin(headers)
    return refused ? refusal(refused) : answered(request, bindings)
  }
}

function refusal(error: AppError): Response {
  return Response.json(error.toRest(), { status: error.status })
}

// CORS: pages of configured origins may use the REST API.

const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE"
/** Headers that the API reads from pages; those of proxies are not allowed. */
const HEADERS =
  "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-API-Key, X-List-Style, X-Request-Id"
const EXPOSED =
  "Allow, Content-Disposition, ETag, Idempotency-Replayed, Retry-After, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id"
/** Seconds that a browser may go without asking again. */
const REMEMBERED = "600"

interface Cors {
  /** The answer to a browser that asks first; undefined for everything else. Throws `forbidden` for a foreign page. */
  preflight(request: Request): Response | undefined
  /** The answer with what lets a page of an allowed origin read it. */
  opened(request: Request, response: Response): Response
}

/** Takes origins as browsers write them, or `*` for all. Never with cookies: keys are what counts. */
function createCors(origins: readonly string[]): Cors {
  const isOpen = origins.includes("*")

  function allowed({ headers }: Request): string | undefined {
    const origin = headers.get("origin")
    if (!origin) return undefined
    if (isOpen) return "*"
    return origins.includes(origin) ? origin : undefined
  }

  return {
    preflight(request) {
      if (request.method !== "OPTIONS" || !request.headers.has("access-control-request-method"))
        return undefined
      if (origins.length === 0) return undefined
      const origin = allowed(request)
      if (!origin)
        throw new AppError("forbidden", "Pages of this origin may not use the API; see LEADDB_CORS_ORIGINS")
      return new Response(null, {
        status: 204,
        headers: {
          "Access-Control-Allow-Origin": origin,
          "Access-Control-Allow-Methods": METHODS,
          "Access-Control-Allow-Headers": HEADERS,
          "Access-Control-Max-Age": REMEMBERED,
          Vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
        },
      })
    },
    opened(request, response) {
      if (origins.length === 0) return response
      const origin = allowed(request)
      const open = isChangeable(response) ? response : new Response(response.body, response)
      // Caches must not give one origin's answer to another.
      open.headers.append("Vary", "Origin")
      if (origin) {
        open.headers.set("Access-Control-Allow-Origin", origin)
        open.headers.set("Access-Control-Expose-Headers", EXPOSED)
      }
      return open
    },
  }
}

/** A redirect's headers cannot be changed. */
function isChangeable(response: Response): boolean {
  return response.status < 300 || response.status >= 400
}
