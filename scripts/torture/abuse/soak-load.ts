// A day's mix of requests at a steady pace: as many leads come as go, so that whatever grows is ours.

import type { Answer } from "../../../test/support/answer.ts"
import { ask as send } from "../../../test/support/ask.ts"
import { openHook } from "../../../test/support/hook.ts"
import { createRandom, type Random } from "../../seed/random.ts"

interface Target {
  url: string
  mcpUrl: string
  keys: readonly string[]
}

export interface Load {
  /** Stops asking, and waits for what is under way and for the last events. */
  stop(): Promise<void>
  counts: Record<string, number>
  /** What went wrong, at most a hundred. */
  errors: string[]
  /** Events of created leads that have not arrived yet. */
  missing(): number
  events(): number
  /** Requests that were refused for a while, or met a connection that was being closed, and were sent again. */
  refused(): number
  /** Leads that each account must have now. */
  leads(): number[]
}

/** What one account has, as far as its clients know. Leads in use are taken out. */
interface Shelf {
  key: string
  ids: string[]
  size: number
}

type Request = [method: string, path: string, body?: object, headers?: Record<string, string>]

/** How often each thing is done in a second, at pace 1. */
const PACE = {
  push: 16,
  pushAgain: 4,
  remove: 22,
  update: 10,
  read: 40,
  list: 20,
  note: 3,
  attribute: 3,
  tools: 6,
  batch: 0.1,
  export: 1 / 15,
  score: 1 / 30,
  rule: 1 / 60,
} as const
type Chore = keyof typeof PACE

const CITIES = ["Berlin", "Hamburg", "Leipzig", "Köln", "Bremen"]
const FORMATS = ["csv", "json", "xlsx"]
/** Answers of a service, or of an account's share of it, that has more to do than its machine gives it time for. */
const TOO_BUSY: ReadonlySet<number> = new Set([429, 503])
const BATCH = 60
/** How long a busy machine may take to answer and to deliver what is left. */
const PATIENCE_MS = 120_000

