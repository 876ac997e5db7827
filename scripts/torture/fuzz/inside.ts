// The fuzz without sockets: sixteen requests under way at a time, a new account every few thousand.
import { createRandom } from "../../seed/random.ts"
import { ask } from "../ask.ts"
import { type Inside, MCP, REST, type Tenant } from "../in-process.ts"
import { idsOf, learn, problemOf, type Received } from "./answers.ts"
import type { Known } from "./inputs.ts"
import { makeRequest } from "./requests.ts"
import type { Keys, Sent } from "./sent.ts"
import { shrink } from "./shrink.ts"

export interface Tally {
  hang: number
  requests: number
  /** Answers by status. */
  statuses: Map<number, number>
  /** Requests by operation. */
  about: Map<string, number>
  /** Milliseconds of the slowest request that was as slow when it was asked again alone. */
  slowest: number
  checked: number
  failures: string[]
}

/** `hang` are the milliseconds from which an answer counts as one that hangs: without it only what never ends is one. */
export function newTally(hang = Number.POSITIVE_INFINITY): Tally {
  return { hang, requests: 0, statuses: new Map(), about: new Map(), slowest: 0, checked: 0, failures: [] }
}

/** Leads that an account of the fuzz may keep: enough to find some, few enough for quick exports. */
export const LEADS = 40
const AT_ONCE = 16
/** Every how many answers one is held against the OpenAPI document. */
const SAMPLE = 5

/** Makes `count` requests for one new account; the first is the `from`th of the seed. */
export async function fuzzAccount(
  service: Inside,
  seed: number,
  from: number,
  count: number,
  tally: Tally,
): Promise<void> {
  const tenant = await service.addTenant(LEADS)
  const keys = await keysOf(service, tenant)
  const known: Known = new Map()
  const { body } = await ask(service, tenant.key, "rest", "list_api_keys", {})
  const needed = idsOf(JSON.stringify(body))
  const suspects: [Sent, number][] = []
  let next = from
  async function work(): Promise<void> {
    while (next < from + count && tally.failures.length < 10) {
      const nth = next++
      await fuzzOne(service, { seed, nth, keys, known, needed }, tally, suspects)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  for (const [sent, nth] of suspects.slice(0, 20)) await askAgain(service, sent, nth, tally)
}

async function keysOf(service: Inside, { key: owner }: Tenant): Promise<Keys> {
  const make = async (body: Record<string, unknown>): Promise<string> =>
    (await ask(service, owner, "rest", "create_api_key", body)).body.key
  const soon = Math.floor(Date.now() / 1_000) + 1
  return {
    owner,
    editor: await make({ name: "editor", role: "editor" }),
    viewer: await make({ name: "viewer", role: "viewer" }),
    expired: await make({ name: "expired", expires_at: soon }),
  }
}

interface One {
  seed: number
  nth: number
  keys: Keys
  known: Known
  needed: ReadonlySet<string>
}

/** The random numbers of the `nth` request. */
export function randomOf(seed: number, nth: number) {
  return createRandom(seed * 2 ** 32 + nth)
}

async function fuzzOne(
  service: Inside,
  { seed, nth, keys, known, needed }: One,
  tally: Tally,
  suspects: [Sent, number][],
): Promise<void> {
  const sent = makeRequest(randomOf(seed, nth), keys, known)
  const started = performance.now()
  const received = await exchange(service, sent, nth)
  const took = performance.now() - started
  tally.requests++
  if (!received) return
  count(tally.statuses, received.status)
  count(tally.about, sent.about)
  const isChecked = nth % SAMPLE === 0
  if (isChecked) tally.checked++
  const problem = problemOf(sent, received, isChecked) ?? service.defects.shift() ?? idle(sent, received)
  if (problem)
    tally.failures.push(`request ${nth} of seed ${seed}, ${await smallest(service, sent, nth)}: ${problem}`)
  else if (took > tally.hang) suspects.push([sent, nth])
  learn(known, received, needed)
}

/** Nothing here is ever too busy to answer. */
function idle({ target }: Sent, { status, text }: Received): string | undefined {
  return status === 503 && !target.startsWith("/readyz") ? `503 ${text}` : undefined
}

/** The request as small as it can be and still be answered wrongly; as it was when it is not any more. */
async function smallest(service: Inside, sent: Sent, nth: number): Promise<string> {
  const least = await shrink(sent, async (smaller) => {
    const received = await exchange(service, smaller, nth)
    const isWrong = received !== undefined && problemOf(smaller, received, true) !== undefined
    return isWrong || service.defects.splice(0).length > 0
  })
  return show(least)
}

/** A slow answer may be the machine's doing: it is one of ours when it is slow alone, too. */
async function askAgain(service: Inside, sent: Sent, nth: number, tally: Tally): Promise<void> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < 3; i++) {
    const started = performance.now()
    await exchange(service, sent, nth)
    least = Math.min(least, performance.now() - started)
  }
  tally.slowest = Math.max(tally.slowest, least)
  if (least > tally.hang) tally.failures.push(`${show(sent)} takes ${Math.round(least)} ms`)
}

/** Undefined when the platform itself does not let such a request be made. */
async function exchange(service: Inside, sent: Sent, nth: number): Promise<Received | undefined> {
  const request = asRequest(sent, sent.surface === "rest" ? new URL(REST).origin : new URL(MCP).origin)
  if (!request) return undefined
  // Failed sign-ins are limited by address.
  const response = await service.fetch(request, `10.0.${Math.floor(nth / 250) % 250}.${nth % 250}`)
  const { status, headers } = response
  if (headers.get("content-type")?.startsWith("text/event-stream")) {
    await response.body?.cancel()
    return { status, headers, text: "" }
  }
  return { status, headers, text: await response.text() }
}

/** The request, when fetch can say it. */
export function asRequest(
  { method, target, headers, body, surface }: Sent,
  origin: string,
): Request | undefined {
  try {
    const all = new Headers(headers)
    if (surface === "mcp") all.set("Host", new URL(origin).host)
    const isBare = method === "GET" || method === "HEAD"
    return new Request(origin + target, { method, headers: all, ...(body && !isBare && { body }) })
  } catch {
    return undefined
  }
}

export function show({ method, target, headers, body }: Sent): string {
  const text = body ? ` ${new TextDecoder().decode(body).slice(0, 600)}` : ""
  return `${method} ${target.slice(0, 300)} ${JSON.stringify(headers.filter(([name]) => !/key|authorization/i.test(name)))}${text}`
}

export function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
