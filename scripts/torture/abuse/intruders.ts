// Ways to get in, or further than one may: each must be refused.

import { newApiKey } from "../../../src/core/api-key-text.ts"
import type { Random } from "../../seed/random.ts"
import { type Door, SECRET } from "./doors.ts"

type Header = readonly [name: string, value: string]

export interface Trial {
  /** What is tried. */
  kind: string
  door: Door
  mcp?: boolean
  line: string
  headers: Header[]
  body: string
  /** An actor that must not come to stand in the audit trail; the request itself is allowed. */
  forged?: string
}

export interface Doors {
  open: Door
  /** Behind a proxy. */
  guarded: Door
}

const KEY = "X-API-Key"
const ROLE = "X-Member-Role"
const OWNER = [
  "owner",
  "OWNER",
  " owner ",
  "Owner",
  "owner,owner",
  "owner, viewer",
  "admin",
  "root",
  "*",
  "owner;q=1",
]
const VIEWER = [
  "viewer",
  "VIEWER",
  " viewer",
  "Viewer\t",
  "viewer, owner",
  "owner,viewer",
  "viewer,viewer",
  ",viewer",
]

type Kind = (doors: Doors, random: Random) => Omit<Trial, "kind">

const KINDS: Record<string, Kind> = {
  "revoked key": ({ open }, random) => withKey(open, random, random.pick(open.revoked)),
  "expired key": ({ open }, random) => withKey(open, random, random.pick(open.expired)),
  "revoked key behind a proxy": ({ guarded }, random) => {
    const trial = withKey(guarded, random, random.pick(guarded.revoked))
    return { ...trial, headers: [...trial.headers, ["X-Proxy-Secret", SECRET], [ROLE, "owner"]] }
  },
  "made-up key": ({ open }, random) => withKey(open, random, newApiKey()),
  "another service's key": ({ open, guarded }, random) => withKey(open, random, guarded.owner),
  "damaged key": ({ open }, random) => withKey(open, random, damaged(open.owner, random)),
  "key in a wrong place": ({ open }, random) => elsewhere(open, random),
  "several keys": ({ open }, random) => {
    const keys = [open.owner, newApiKey(), open.viewer, random.pick(open.revoked)]
    return rest(
      open,
      random,
      mutation(open, random),
      keys.slice(0, random.between(2, 4)).map((key) => [KEY, key]),
    )
  },
  "viewer who says owner": ({ open }, random) =>
    rest(open, random, mutation(open, random), [[KEY, open.viewer], ...claims(OWNER, random)]),
  "editor who says owner": ({ open }, random) =>
    rest(open, random, ownersOnly(random), [[KEY, open.editor], ...claims(OWNER, random)]),
  "member who is a viewer": ({ open }, random) =>
    rest(open, random, mutation(open, random), [[KEY, open.owner], ...mixed(random)]),
  "viewer's tool": ({ open }, random) => tool(open, random, open.viewer, claims(OWNER, random)),
  "viewer of a proxy's tool": ({ open }, random) => tool(open, random, open.owner, mixed(random)),
  "wrong secret": ({ guarded }, random) =>
    rest(guarded, random, mutation(guarded, random), [
      [KEY, guarded.viewer],
      [ROLE, "owner"],
      ...wrongSecret(random),
    ]),
  "right secret without a role": ({ guarded }, random) =>
    rest(guarded, random, mutation(guarded, random), [
      [KEY, guarded.owner],
      ["X-Proxy-Secret", SECRET],
      ...random.pick<Header[]>([[], [[ROLE, ""]], [[ROLE, "admin"]], [[ROLE, "viewer"]], mixed(random)]),
    ]),
  "forged actor": ({ guarded }, random) => {
    const forged = `somebody-${random.below(1e9)}`
    const body = JSON.stringify({ rating: random.below(1e6) })
    const headers: Header[] = [
      [KEY, guarded.editor],
      ["X-Actor-Id", forged],
      [ROLE, "owner"],
      ...wrongSecret(random),
    ]
    return { ...rest(guarded, random, ["PUT", `/leads/${guarded.lead}`, body], headers), forged }
  },
}
export const KIND_NAMES = Object.keys(KINDS)

export function makeTrial(nth: number, doors: Doors, random: Random): Trial {
  const kind = KIND_NAMES[nth % KIND_NAMES.length]!
  return { kind, ...KINDS[kind]!(doors, random) }
}

type Asked = readonly [method: string, path: string, body?: string]

/** With this key alone everything would be allowed: as REST or as a tool, in whatever header is taken. */
function withKey(door: Door, random: Random, key: string): Omit<Trial, "kind"> {
  if (random.chance(0.3)) return tool(door, random, key, [])
  const asked = random.chance(0.5) ? mutation(door, random) : (["GET", "/leads"] as const)
  return rest(door, random, asked, [[KEY, key]])
}

