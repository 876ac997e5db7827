// The fuzz of one account: sixteen requests under way at a time, to a service in this process or to one behind sockets.
import { createRandom, type Random } from "../../seed/random.ts"
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
  /** Milliseconds of the slowest request that was as slow when it was asked again alone. */
  slowest: number
  checked: number
  failures: string[]
}

/** `hang` are the milliseconds from which an answer counts as one that hangs: without it only what never ends is one. */
export function newTally(hang = Number.POSITIVE_INFINITY): Tally {
  return { hang, requests: 0, statuses: new Map(), slowest: 0, checked: 0, failures: [] }
}

/** A service to send requests to. */
export interface Target {
  /** Undefined when the platform itself does not let such a request be made; status 0 when no answer came. */
  exchange(sent: Sent, nth: number): Promise<Received | undefined>
  /** A finding beside the answer, such as an error in the log. */
  problem(sent?: Sent, received?: Received): string | undefined
  /** Every how many answers one is held against the OpenAPI document; none without it. */
  sample?: number
  /** Sends some of the requests with a mistake in their framing; says whether it did. */
  spoil?(sent: Sent, random: Random): Promise<boolean>
}

interface Requests {
  seed: number
  /** The first of them is the `from`th of the seed. */
  from: number
  count: number
  /** Whether it is time to end. */
  isOver?(): boolean
  /** Called before each. */
  told?(nth: number): void
}

/** Leads that an account of the fuzz may keep: enough to find some, few enough for quick exports. */
export const LEADS = 40
const AT_ONCE = 16
const FAILURES_MAX = 10

/** Makes the keys of an account of the fuzz: `create` makes one, and `list` gives all as JSON text. */
export async function keysOf(
  owner: string,
  create: (body: Record<string, unknown>) => Promise<{ key: string }>,
  list: () => Promise<string>,
): Promise<{ keys: Keys; needed: ReadonlySet<string> }> {
  const make = async (name: string, more: object) => (await create({ name, ...more })).key
  const keys = {
    owner,
    editor: await make("editor", { role: "editor" }),
    viewer: await make("viewer", { role: "viewer" }),
    expired: await make("expired", { expires_at: Math.floor(Date.now() / 1_000) + 1 }),
  }
  return { keys, needed: idsOf(await list()) }
}

/** Makes requests for one account and adds to the tally what comes of them. */
export async function fuzz(
  target: Target,
  { keys, needed }: Awaited<ReturnType<typeof keysOf>>,
  { seed, from, count, isOver = () => false, told }: Requests,
  tally: Tally,
): Promise<void> {
  const known: Known = new Map()
  const suspects: [Sent, number][] = []
  let next = from

  async function one(nth: number): Promise<void> {
    const random = createRandom(seed * 2 ** 32 + nth)
    const sent = makeRequest(random, keys, known)
    if (await target.spoil?.(sent, random)) return
    const started = performance.now()
    const received = await target.exchange(sent, nth)
    const took = performance.now() - started
    if (received === undefined) return
    tally.requests++
    tally.statuses.set(received.status, (tally.statuses.get(received.status) ?? 0) + 1)
    const isChecked = target.sample !== undefined && nth % target.sample === 0
    if (isChecked) tally.checked++
    const problem = problemOf(sent, received, isChecked) ?? target.problem(sent, received)
    if (problem)
      tally.failures.push(`request ${nth} of seed ${seed}, ${await smallest(target, sent, nth)}: ${problem}`)
    else if (took > tally.hang) suspects.push([sent, nth])
    learn(known, received, needed)
  }

  async function work(): Promise<void> {
    while (next < from + count && tally.failures.length < FAILURES_MAX && !isOver()) {
      told?.(next)
      await one(next++)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  for (const [sent, nth] of suspects.slice(0, 20)) await askAgain(target, sent, nth, tally)
}

/** The request as small as it can be and still be answered wrongly; as it was when it is not any more. */
async function smallest(target: Target, sent: Sent, nth: number): Promise<string> {
  const least = await shrink(sent, async (smaller) => {
    const received = await target.exchange(smaller, nth)
    const isWrong =
      received !== undefined && problemOf(smaller, received, target.sample !== undefined) !== undefined
    return target.problem() !== undefined || isWrong
  })
  return show(least)
}

/** A slow answer may be the machine's doing: it is one of ours when it is slow alone, too. */
async function askAgain(target: Target, sent: Sent, nth: number, tally: Tally): Promise<void> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < 3; i++) {
    const started = performance.now()
    await target.exchange(sent, nth)
    least = Math.min(least, performance.now() - started)
  }
  tally.slowest = Math.max(tally.slowest, least)
  if (least > tally.hang) tally.failures.push(`${show(sent)} takes ${Math.round(least)} ms`)
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

function show({ method, target, headers, body }: Sent): string {
  const text = body ? ` ${new TextDecoder().decode(body).slice(0, 600)}` : ""
  return `${method} ${target.slice(0, 300)} ${JSON.stringify(headers.filter(([name]) => !/key|authorization/i.test(name)))}${text}`
}
