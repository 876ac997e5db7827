// The checks before the REST API: whether a request is for this host, and from which pages it may come.
import type { AppError } from "../../core/errors.ts"
import { createCors } from "../http/cors.ts"
import { createHostGuard, type GuardSettings } from "../http/host-guard.ts"
import type { RestBindings } from "./rest.ts"

/** Public forms decide themselves which pages may post to them. */
const FORMS = /^[^/]*\/\/[^/]*\/f\//

type Fetch = (request: Request, bindings: RestBindings) => Response | Promise<Response>

/** Those who watch the service know it by whatever name. */
const PROBES = /^[^/]*\/\/[^/]*\/(healthz|readyz)$/

/** Turns away what is not meant for us with 421, foreign pages with 403, and answers browsers that ask first. */
export function guardRest(settings: GuardSettings, fetch: Fetch): Fetch {
  const guard = createHostGuard(settings)
  const cors = createCors(settings.corsOrigins)
  return async (request, bindings) => {
    const { headers } = request
    if (FORMS.test(request.url)) {
      const elsewhere = guard.refuseHost(headers)
      return elsewhere ? refusal(elsewhere) : fetch(request, bindings)
    }
    const stranger = PROBES.test(request.url) ? undefined : guard.refuseHost(headers)
    const refused = stranger ?? guard.refuseOrigin(headers)
    if (refused) return refusal(refused)
    return cors.opened(request, cors.preflight(request) ?? (await fetch(request, bindings)))
  }
}

function refusal(error: AppError): Response {
  return Response.json(error.toRest(), { status: error.status })
}