function rest(door: Door, random: Random, [method, path, body = ""]: Asked, headers: readonly Header[]) {
  return {
    door,
    line: `${method} ${new URL(door.url).pathname}${path}`,
    headers: spelled(headers, random),
    body,
  }
}

function tool(door: Door, random: Random, key: string, more: readonly Header[]): Omit<Trial, "kind"> {
  const calls = [
    ["create_lead", { name: "Intruder", source: "tool" }],
    ["delete_lead", { id: door.lead, confirm: true }],
    ["create_api_key", { name: "Intruder" }],
    ["update_lead", { id: door.lead, name: "Intruder" }],
  ] as const
  const [name, args] = random.pick(calls)
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args },
  })
  const headers: Header[] = [
    random.chance(0.5) ? [KEY, key] : ["Authorization", `Bearer ${key}`],
    ["Accept", "application/json, text/event-stream"],
    ...more,
  ]
  return { door, mcp: true, line: "POST /mcp", headers: spelled(headers, random), body }
}

function mutation(door: Door, random: Random): Asked {
  const lead = JSON.stringify({ name: "Intruder", source: "doors" })
  const asks: Asked[] = [
    ["POST", "/leads", lead],
    ["PUT", `/leads/${door.lead}`, '{"name":"Intruder"}'],
    ["PATCH", `/leads/${door.lead}`, '{"name":"Intruder"}'],
    ["DELETE", `/leads/${door.lead}`],
    ["POST", "/leads/batch", `{"leads":[${lead}]}`],
    ["POST", `/leads/${door.lead}/notes`, '{"content":"Intruder"}'],
    ["POST", `/leads/${door.lead}/attributes`, '{"name":"i","type":"text","value":"i"}'],
    ["POST", "/scoring-rules", '{"name":"i","expression":"1"}'],
    ["POST", "/webhooks", '{"url":"http://127.0.0.1:9/"}'],
    ["POST", "/leads/score/batch"],
    ...ALWAYS_OWNERS,
  ]
  return random.pick(asks)
}

const ALWAYS_OWNERS: Asked[] = [
  ["POST", "/api-keys", '{"name":"Intruder"}'],
  ["GET", "/api-keys"],
  ["DELETE", "/api-keys/key_00000000-0000-7000-8000-000000000000"],
]
const ownersOnly = (random: Random): Asked => random.pick(ALWAYS_OWNERS)

/** One header that claims to be more, or several. */
function claims(values: readonly string[], random: Random): Header[] {
  return Array.from({ length: random.between(1, 3) }, () => [ROLE, random.pick(values)] as const)
}

/** Headers of which at least one says viewer. */
function mixed(random: Random): Header[] {
  const all = [...claims(VIEWER, random), ...(random.chance(0.5) ? claims(["owner", "editor"], random) : [])]
  return random.chance(0.5) ? all : all.reverse()
}

function wrongSecret(random: Random): Header[] {
  const wrong = [
    "",
    SECRET.slice(1),
    SECRET.slice(0, -1),
    `${SECRET}x`,
    SECRET.toUpperCase(),
    "undefined",
    "null",
    "*",
  ]
  const one = (): Header => ["X-Proxy-Secret", random.pick(wrong)]
  return random.pick<Header[]>([
    [],
    [one()],
    [one(), ["X-Proxy-Secret", SECRET]],
    [["X-Proxy-Secret", `${SECRET}, ${SECRET}`]],
  ])
}

function damaged(key: string, random: Random): string {
  const at = random.between(4, key.length - 1)
  const other = random.pick([..."abcXYZ019"].filter((letter) => letter !== key[at]))
  return random.pick([
    key.slice(0, at) + other + key.slice(at + 1),
    key.slice(0, at),
    key + other,
    key.toUpperCase(),
    key.toLowerCase(),
    key.slice(4),
    `${key} ${key}`,
    `"${key}"`,
    `Bearer ${key}`,
    encodeURIComponent(`${key}\0`),
    "ldb_",
    "",
  ])
}

function elsewhere(door: Door, random: Random): Omit<Trial, "kind"> {
  const key = door.owner
  const places: [string, Header[]][] = [
    [`?api_key=${key}`, []],
    [`?X-API-Key=${key}`, []],
    ["", [["Cookie", `X-API-Key=${key}`]]],
    ["", [["Authorization", `Token ${key}`]]],
    ["", [["Authorization", `Basic ${btoa(`${key}:`)}`]]],
    ["", [["X-API-Key-2", key]]],
    ["", [["X_API_Key", key]]],
    ["", [["Proxy-Authorization", `Bearer ${key}`]]],
  ]
  const [query, headers] = random.pick(places)
  return rest(door, random, ["GET", `/leads${query}`], headers)
}

/** Names of headers in any case mean the same. */
function spelled(headers: readonly Header[], random: Random): Header[] {
  return headers.map(([name, value]) => [random.pick([name, name.toLowerCase(), name.toUpperCase()]), value])
}
