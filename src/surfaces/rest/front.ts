// The checks before the REST API: whether a request is for this host, and from which pages it may come.
import type { AppError } from "../../runtime/errors.ts"
import { createCors } from "../http/cors.ts"
import { createHostGuard, type GuardSettings } from "../http/host-guard.ts"
import type { RestBindings } from "../ops/bindings.ts"

/** Public forms decide themselves which pages may post to them. */
const FORMS = "/f/"

type Fetch = (request: Request, bindings: RestBindings) => Response | Promise<Response>

/** Those who watch the service know it by whatever name. */
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
