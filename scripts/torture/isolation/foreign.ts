// The same request twice: with ids of another account, and with ids that nothing has. The answers must not differ in
// a byte.

import { operations } from "../../../src/domain/operations/index.ts"
import { createRandom, type Random } from "../../seed/random.ts"
import { type Args, confirmed, countRoutes, restRequest } from "../ask.ts"
import { toolRequest } from "../call-tool.ts"
import { inputFor, type Node, spoil } from "../fuzz/inputs.ts"
import { type Inside, MCP } from "../in-process.ts"
import { type Estate, NOUNS, type Noun } from "./estates.ts"

/** What the ids of an operation are ids of. */
interface Case {
  name: string
  kinds: Record<string, Noun>
  /** The rest of a right request. */
  args: Args
  input: Node
  isTool: boolean
}

/**
 * What an estate has none of yet: their foreign ids are compared with missing ones in test/rest/access.test.ts alone. A
 * company's id is made of its domain, and the same in each account.
 */
const ELSEWHERE = /^\/(forms|imports|duplicates|merges|import-mappings|companies)\//

/** What an account puts at keys of its own, whatever others have. */
const OWN_KEYS = new Set(["email", "source_id", "attribute"])

/** Operations whose ids stand in the body. */
const IN_BODY: Record<string, Record<string, Noun>> = {
  create_lead_tag: { id: "leads" },
  batch_update_leads: { ids: "leads" },
  batch_delete_leads: { ids: "leads" },
  preview_scoring_rule: { lead_id: "leads" },
  render_template: { lead_id: "leads" },
}

/** Where the operation's example names no body, or more things than the ids. */
const ARGS: Record<string, Args> = {
  create_lead_tag: { tag: "x" },
  preview_scoring_rule: { expression: "1" },
  set_lead_company: { company_id: null },
}

/** Every operation that takes the id of something. */
export const CASES: readonly Case[] = operations.flatMap(
  ({ name, access, http, tool, input, toolInput, example }) => {
    // Routes without a key take a signed text, not an id.
    if (access === "open") return []
    const [route = ""] = [http ?? []].flat()
    const path = route.slice(route.indexOf(" ") + 1)
    if (ELSEWHERE.test(path)) return []
    const kinds: Record<string, Noun> = { ...IN_BODY[name] }
    for (const [, part = ""] of path.matchAll(/:(\w+)/g)) {
      if (part === "lead_id") kinds[part] = "leads"
      else if (part === "delivery_id") kinds[part] = "deliveries"
      else if (!OWN_KEYS.has(part)) kinds[part] = nounOf(path)
    }
    if (Object.keys(kinds).length === 0) return []
    return {
      name,
      kinds,
      args: ARGS[name] ?? (example?.body as Args | undefined) ?? {},
      input: (toolInput ?? input) as unknown as Node,
      // A tool with an input of its own takes other arguments than the route.
      isTool: tool !== undefined && tool.set === undefined && tool.input === undefined,
    }
  },
)

function nounOf(path: string): Noun {
  const word = path.includes("/attributes/:id") ? "attributes" : path.split("/")[1]
  const noun = NOUNS.find((one) => one === word)
  if (!noun) throw new Error(`make one of what the ids of ${path} are of in estates.ts`)
  return noun
}

/** Compares `count` requests of an account with ids of another one; every operation and way has its turn. */
export async function compareForeign(
  service: Inside,
  own: Estate,
  other: Estate,
  { seed, count }: { seed: number; count: number },
): Promise<{ compared: number; differences: string[] }> {
  const differences: string[] = []
  const ways = CASES.flatMap((one) => [
    ...Array.from({ length: countRoutes(one.name) }, (_, nth) => ({ one, route: nth })),
    ...(one.isTool ? [{ one, route: undefined }] : []),
  ])
  for (let nth = 0; nth < count; nth++) {
    const { one, route } = ways[nth % ways.length]!
    const difference = await compareOne(service, own, other, one, route, seed * 1e6 + nth)
    if (difference) differences.push(difference)
    if (differences.length >= 5) break
  }
  return { compared: count, differences }
}

