// Any operation by its name, over REST or as a tool, from arguments that are the same for both.
import { operations } from "../../src/domain/operations/index.ts"
import { callTool } from "./call-tool.ts"
import { type Inside, REST } from "./in-process.ts"

export type Way = "rest" | "tool"

/** What came back: over REST the status, of a tool 200 or its error's status. */
export interface Reply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: bodies of any shape
  body: any
}

export type Args = Readonly<Record<string, unknown>>

interface Route {
  method: string
  path: string
  query: readonly string[]
}

const ROUTES = new Map(
  operations.flatMap(({ name, http, query = [] }): [string, Route[]][] => {
    const routes = [http ?? []].flat().map((route) => {
      const [method = "", path = ""] = route.split(" ")
      return { method, path, query }
    })
    return routes.length > 0 ? [[name, routes]] : []
  }),
)
const CONFIRMED = new Set([...ROUTES].flatMap(([name, [route]]) => (route?.method === "DELETE" ? name : [])))

/** How many routes an operation has. */
export function countRoutes(name: string): number {
  return ROUTES.get(name)?.length ?? 0
}

/** The arguments of a tool's call, with `confirm` where it is needed. */
export function confirmed(name: string, args: Args): Args {
  return CONFIRMED.has(name) ? { ...args, confirm: true } : args
}

/** Asks an operation the one way or the other; in a tool's call `confirm` is given where it is needed. */
export async function ask(service: Inside, key: string, way: Way, name: string, args: Args): Promise<Reply> {
  if (way === "rest") return send(service, restRequest(key, name, args))
  const { data, error } = await callTool(service, key, name, confirmed(name, args))
  return error ? { status: error.status, body: error } : { status: 200, body: data }
}

async function send(service: Inside, request: Request): Promise<Reply> {
  const response = await service.fetch(request)
  const text = await response.text()
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) }
}

/** The request of an operation's first route, or another one. */
export function restRequest(key: string, name: string, args: Args, nth = 0): Request {
  const route = ROUTES.get(name)?.[nth]
  if (!route) throw new Error(`${name} has no route`)
  const { method } = route
  const left = { ...args }
  const path = route.path.replace(/:(\w+)/g, (_, part: string) => {
    const value = String(left[part])
    delete left[part]
    return encodeURIComponent(value)
  })
  const params = new URLSearchParams()
  for (const part of method === "GET" ? Object.keys(left) : route.query) {
    for (const value of [left[part] ?? []].flat()) params.append(part, String(value))
    delete left[part]
  }
  const search = params.size > 0 ? `?${params}` : ""
  const hasBody = method !== "GET" && Object.keys(left).length > 0
  return new Request(REST + path + search, {
    method,
    headers: { "X-API-Key": key, ...(hasBody && { "Content-Type": "application/json" }) },
    ...(hasBody && { body: JSON.stringify(left) }),
  })
}
