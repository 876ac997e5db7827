import { type Context, Hono } from "hono"
import { TrieRouter } from "hono/router/trie-router"
import { getPath } from "hono/utils/url"
import { AppError } from "../../core/errors.ts"
import type { ListStyle } from "../../core/list-style.ts"
import type { Log } from "../../core/log.ts"
import { BASE_PATH } from "../../core/paths.ts"
import {
  admit,
  type Caller,
  execute,
  NOBODY,
  type Operation,
  type Services,
  type Visit,
} from "../../domain/operation.ts"
import type { Auth } from "../http/auth.ts"
import { type BrowserSessions, refuseForeignSignIn, sessionToken, visitOf } from "../http/browser-session.ts"
import { addressKey } from "../http/client-address.ts"
import type { RateLimit } from "../http/rate-limit.ts"
import type { Trace } from "../ops/observer.ts"
import { failed, type HeaderFields, refusal, renderedOf, reply, respond, respondJson } from "./answer.ts"
import { keepsAnswers } from "./errors.ts"
import { answerOnce } from "./idempotency.ts"
import { inputPlan, readInput } from "./input.ts"
import { bodyReader, inObjectStyle, listStyleOf } from "./list-style.ts"

/** Values that the listener passes along with a request. */
export interface RestBindings {
  address: string
  /** Lifts the idle timeout of this request: for long answers. */
  keepOpen: () => void
  /** Throws when another file could not be sent now: before work is done for it. */
  expectFile: () => void
  /** Takes what becomes known of the request. */
  trace: Trace
}
export type RestEnv = { Bindings: RestBindings }

interface Rest {
  services: Services
  operations: readonly Operation[]
  auth: Auth
  sessions: BrowserSessions
  rateLimit: RateLimit
  publicUrl?: string | undefined
  /** The style of requests with keys that have none of their own; the default is `array`. */
  listStyle?: ListStyle | undefined
  log: Log
  /** Adds the routes that take no key. */
  mountOpen: (app: Hono<RestEnv>) => void
  /** Has a request answered elsewhere instead of with what was thrown here. */
  passOn?: (thrown: unknown, request: Request, bindings: RestBindings) => Promise<Response>
}

/** An authenticated request. `limit` has headers for every answer. */
interface Asked {
  caller: Caller
  limit: HeaderFields
  visit: Visit
  style: ListStyle
}
type Work = (c: Context<RestEnv>, asked: Asked) => Response | Promise<Response>
type Answering = (route: string, work: Work, isOpen?: boolean) => (c: Context<RestEnv>) => Promise<Response>

/**
 * The REST API: a route for every operation that has one. Each has one handler and no middleware before it: Hono
 * calls a lone handler at once, while composing several took a tenth of a short request's time.
 */
export function restApp(rest: Rest): Hono<RestEnv> {
  const { services, operations, log, mountOpen } = rest
  const app = new Hono<RestEnv>({ router: new TrieRouter(), getPath: routedPath })
  mountOpen(app)
  const answering = createAnswering(rest)
  const methods = new Map<string, string[]>()
  const all = routes(operations)
  for (const { path, method } of all) methods.set(path, [...(methods.get(path) ?? []), method])
  for (const { path, method } of shadowed(all))
    app.on(method, BASE_PATH + path, answering(BASE_PATH + path, refusing(methods.get(path)!)))
  for (const { operation, method, path } of all) {
    const plan = inputPlan(
      operation,
      method,
      [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!),
    )
    const unstyled = bodyReader(operation)
    const work: Work = async ({ env, req }, { caller, limit, visit, style }) => {
      const isObjects = style === "object"
      const styled = (answer: unknown) => (isObjects ? inObjectStyle(operation, answer) : answer)
      // Before the body is read: a viewer learns nothing of it but that it may not be.
      admit(operation, caller)
      // A long upload is watched where it is read.
      if (plan.upload) env.keepOpen()
      const input = await readInput(
        plan,
        req.raw,
        req.param() as Record<string, string>,
        isObjects ? unstyled : undefined,
      )
      const { stream } = operation
      if (stream && req.raw.headers.get("accept")?.includes("text/event-stream")) {
        env.keepOpen()
        const cursor = req.raw.headers.get("last-event-id") || undefined
        const asked = { ...(input as object), ...(cursor !== undefined && { cursor }) }
        return respond(
          env.trace,
          operation,
          await execute(services, { ...operation, run: stream }, caller, asked),
          limit,
          visit,
          req.raw,
        )
      }
      // It is here as a whole: from now on it is us who take time.
      env.keepOpen()
      if (operation.files) env.expectFile()
      const key = keepsAnswers(operation, req.method) ? req.raw.headers.get("idempotency-key") : null
      if (key !== null) {
        const { pathname, search } = new URL(req.url)
        const asked = { method: req.method, path: pathname + search, input, key }
        const render = (answer: unknown) => renderedOf(operation, styled(answer))
        const once = await answerOnce({ services, operation, caller, visit, ...asked, render })
        const fields = once.isReplayed ? { ...limit, "Idempotency-Replayed": "true" } : limit
        return once.body === null
          ? reply(env.trace, null, once.status, fields)
          : respondJson(env.trace, operation, once.body, once.status, fields, req.raw)
      }
      const answer = styled(await execute(services, operation, caller, input, visit))
      return respond(env.trace, operation, answer, limit, visit, req.raw)
    }
    const isOpen = operation.access === "open"
    app.on(method, BASE_PATH + path, answering(BASE_PATH + path, work, isOpen))
  }
  const other = refusals(methods, answering)
  app.notFound((c) => other.fetch(c.req.raw, c.env))
  app.onError((thrown, c) => failed(c.env.trace, thrown, log))
  return app
}

