import { type Context, Hono } from "hono"
import { matchedRoutes } from "hono/route"
import { AppError, asAppError } from "../../core/errors.ts"
import { Download, JsonText } from "../../core/json-text.ts"
import { type Log, shownPath } from "../../core/log.ts"
import { authorise, type Caller, execute, type Operation, type Services } from "../../core/operation.ts"
import type { Auth, Holder } from "../auth.ts"
import type { Trace } from "../ops/observer.ts"
import type { RateLimit } from "../rate-limit.ts"
import { inputPlan, readInput } from "./input.ts"

/** What the listener hands over beside the request. */
export interface RestBindings {
  address: string
  /** Lifts the idle timeout of this request: for long answers. */
  keepOpen: () => void
  /** Takes what becomes known of the request. */
  trace: Trace
}
export type RestEnv = { Bindings: RestBindings; Variables: { holder: Holder; caller: Caller } }

export interface Rest {
  services: Services
  operations: readonly Operation[]
  auth: Auth
  rateLimit: RateLimit
  log: Log
  /** Adds the routes that take no key. */
  mountOpen: (app: Hono<RestEnv>) => void
}

export const BASE_PATH = "/api/v1"

/** The REST API: a route for every operation that has one. */
export function restApp({ services, operations, auth, rateLimit, log, mountOpen }: Rest): Hono<RestEnv> {
  const app = new Hono<RestEnv>()
  mountOpen(app)

  app.use(`${BASE_PATH}/*`, async (c, next) => {
    const key = c.req.header("x-api-key")?.trim()
    const holder = auth.identify({ key, headers: c.req.raw.headers, address: c.env.address })
    c.env.trace.key = holder.key.id
    const headers = rateLimit.admit(holder.account)
    c.set("holder", holder)
    await next()
    for (const name in headers) c.res.headers.set(name, headers[name]!)
  })
  // Behind the limit, so that a request that is refused here has counted and says so.
  app.use(`${BASE_PATH}/*`, (c, next) => {
    c.set("caller", auth.callerOf(c.var.holder, c.req.raw.headers))
    return next()
  })

  const methods = new Map<string, string[]>()
  for (const { operation, method, path } of routes(operations)) {
    const plan = inputPlan(
      operation,
      method,
      [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!),
    )
    const route = BASE_PATH + path
    app.on(method, route, async (c) => {
      c.env.trace.route = route
      // Before the body is read: a viewer learns nothing of it but that it may not be.
      authorise(operation.access, c.var.caller)
      // A long upload is watched where it is read.
      if (plan.upload) c.env.keepOpen()
      const input = await readInput(plan, c.req.raw, c.req.param() as Record<string, string>)
      // It is here as a whole: from now on it is us who take time.
      c.env.keepOpen()
      const answer = await execute(services, operation, c.var.caller, input)
      return respond(operation, answer)
    })
    methods.set(path, [...(methods.get(path) ?? []), method])
  }
  for (const [path, allowed] of methods) {
    app.all(BASE_PATH + path, (c) => {
      const Allow = allowed.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : method)).join(", ")
      throw new AppError("method_not_allowed", `${c.req.method} is not for this path; it takes ${Allow}`, {
        headers: { Allow },
      })
    })
  }
  app.notFound((c) => {
    nameRoute(c)
    return errorResponse(new AppError("not_found", `There is nothing at ${c.req.method} ${c.req.path}`))
  })
  app.onError((thrown, c) => {
    nameRoute(c)
    const error = asAppError(thrown)
    if (error.status >= 500) {
      const { id, method, path } = c.env.trace
      log.error(error.message, { method, path: shownPath(path), request_id: id }, thrown)
    }
    return errorResponse(error)
  })
  return app
}

/** The route of a request that did not get as far as its operation: the last that fits is the most precise. */
function nameRoute(c: Context<RestEnv>): void {
  const last = matchedRoutes(c).at(-1)
  if (last) c.env.trace.route ??= last.path
}

/** Routes with fixed words before those with a name in the same place, as Hono takes the first that fits. */
function routes(operations: readonly Operation[]) {
  const all = operations.flatMap((operation) =>
    [operation.http ?? []].flat().map((route) => {
      const [method = "", path = ""] = route.split(" ")
      return { operation, method, path }
    }),
  )
  const rank = (path: string) => path.replaceAll(/:\w+/g, "~")
  return all.toSorted((a, b) => (rank(a.path) < rank(b.path) ? -1 : 1))
}

function respond(operation: Operation, answer: unknown): Response {
  if (answer === undefined) return new Response(null, { status: 204 })
  if (answer instanceof Download) {
    return new Response(answer.stream, {
      headers: {
        "Content-Type": answer.contentType,
        "Content-Disposition": `attachment; filename="${answer.fileName}"`,
      },
    })
  }
  const isText = answer instanceof JsonText
  const status = (isText ? answer.status : undefined) ?? operation.status ?? 200
  return json(isText ? answer.text : JSON.stringify(answer), status)
}

function errorResponse(error: AppError): Response {
  return json(JSON.stringify(error.toRest()), error.status, error.headers)
}

function json(text: string, status: number, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(text, { status, headers: { "Content-Type": "application/json", ...headers } })
}
