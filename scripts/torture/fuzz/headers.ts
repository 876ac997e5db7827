// Headers that clients and proxies put beside their requests.
import type { Random } from "../../seed/random.ts"
import type { Keys } from "./sent.ts"

/** Who asks, and everything that a client or a proxy may put beside it. */
export function commonHeaders(
  random: Random,
  name: "X-API-Key" | "Authorization",
  keys: Keys,
): [string, string][] {
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
export const ODD_HEADERS: [string, string][] = [
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