/** Authenticates the caller, counts the request, then does the work. */
function createAnswering(rest: Rest): Answering {
  const { auth, sessions, rateLimit, log, publicUrl, listStyle = "array" } = rest
  return (route, work, isOpen = false) =>
    async (c) => {
      const { trace, address } = c.env
      const request = c.req.raw
      const { headers } = request
      trace.route = route
      let limit: HeaderFields = {}
      try {
        const sent = headers.get("x-api-key")?.trim()
        const visit = visitOf(request, address, publicUrl)
        if (isOpen) {
          await rateLimit.admitVisitor(addressKey(address))
          if (request.method === "POST") refuseForeignSignIn(request, visit)
          return await work(c, { caller: NOBODY, limit, visit, style: "array" })
        }
        const token = sent === undefined ? sessionToken(headers, visit) : undefined
        if (token !== undefined) {
          const caller = await sessions.callerOf(token, request, visit)
          trace.key = caller.keyId
          trace.account = caller.account.id
          limit = await rateLimit.admitBrowser(caller.account)
          return await work(c, { caller, limit, visit, style: "array" })
        }
        // Behind a session: authenticating proxies add bearer tokens of their own to what pages send.
        const key = sent ?? bearerToken(headers)
        const holder = await auth.identify({ key, headers, address })
        trace.key = holder.key.id
        trace.account = holder.account.id
        limit = await rateLimit.admit(holder.account)
        // Behind the limit, so that a request that is refused here has counted and says so.
        const style = listStyleOf(headers, holder.key.list_style, listStyle)
        return await work(c, { caller: auth.callerOf(holder, headers), limit, visit, style })
      } catch (thrown) {
        if (rest.passOn) return await rest.passOn(thrown, request, c.env)
        return failed(trace, thrown, log, limit)
      }
    }
}

/** The key of clients that send it as a bearer token; undefined for other credentials. */
function bearerToken(headers: Headers): string | undefined {
  return /^bearer +(\S+)\s*$/i.exec(headers.get("authorization") ?? "")?.[1]
}

/** Answers what no operation does: another method of its path, any other path. Those below the API want a key, too. */
function refusals(methods: ReadonlyMap<string, readonly string[]>, answering: Answering): Hono<RestEnv> {
  const app = new Hono<RestEnv>({ router: new TrieRouter(), getPath: routedPath })
  for (const [path, allowed] of methods) {
    const route = BASE_PATH + path
    app.options(route, (c) => {
      c.env.trace.route = route
      return reply(c.env.trace, null, 204, { Allow: `${allowOf(allowed)}, OPTIONS` })
    })
    app.all(route, answering(route, refusing(allowed)))
  }
  const nothing = ({ req }: Context<RestEnv>) =>
    new AppError("not_found", `There is nothing at ${req.method} ${req.path}`)
  const refuse: Work = (c) => {
    throw nothing(c)
  }
  app.all(`${BASE_PATH}/*`, answering(`${BASE_PATH}/*`, refuse))
  app.notFound((c) => refusal(c.env.trace, nothing(c)))
  return app
}

/** The path that routes are compared with: below the API a slash at the end does not count. */
function routedPath(request: Request): string {
  const path = getPath(request)
  return path.endsWith("/") && path.startsWith(`${BASE_PATH}/`) ? path.slice(0, -1) : path
}

/** The value of Allow. */
function allowOf(methods: readonly string[]): string {
  return methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : method)).join(", ")
}

/** Answers a method that a path does not take. */
function refusing(allowed: readonly string[]): Work {
  const Allow = allowOf(allowed)
  return ({ req }) => {
    const message = `${req.method} is not for this path; it takes ${Allow}`
    throw new AppError("method_not_allowed", message, { headers: { Allow } })
  }
}

/**
 * Methods of paths of fixed words that a path with a name in the place of a word would take: `GET /leads/batch` is no lead
 * of that id.
 */
function shadowed(all: readonly { method: string; path: string }[]): { method: string; path: string }[] {
  const above = (path: string) => path.slice(0, path.lastIndexOf("/"))
  // `current` is an id of its own: that of the session that asks.
  const fixed = all.filter(({ path }) => !path.includes(":") && !path.endsWith("/current"))
  const named = Map.groupBy(
    all.filter(({ path }) => /^[^:]*\/:(id|lead_id)$/.test(path)),
    ({ path }) => above(path),
  )
  return [...Map.groupBy(fixed, ({ path }) => path)].flatMap(([path, own]) =>
    (named.get(above(path)) ?? [])
      .filter(({ method }) => !own.some((one) => one.method === method))
      .map(({ method }) => ({ method, path })),
  )
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
