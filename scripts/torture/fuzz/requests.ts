// Requests of every route and every tool, with right, nearly right and hostile paths, queries, headers and bodies.
import { operations } from "../../../src/domain/index.ts"
import type { Random } from "../../seed/random.ts"
import { idOf, inputFor, type Known, type Node, spoil } from "./inputs.ts"
import { anything, bytes, key, text, write } from "./values.ts"

/** A request as it goes over the wire. `target` is the path and the query. */
export interface Sent {
  surface: "rest" | "mcp"
  method: string
  target: string
  headers: [string, string][]
  body?: Uint8Array<ArrayBuffer> | undefined
  /** Which operation it is about, for the counts. */
  about: string
}

/** Keys of an account, by role, and one that expired. */
export type Keys = Record<"owner" | "editor" | "viewer" | "expired", string>

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
const TOOLS = operations
  .filter(({ tool }) => tool)
  .map(({ name, toolInput, input }) => ({ name, input: (toolInput ?? input) as unknown as Node }))
const OPEN = [
  "/",
  "/healthz",
  "/readyz",
  "/metrics",
  "/openapi.json",
  "/docs",
  "/api/v1",
  "/api/v1/openapi.json",
  "/favicon.ico",
]
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
    return random.chance(0.97) ? encodeURIComponent(id.toWellFormed()) : id.toWellFormed()
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
    query += random.pick([
      "&",
      "&&=",
      "%",
      "=%zz",
      "&a=%ff%fe",
      "&limit",
      "&limit=1&limit=2",
      "?",
      "#",
      "&%00=1",
      "+",
    ])
  return query && `?${query}`
}

function asText(value: unknown): string {
  return (typeof value === "string" ? value : write(value)).toWellFormed().slice(0, 4_000)
}

/** Who asks, and everything that a client or a proxy may put beside it. */
function commonHeaders(random: Random, name: "X-API-Key" | "Authorization", keys: Keys): [string, string][] {
  const headers: [string, string][] = []
  const key = keyFor(random, keys)
  const isOdd = name === "Authorization" && random.chance(0.05)
  const scheme = isOdd ? random.pick(["bearer ", "Bearer", "Basic", "", "Bearer Bearer"]) : "Bearer"
  const value = name === "Authorization" ? `${scheme} ${key}` : key
  if (random.chance(0.99)) headers.push([name, value])
  if (random.chance(0.9))
    headers.push(["Content-Type", random.chance(0.95) ? "application/json" : random.pick(ODD_TYPES)])
  if (random.chance(0.06))
    headers.push([
      "X-Member-Role",
      random.pick(["owner", "editor", "viewer", "VIEWER ", "viewer, owner", "root", "", "ÿ"]),
    ])
  if (random.chance(0.06)) headers.push(["X-Actor-Id", random.pick(["u1", "x".repeat(201), "", "é", "a, b"])])
  if (random.chance(0.08)) headers.push(random.pick(ODD_HEADERS))
  return headers
}

const ODD_TYPES = [
  "",
  "text/plain",
  "application/json; charset=utf-16",
  "multipart/form-data",
  "application/x-www-form-urlencoded",
  "x",
  "application/json;;",
  "text/csv",
]
const ODD_HEADERS: [string, string][] = [
  ["X-Request-Id", "x".repeat(300)],
  ["X-Request-Id", "a b\tc"],
  ["X-Proxy-Secret", "guess"],
  ["Accept", "text/html;q=0.1, */*"],
  ["Accept-Encoding", "gzip, br, zstd"],
  ["Content-Encoding", "gzip"],
  ["If-None-Match", "*"],
  ["Range", "bytes=0-1"],
  ["Origin", "https://evil.example"],
  ["Origin", "null"],
  ["Cookie", "a=b; __Host-x=y"],
  ["X-Forwarded-For", "1.2.3.4"],
  ["Forwarded", "for=x;host=evil"],
  ["X-HTTP-Method-Override", "DELETE"],
  ["traceparent", "00-x"],
  ["Idempotency-Key", "1"],
  ["MCP-Protocol-Version", "1999-01-01"],
  ["Mcp-Session-Id", "x"],
  ["Last-Event-ID", "5"],
  ["X-Long", "y".repeat(7_000)],
]

function keyFor(random: Random, keys: Keys): string {
  if (random.chance(0.9)) return keys.owner
  return random.pick([
    keys.editor,
    keys.viewer,
    keys.expired,
    ` ${keys.owner} `,
    keys.owner.slice(0, -1),
    `ldb_${"x".repeat(38)}`,
    "",
    "é",
    `${keys.owner},${keys.viewer}`,
  ])
}

const VERSIONS = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "1999-01-01", ""]

function message(random: Random, keys: Keys, about: string, json: unknown): Sent {
  const headers = commonHeaders(random, "Authorization", keys)
  headers.push(["Accept", random.chance(0.95) ? "application/json, text/event-stream" : "text/html"])
  if (random.chance(0.3)) headers.push(["MCP-Protocol-Version", random.pick(VERSIONS)])
  const batched = random.chance(0.03) ? [json, json] : json
  return {
    surface: "mcp",
    method: "POST",
    target: "/mcp",
    headers,
    body: bytes(random, write(batched)),
    about,
  }
}