/** Fills each account with so many leads and begins. */
export async function startLoad(target: Target, fill: number, pace: number, seed: number): Promise<Load> {
  const random = createRandom(seed)
  const counts: Record<string, number> = {}
  const errors: string[] = []
  const awaited = new Set<string>()
  const early = new Set<string>()
  const shelves = target.keys.map((key): Shelf => ({ key, ids: [], size: 0 }))
  let events = 0
  let refused = 0
  let nth = 0
  const hook = openHook(({ event, json }) => {
    events++
    hook.hits.length = 0
    if (event === "lead.created" && !awaited.delete(json.data.id)) early.add(json.data.id)
    return 200
  })

  /** Others may leave this machine no time at all: clients come back when they are told to. */
  async function ask(url: string, { key }: Shelf, ...asked: Request): Promise<Answer["body"]> {
    for (let left = 3; ; left--) {
      const answer = await send({ url }, key, ...asked).catch((error) => {
        // The service closes a connection that was idle for 10 s; a client that has not heard of it yet may use it.
        if (error?.code !== "ECONNRESET" || left === 0) throw error
        return undefined
      })
      if (answer && answer.status < 300) return answer.body
      if (answer && (!TOO_BUSY.has(answer.status) || left === 0))
        throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`)
      refused++
      await Bun.sleep(1_000 * Number(answer?.headers.get("retry-after") ?? 0))
    }
  }
  const rest = (shelf: Shelf, method: string, path: string, body?: object) =>
    ask(target.url, shelf, method, path, body)

  async function push(shelf: Shelf): Promise<void> {
    const { id } = await rest(shelf, "POST", "/leads", newLead(random, ++nth))
    if (!early.delete(id)) awaited.add(id)
    shelf.size++
    shelf.ids.push(id)
  }

  const chores: Record<Chore, (shelf: Shelf) => Promise<unknown>> = {
    push,
    pushAgain: (shelf) =>
      borrow(shelf, random, async (id) => {
        const { email } = await rest(shelf, "GET", `/leads/${id}`)
        await rest(shelf, "POST", "/leads", {
          name: "Pushed again",
          source: "soak",
          email,
          rating: random.between(1, 5),
        })
      }),
    async remove(shelf) {
      const id = take(shelf, random)
      await rest(shelf, "DELETE", `/leads/${id}`)
      shelf.size--
    },
    update: (shelf) =>
      borrow(shelf, random, (id) =>
        rest(shelf, "PUT", `/leads/${id}`, { rating: random.between(10, 50) / 10 }),
      ),
    read: (shelf) => borrow(shelf, random, (id) => rest(shelf, "GET", `/leads/${id}`)),
    list: (shelf) =>
      rest(shelf, "GET", `/leads?filter=and.eq.city.${random.pick(CITIES)}&sort_by=score&limit=20`),
    note: (shelf) =>
      borrow(shelf, random, (id) => rest(shelf, "POST", `/leads/${id}/notes`, { content: "called" })),
    attribute: (shelf) =>
      borrow(shelf, random, (id) =>
        rest(shelf, "POST", `/leads/${id}/attributes`, { name: `a${++nth}`, type: "number", value: nth }),
      ),
    tools: (shelf) =>
      borrow(shelf, random, async (id) => {
        const params = { name: "get_lead", arguments: { id } }
        const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params }
        const accept = { Accept: "application/json, text/event-stream" }
        const { result } = await ask(target.mcpUrl, shelf, "POST", "", message, accept)
        if (!result?.structuredContent?.data) throw new Error(`get_lead: ${JSON.stringify(result)}`)
      }),
    async batch(shelf) {
      const leads = Array.from({ length: BATCH }, () => newLead(random, ++nth))
      const { created } = await rest(shelf, "POST", "/leads/batch", { leads })
      shelf.size += created.length
      shelf.ids.push(...created.map(({ id }: { id: string }) => id))
    },
    export: (shelf) => rest(shelf, "GET", `/leads/export?format=${FORMATS[++nth % 3]}`),
    score: (shelf) => rest(shelf, "POST", "/leads/score/batch"),
    async rule(shelf) {
      const [rule] = await rest(shelf, "GET", "/scoring-rules")
      await rest(shelf, "PUT", `/scoring-rules/${rule.id}`, {
        expression: `rating * ${random.between(5, 15)}`,
      })
    },
  }

  for (const shelf of shelves) {
    await rest(shelf, "POST", "/webhooks", { url: hook.url })
    await rest(shelf, "POST", "/scoring-rules", { name: "rating", expression: "rating * 10" })
    while (shelf.size < fill) await chores.batch(shelf)
  }

  let under = 0
  const began = performance.now()
  const due = Object.fromEntries(Object.keys(PACE).map((name) => [name, 0]))
  const timer = setInterval(() => {
    const passed = (performance.now() - began) / 1_000
    for (const [name, rate] of Object.entries(PACE) as [Chore, number][]) {
      for (; due[name]! < passed * rate * pace; due[name]!++) void perform(name)
    }
  }, 20)

  async function perform(name: Chore): Promise<void> {
    under++
    try {
      await chores[name](random.pick(shelves))
      counts[name] = (counts[name] ?? 0) + 1
    } catch (error) {
      if (errors.length < 100) errors.push(`${name}: ${error instanceof Error ? error.message : error}`)
    } finally {
      under--
    }
  }

  return {
    counts,
    errors,
    missing: () => awaited.size,
    events: () => events,
    refused: () => refused,
    leads: () => shelves.map(({ size }) => size),
    async stop() {
      clearInterval(timer)
      for (const end = performance.now() + PATIENCE_MS; performance.now() < end; ) {
        if (under === 0 && awaited.size === 0) break
        await Bun.sleep(50)
      }
      hook.close()
    },
  }
}

function newLead(random: Random, nth: number): object {
  return {
    name: `Lead ${nth}`,
    source: "soak",
    email: `lead${nth}@soak.example`,
    city: random.pick(CITIES),
    rating: random.between(10, 50) / 10,
    tags: [`t${nth % 20}`],
    description: "d".repeat(random.between(0, 600)),
    attributes: [{ name: "seats", type: "number", value: nth % 100 }],
  }
}

function take({ ids }: Shelf, random: Random): string {
  const at = random.between(0, ids.length - 1)
  const id = ids[at]!
  ids[at] = ids.at(-1)!
  ids.pop()
  return id
}

/** Nobody deletes a lead while another looks at it. */
async function borrow(shelf: Shelf, random: Random, work: (id: string) => Promise<unknown>): Promise<void> {
  const id = take(shelf, random)
  try {
    await work(id)
  } finally {
    shelf.ids.push(id)
  }
}
