import { Hono } from "hono"
import { TrieRouter } from "hono/router/trie-router"
import { getPath, tryDecodeURIComponent } from "hono/utils/url"
import {
  admit,
  type Caller,
  execute,
  NOBODY,
  type Operation,
  type Services,
  type Visit,
} from "../../domain/operation.ts"
import type { ListStyle } from "../../lead/list-style.ts"
import { AppError } from "../../runtime/errors.ts"
import type { Log } from "../../runtime/log.ts"
import { BASE_PATH } from "../../runtime/paths.ts"
import { type Auth, type BrowserSessions, refuseForeignSignIn, sessionToken, visitOf } from "../http/auth.ts"
import type { RateLimit } from "../http/limits.ts"
import { addressKey, bearerToken, methodNotAllowed } from "../http/request.ts"
import type { RestBindings, RestEnv } from "../ops/observer.ts"
import {
  bodyReader,
  failed,
  type HeaderFields,
  inObjectStyle,
  keepsAnswers,
  listStyleOf,
  NO_HEADERS,
  refusal,
  renderedOf,
  reply,
  respond,
  respondJson,
} from "./answer.ts"
import { answerOnce } from "./idempotency.ts"
import { inputPlan, readInput } from "./input.ts"

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

/** A request that a route of the API answers. `limit` has headers for every answer. */
interface Call {
  request: Request
  env: RestBindings
  /** What stands in the place of the path's names, in their order. */
  values: readonly string[]
  caller: Caller
  limit: HeaderFields
  visit: Visit
  style: ListStyle
}
type Work = (call: Call) => Response | Promise<Response>
type Handler = (
  request: Request,
  env: RestBindings,
  values: readonly string[],
) => Response | Promise<Response>
type Answering = (route: string, work: Work, isOpen?: boolean) => Handler

/** Stands for every method that a path has no handler for. */
const ANY = "*"

/** The REST API: a handler for each route of an operation, with no middleware before it, and Hono for all else. */
export function restApp(rest: Rest): { fetch: (request: Request, env: RestBindings) => ReturnType<Handler> } {
  const { operations, log, mountOpen } = rest
  const answering = createAnswering(rest)
  const router = createRouter<Handler>(BASE_PATH)
  const methods = new Map<string, string[]>()
  for (const operation of operations) {
    for (const http of [operation.http ?? []].flat()) {
      const [method = "", path = ""] = http.split(" ")
      const route = BASE_PATH + path
      router.add(method, route, answering(route, workOf(rest, operation, method, path), isOpen(operation)))
      methods.set(route, [...(methods.get(route) ?? []), method])
    }
  }
  for (const [route, allowed] of methods) {
    router.add(ANY, route, answering(route, refusing(allowed)))
    router.add("OPTIONS", route, (_, { trace }) => {
      trace.route = route
      return reply(trace, null, 204, { Allow: `${allowOf(allowed)}, OPTIONS` })
    })
  }
  const unknown = answering(`${BASE_PATH}/*`, ({ request }) => {
    throw nothingAt(request)
  })
  const other = new Hono<RestEnv>({ router: new TrieRouter(), getPath: routedPath })
  mountOpen(other)
  other.notFound(({ req: { raw, path }, env }) =>
    isBelow(path) ? unknown(raw, env, []) : refusal(env.trace, nothingAt(raw)),
  )
  other.onError((thrown, { env }) => failed(env.trace, thrown, log))
  return {
    fetch(request, env) {
      const route = isBelow(env.trace.path)
        ? router.find(request.method, withoutEnd(pathIn(request, env)))
        : undefined
      const handler = route && (route.methods.get(request.method) ?? route.methods.get(ANY))
      return handler ? handler(request, env, route.values) : other.fetch(request, env)
    },
  }
}

/** Whether a path is of the API. */
const isBelow = (path: string): boolean => path === BASE_PATH || path.startsWith(`${BASE_PATH}/`)

const isOpen = ({ access }: Operation): boolean => access === "open"

function nothingAt(request: Request): AppError {
  return new AppError("not_found", `There is nothing at ${request.method} ${routedPath(request)}`)
}

/** What a route of an operation does for a caller. */
function workOf({ services }: Rest, operation: Operation, method: string, path: string): Work {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!)
  const plan = inputPlan(operation, method, names)
  const unstyled = bodyReader(operation)
  const { stream } = operation
  return async ({ request, env, values, caller, limit, visit, style }) => {
    const isObjects = style === "object"
    const styled = (answer: unknown) => (isObjects ? inObjectStyle(operation, answer) : answer)
    // Before the body is read: a viewer learns nothing of it but that it may not be.
    admit(operation, caller)
    // A long upload is watched where it is read.
    if (plan.upload) env.keepOpen()
    const read = readInput(plan, request, values, isObjects ? unstyled : undefined)
    const input = read instanceof Promise ? await read : read
    const { headers } = request
    if (stream && headers.get("accept")?.includes("text/event-stream")) {
      env.keepOpen()
      const cursor = headers.get("last-event-id") || undefined
      const asked = { ...(input as object), ...(cursor !== undefined && { cursor }) }
      const answer = await execute(services, { ...operation, run: stream }, caller, asked)
      return respond(env.trace, operation, answer, limit, visit, request)
    }
    // The request was read whole: from now on the service takes the time, not the client.
    env.keepOpen()
    if (operation.files) env.expectFile()
    const key = keepsAnswers(operation, request.method) ? headers.get("idempotency-key") : null
    if (key !== null) {
      const { pathname, search } = new URL(request.url)
      const asked = { method: request.method, path: pathname + search, input, key }
      const render = (answer: unknown) => renderedOf(operation, styled(answer))
      const once = await answerOnce({ services, operation, caller, visit, ...asked, render })
      const fields = once.isReplayed ? { ...limit, "Idempotency-Replayed": "true" } : limit
      return once.body === null
        ? reply(env.trace, null, once.status, fields)
        : respondJson(env.trace, operation, once.body, once.status, fields, request)
    }
    const answer = styled(await execute(services, operation, caller, input, visit))
    return respond(env.trace, operation, answer, limit, visit, request)
  }
}