async function compareOne(
  service: Inside,
  own: Estate,
  other: Estate,
  one: Case,
  route: number | undefined,
  seed: number,
) {
  const [foreign, missing] = [true, false].map((isForeign) => {
    const random = createRandom(seed)
    const ids = chooseIds(random, one, own, other, isForeign)
    return { ids, args: { ...restOf(random, one), ...ids } }
  })
  const told = await answerTo(service, own, one, route, foreign!)
  const silent = await answerTo(service, own, one, route, missing!)
  if (told === silent) return undefined
  return `${one.name} (${route === undefined ? "tool" : `route ${route}`}) with ${JSON.stringify(foreign!.args)}:\n${told}\nand ${JSON.stringify(missing!.args)}:\n${silent}`
}

type Ids = Record<string, string | string[]>

/** Ids of another account, or like them; of two ids, the first may be one's own. */
function chooseIds(random: Random, { kinds }: Case, own: Estate, other: Estate, isForeign: boolean): Ids {
  const names = Object.keys(kinds)
  const isOwnFirst = names.length > 1 && random.chance(0.5)
  const isGone = random.chance(0.1)
  const ids: Ids = {}
  for (const [i, name] of names.entries()) {
    const kind = kinds[name] === "leads" && isGone ? "gone" : kinds[name]!
    const id = isForeign ? other.ids[kind] : missingLike(random, other.ids[kind])
    // The same draws for both, so that the rest of the request is the same.
    if (isForeign) missingLike(random, id)
    const chosen = isOwnFirst && i === 0 ? own.ids[kinds[name]!] : id
    ids[name] = name === "ids" ? [chosen, chosen] : chosen
  }
  return ids
}

/** An id of the same form that nothing has: the same with other digits at its end. */
function missingLike(random: Random, id: string): string {
  const digits = Array.from({ length: 6 }, () => random.below(16).toString(16)).join("")
  return id.slice(0, -6) + (id.endsWith(digits) ? "000000" : digits)
}

/** What stands beside the ids: right, or made from the schema and spoilt. */
function restOf(random: Random, { args, input, kinds }: Case): Args {
  if (random.chance(0.4)) return args
  const made = inputFor(random, input, new Map()) as Record<string, unknown>
  const spoilt = random.chance(0.3) ? spoil(random, made, new Map()) : made
  const isObject = typeof spoilt === "object" && spoilt !== null && !Array.isArray(spoilt)
  const rest = { ...(isObject ? (spoilt as Record<string, unknown>) : args) }
  for (const name of Object.keys(kinds)) delete rest[name]
  return rest
}

const OWN_HEADERS = ["x-request-id", "date"]

/** All of an answer as a text, without what is each request's own. */
async function answerTo(
  service: Inside,
  { key }: Estate,
  { name }: Case,
  route: number | undefined,
  { ids, args }: { ids: Ids; args: Args },
): Promise<string> {
  const request =
    route === undefined ? toolRequest(key, name, confirmed(name, args)) : restRequest(key, name, args, route)
  const response = await service.fetch(request)
  const headers = [...response.headers].filter(([name]) => !OWN_HEADERS.includes(name))
  const text = await response.text()
  const hidden = Object.values(ids)
    .flat()
    .reduce((all, id) => all.replaceAll(id, "the id"), text)
    // Each request that changes many is given an id of its own.
    .replace(/(batch_id\\?":\\?")[^"\\]+/g, "$1its own")
    // The tags around texts of leads are random.
    .replace(/<(\/?)data-[0-9a-f]+>/g, "<$1data>")
  return `${response.status} ${JSON.stringify(headers)} ${hidden}`
}

/** The same for a lead read as a resource. */
export async function compareResource(service: Inside, own: Estate, other: Estate): Promise<string[]> {
  const read = async (id: string) => {
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "resources/read",
      params: { uri: `leads://${id}` },
    })
    const headers = {
      Authorization: `Bearer ${own.key}`,
      "Content-Type": "application/json",
      Host: new URL(MCP).host,
    }
    const response = await service.fetch(new Request(MCP, { method: "POST", headers, body }))
    return `${response.status} ${(await response.text()).replaceAll(id, "the id")}`
  }
  const told = await read(other.ids.leads)
  const silent = await read(missingLike(createRandom(1), other.ids.leads))
  return told === silent ? [] : [`resources/read: ${told} and ${silent}`]
}