function envelope(random: Random, method: string, params: unknown): Record<string, unknown> {
  const made = { jsonrpc: "2.0", id: random.pick([1, "a", 1, 0, -5, 1e300]), method, params }
  return (random.chance(0.03) ? spoil(random, made, new Map()) : made) as Record<string, unknown>
}

function toolCall(random: Random, keys: Keys, known: Known): Sent {
  const tool = random.pick(TOOLS)
  const made = inputFor(random, tool.input, known) as Record<string, unknown>
  if (random.chance(0.9)) made.confirm = random.chance(0.9) ? true : anything(random)
  if (!tool.name.startsWith("delete") && !tool.name.endsWith("delete_leads")) delete made.confirm
  const args = random.chance(0.2) ? spoil(random, made, known) : made
  const name = random.chance(0.99) ? tool.name : text(random)
  return message(
    random,
    keys,
    `tool ${tool.name}`,
    envelope(random, "tools/call", { name, arguments: args, ...meta(random) }),
  )
}

/** What protocol 2026-07-28 puts beside its parameters. */
function meta(random: Random): object {
  if (random.chance(0.8)) return {}
  const protocol = "io.modelcontextprotocol/protocolVersion"
  return {
    _meta: random.chance(0.8)
      ? { [protocol]: "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} }
      : anything(random),
  }
}

const PROTOCOL = [
  ...[
    "initialize",
    "ping",
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
  ],
  ...[
    "prompts/get",
    "completion/complete",
    "server/discover",
    "logging/setLevel",
    "notifications/initialized",
    "notifications/cancelled",
    "nope",
    "__proto__",
  ],
]

function protocolMessage(random: Random, keys: Keys, known: Known): Sent {
  const method = random.pick(PROTOCOL)
  const params = random.pick<unknown>([
    undefined,
    { uri: `lead://${idOf(random, known, "cl_")}` },
    { uri: "leaddb://guide/filters" },
    { name: "qualify_lead", arguments: { id: idOf(random, known, "cl_") } },
    { ref: { type: "ref/prompt", name: "x" }, argument: { name: "status", value: "q" } },
    { protocolVersion: random.pick(VERSIONS), capabilities: {}, clientInfo: { name: "f", version: "1" } },
    anything(random),
  ])
  const made = envelope(random, method, params)
  if (method.startsWith("notifications")) delete made.id
  const sent = message(random, keys, "protocol", made)
  if (random.chance(0.1))
    sent.target = random.pick(["/messages?sessionId=x", "/messages", "/mcp/", "/mcp?x=1", "/sse/", "/"])
  if (random.chance(0.05)) sent.method = random.pick(METHODS)
  return sent
}

const SIGN_IN = [
  "/authorize",
  "/register",
  "/token",
  "/revoke",
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-protected-resource/mcp",
  "/.well-known/openid-configuration",
]
const PARAMETERS = [
  "client_id",
  "redirect_uri",
  "response_type",
  "code_challenge",
  "code_challenge_method",
  "state",
  "scope",
  "resource",
  "grant_type",
  "code",
  "code_verifier",
  "token",
  "redirect_uris",
]

function signIn(random: Random, keys: Keys): Sent {
  const target = random.pick(SIGN_IN)
  const values: Record<string, unknown> = {}
  for (const name of PARAMETERS) if (random.chance(0.5)) values[name] = parameter(random, name, keys)
  const headers: [string, string][] = [
    ["Content-Type", random.pick(["application/x-www-form-urlencoded", "application/json", "text/plain"])],
  ]
  if (random.chance(0.2)) headers.push(random.pick(ODD_HEADERS))
  const form = new URLSearchParams(
    Object.entries(values).map(([name, value]) => [name, asText(value)]),
  ).toString()
  if (random.chance(0.4))
    return { surface: "mcp", method: "GET", target: `${target}?${form}`, headers, about: "sign-in" }
  const json = random.chance(0.3) ? anything(random) : values
  const body = bytes(random, target === "/register" ? write(json) : form)
  return { surface: "mcp", method: "POST", target, headers, body, about: "sign-in" }
}

function parameter(random: Random, name: string, keys: Keys): unknown {
  if (random.chance(0.2)) return text(random)
  const usual: Record<string, unknown> = {
    response_type: "code",
    code_challenge_method: random.pick(["S256", "plain"]),
    grant_type: random.pick(["authorization_code", "refresh_token", "password"]),
    redirect_uri: random.pick([
      "http://localhost:1/cb",
      "http://127.0.0.1/cb",
      "javascript:alert(1)",
      "http://[",
      "x:/y",
    ]),
    redirect_uris: [random.pick(["http://localhost:1/cb", "https://evil.example/", "no", "cursor://x"])],
    token: keys.expired,
    resource: "http://127.0.0.1:8081/mcp",
  }
  return usual[name] ?? "x".repeat(43)
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
