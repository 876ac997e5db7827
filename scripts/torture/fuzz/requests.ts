// Requests of every route and every tool, with right, nearly right and hostile paths, queries, headers and bodies.
import { operations } from "../../../src/domain/operations/index.ts"
import { words } from "../../../test/support/words.ts"
import type { Random } from "../../seed/random.ts"
import { commonHeaders } from "./headers.ts"
import { idOf, inputFor, type Known, type Node, spoil } from "./inputs.ts"
import { protocolMessage, signIn, toolCall } from "./messages.ts"
import type { Keys, Sent } from "./sent.ts"
import { anything, asText, bytes, key, text, write } from "./values.ts"

interface Route {
  name: string
  method: string
  path: string
  input: Node
  query: readonly string[]
  isUpload: boolean
}

const ROUTES: Route[] = operations.flatMap((operation) =>
  [operation.http ?? []].flat().map((http) => {
    const [method = "", path = ""] = http.split(" ")
    const { name, query = [] } = operation
    const isUpload = "upload" in operation && operation.upload !== undefined
    return { name, method, path, input: operation.input as unknown as Node, query, isUpload }
  }),
)
const OPEN = words(`
  / /healthz /readyz /metrics /openapi.json /docs /api/v1 /api/v1/openapi.json /favicon.ico
`)
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PROPFIND"]

/** The `nth` request for an account, always the same for the same random numbers and ids. */
export function makeRequest(random: Random, keys: Keys, known: Known): Sent {
  const kind = random.float()
  if (kind < 0.64) return restRequest(random, keys, known)
  if (kind < 0.9) return toolCall(random, keys, known)
  if (kind < 0.94) return protocolMessage(random, keys, known)
  if (kind < 0.97) return signIn(random, keys)
  return openRoute(random, keys)
}

function restRequest(random: Random, keys: Keys, known: Known): Sent {
  const route = random.pick(ROUTES)
  const made = inputFor(random, route.input, known)
  const input = (random.chance(0.2) ? spoil(random, made as Record<string, unknown>, known) : made) as Record<
    string,
    unknown
  >
  const { path, left } = fillPath(random, route.path, input, known)
  const method = random.chance(0.97) ? route.method : random.pick(METHODS)
  const inQuery = route.method === "GET" ? Object.keys(left) : route.query
  const query = queryOf(random, left, inQuery)
  const headers = commonHeaders(random, "X-API-Key", keys)
  const sent: Sent = { surface: "rest", method, target: `/api/v1${path}${query}`, headers, about: route.name }
  if (method === "GET" || method === "HEAD" || (route.method === "GET" && random.chance(0.7))) return sent
  const whole =
    typeof input === "object" && input !== null && !Array.isArray(input) ? without(left, route.query) : input
  if (route.isUpload) return { ...sent, body: bytes(random, upload(random, known)) }
  if (random.chance(0.97)) sent.body = bytes(random, write(random.chance(0.02) ? anything(random) : whole))
  return sent
}

/** Rows of a file, in one of the formats that an import takes, or none. */
function upload(random: Random, known: Known): string {
  const leads = Array.from({ length: random.below(4) }, () =>
    inputFor(random, { type: "unknown" }, known, "lead"),
  )
  const how = random.below(5)
  if (how === 0) return write(leads)
  if (how === 1) return leads.map(write).join("\n")
  if (how === 2)
    return `name,source,email\n${leads.map(() => `"${text(random)}",${text(random)},a@x.y`).join("\n")}`
  if (how === 3) return `${text(random)};${text(random)}\n${text(random)}`
  return text(random)
}

function without(input: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)))
}

function fillPath(random: Random, pattern: string, input: Record<string, unknown>, known: Known) {
  const left = { ...input }
  let path = pattern.replace(/:(\w+)/g, (_, name: string) => {
    const prefix = name === "lead_id" || pattern.startsWith("/leads/:id") ? "cl_" : prefixOf(pattern)
    const id = idOf(random, known, prefix)
    delete left[name]
    // A fragment never leaves its client.
    return random.chance(0.97)
      ? encodeURIComponent(id.toWellFormed())
      : id.toWellFormed().replaceAll("#", "%23")
  })
  if (random.chance(0.02))
    path = random.pick([
      `${path}/`,
      `/${path}`,
      path.toUpperCase(),
      `${path}/x`,
      path.replace("/", "//"),
      `${path}%`,
      `${path}%zz`,
      `${path}/..`,
      "",
      `${path};a=b`,
      "/".repeat(2_000),
      `/leads/${"x".repeat(9_000)}`,
    ])
  return { path, left }
}

function prefixOf(pattern: string): string {
  if (pattern.startsWith("/notes")) return "note_"
  if (pattern.startsWith("/scoring-rules")) return "rule_"
  if (pattern.includes("/deliveries/:delivery")) return "dlv_"
  if (pattern.startsWith("/webhooks")) return "wh_"
  if (pattern.startsWith("/api-keys")) return "key_"
  return pattern.includes("/attributes/:id") ? "" : "cl_"
}

function queryOf(random: Random, input: Record<string, unknown>, names: readonly string[]): string {
  const params = new URLSearchParams()
  for (const name of names) {
    for (const value of [input[name] ?? []].flat()) params.append(name, asText(value))
  }
  if (random.chance(0.03)) params.append(key(random).toWellFormed(), text(random).toWellFormed())
  if (random.chance(0.02) && names[0]) params.append(names[0], text(random).toWellFormed())
  let query = params.toString()
  if (random.chance(0.02))
    query += random.pick(words("& &&= % =%zz &a=%ff%fe &limit &limit=1&limit=2 ? # &%00=1 +"))
  return query && `?${query}`
}

function openRoute(random: Random, keys: Keys): Sent {
  const target = random.chance(0.8)
    ? random.pick(OPEN)
    : `/${encodeURIComponent(text(random).toWellFormed())}`
  const headers = random.chance(0.3) ? commonHeaders(random, "X-API-Key", keys) : []
  const surface = random.chance(0.7) ? "rest" : "mcp"
  return {
    surface,
    method: random.chance(0.9) ? "GET" : random.pick(METHODS),
    target,
    headers,
    about: "open",
  }
}