/** Authenticates the caller, counts the request, then does the work. */
function createAnswering(rest: Rest): Answering {
  const { auth, sessions, rateLimit, log, publicUrl, listStyle = "array" } = rest
  return (route, work, isOpen = false) =>
    async (request, env, values) => {
      const { trace } = env
      const { headers } = request
      trace.route = route
      let limit: HeaderFields = NO_HEADERS
      try {
        const sent = headers.get("x-api-key")?.trim()
        const visit = visitOf(request, env, publicUrl)
        if (isOpen) {
          await rateLimit.admitVisitor(addressKey(env.address))
          if (request.method === "POST") refuseForeignSignIn(request, visit)
          return await work({ request, env, values, caller: NOBODY, limit, visit, style: "array" })
        }
        const token = sent === undefined ? sessionToken(headers, visit) : undefined
        if (token !== undefined) {
          const caller = await sessions.callerOf(token, request, visit)
          trace.key = caller.keyId
          trace.account = caller.account.id
          limit = await rateLimit.admitBrowser(caller.account)
          return await work({ request, env, values, caller, limit, visit, style: "array" })
        }
        // Behind a session: authenticating proxies add bearer tokens of their own to what pages send.
        const key = sent ?? bearerToken(headers)
        const identity = auth.identify(key, env)
        const holder = identity instanceof Promise ? await identity : identity
        trace.key = holder.key.id
        trace.account = holder.account.id
        const counted = rateLimit.admit(holder.account)
        limit = counted instanceof Promise ? await counted : counted
        // Behind the limit, so that a request that is refused here has counted and says so.
        const style = listStyleOf(headers, holder.key.list_style, listStyle)
        const caller = auth.callerOf(holder, headers)
        return await work({ request, env, values, caller, limit, visit, style })
      } catch (thrown) {
        if (rest.passOn) return await rest.passOn(thrown, request, env)
        return failed(trace, thrown, log, limit)
      }
    }
}

/** The path of a request: that of the trace, unless parts of it are encoded. */
const pathIn = (request: Request, { trace: { path } }: RestBindings) =>
  path.includes("%") ? getPath(request) : path

/** The path that routes are compared with. */
const routedPath = (request: Request) => withoutEnd(getPath(request))

/** Below the API a slash at the end does not count. */
function withoutEnd(path: string): string {
  return path.endsWith("/") && path.startsWith(`${BASE_PATH}/`) ? path.slice(0, -1) : path
}

/** The value of Allow. */
function allowOf(methods: readonly string[]): string {
  return methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : method)).join(", ")
}

/** Answers a method that a path does not take. */
function refusing(allowed: readonly string[]): Work {
  const Allow = allowOf(allowed)
  return ({ request: { method } }) => {
    throw methodNotAllowed(method, Allow)
  }
}

// Routes paths of the API word by word, without decoding them first.

interface Found<H> {
  /** Handlers of the path, by method. */
  methods: ReadonlyMap<string, H>
  /** What stands in the place of names, in their order. */
  values: readonly string[]
}

interface Router<H> {
  /** A handler for a method of a path such as `/leads/:id`. */
  add(method: string, path: string, handler: H): void
  find(method: string, path: string): Found<H> | undefined
}

interface Node<H> {
  words: Map<string, Node<H>>
  named: Node<H> | undefined
  methods: Map<string, H>
}

const newNode = <H>(): Node<H> => ({ words: new Map(), named: undefined, methods: new Map() })

/** The id of the caller's own session; in paths without a handler for it, an id like any other. */
const CURRENT = "current"

/** All paths begin with `base`. A fixed word goes before a name in its place: `GET /leads/batch` is no lead of that id. */
function createRouter<H>(base: string): Router<H> {
  const root = newNode<H>()

  function find(
    node: Node<H>,
    method: string,
    path: string,
    from: number,
    values: string[],
  ): Node<H> | undefined {
    if (from >= path.length) return node.methods.size > 0 ? node : undefined
    const end = path.indexOf("/", from + 1)
    const word = path.slice(from + 1, end < 0 ? undefined : end)
    const next = end < 0 ? path.length : end
    const fixed = node.words.get(word)
    const match = fixed && find(fixed, method, path, next, values)
    if (!node.named || word === "" || (match && word !== CURRENT) || match?.methods.has(method)) return match
    values.push(word)
    const named = find(node.named, method, path, next, values)
    if (named && (!match || named.methods.has(method))) return named
    values.pop()
    return match
  }

  return {
    add(method, path, handler) {
      let node = root
      for (const word of path.slice(base.length).split("/").slice(1)) {
        if (word.startsWith(":")) node = node.named ??= newNode()
        else {
          const next = node.words.get(word) ?? newNode()
          node.words.set(word, next)
          node = next
        }
      }
      node.methods.set(method, handler)
    },
    find(method, path) {
      const values: string[] = []
      const node = find(root, method, path, base.length, values)
      if (path.includes("%"))
        for (const [i, value] of values.entries()) values[i] = tryDecodeURIComponent(value)
      return node && { methods: node.methods, values }
    },
  }
}
