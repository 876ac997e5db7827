// Messages of the tool server: tool calls, the rest of the protocol, and sign-in.
import { operations } from "../../../src/domain/operations/index.ts"
import { words } from "../../../test/support/words.ts"
import type { Random } from "../../seed/random.ts"
import { commonHeaders, ODD_HEADERS } from "./headers.ts"
import { idOf, inputFor, type Known, type Node, spoil } from "./inputs.ts"
import type { Keys, Sent } from "./sent.ts"
import { anything, asText, bytes, text, write } from "./values.ts"

const TOOLS = operations
  .filter(({ tool }) => tool)
  .map(({ name, tool, toolInput, input }) => ({
    name,
    input: (tool?.input ?? toolInput ?? input) as unknown as Node,
  }))
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

export function toolCall(random: Random, keys: Keys, known: Known): Sent {
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
  ...words(`
    prompts/get completion/complete server/discover logging/setLevel notifications/initialized
    notifications/cancelled nope __proto__
  `),
]

export function protocolMessage(random: Random, keys: Keys, known: Known): Sent {
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
  if (random.chance(0.05)) sent.method = random.pick(["GET", "HEAD", "PUT", "OPTIONS", "DELETE"])
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
const PARAMETERS = words(`
  client_id redirect_uri response_type code_challenge code_challenge_method state scope resource
  grant_type code code_verifier token redirect_uris
`)

export function signIn(random: Random, keys: Keys): Sent {
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
