// A day's mix of requests at a steady pace: as many leads come as go, so that whatever grows is ours.

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
  async function patiently(send: () => Promise<Response>): Promise<Response> {
    for (let left = 3; ; left--) {
      const response = await send().catch((error) => {
        // The service closes a connection that was idle for 10 s; a client that has not heard of it yet may use it.
        if (error?.code !== "ECONNRESET" || left === 0) throw error
        return undefined
      })
      if (response && (!TOO_BUSY.has(response.status) || left === 0)) return response
      refused++
      await Bun.sleep(1_000 * Number(response?.headers.get("retry-after") ?? 0))
    }
  }

  async function ask(shelf: Shelf, method: string, path: string, body?: object): Promise<unknown> {
    const headers = { "X-API-Key": shelf.key }
    const text = body === undefined ? null : JSON.stringify(body)
    const response = await patiently(() => fetch(target.url + path, { method, headers, body: text }))
    if (response.status >= 300) throw new Error(`${response.status}: ${await response.text()}`)
    const type = response.headers.get("content-type") ?? ""
    if (path.includes("format=")) return (await response.bytes()).length
    return type.includes("json") ? response.json() : response.text()
  }

  async function push(shelf: Shelf): Promise<void> {
    const { id } = (await ask(shelf, "POST", "/leads", newLead(random, ++nth))) as { id: string }
    if (!early.delete(id)) awaited.add(id)
    shelf.size++
    shelf.ids.push(id)
  }

  const chores: Record<Chore, (shelf: Shelf) => Promise<unknown>> = {
    push,
    pushAgain: (shelf) =>
      borrow(shelf, random, async (id) => {
        const { email } = (await ask(shelf, "GET", `/leads/${id}`)) as { email: string }
        await ask(shelf, "POST", "/leads", {
          name: "Pushed again",
          source: "soak",
          email,
          rating: random.between(1, 5),
        })
      }),
    async remove(shelf) {
      const id = take(shelf, random)
      await ask(shelf, "DELETE", `/leads/${id}`)
      shelf.size--
    },
    update: (shelf) =>
      borrow(shelf, random, (id) =>
        ask(shelf, "PUT", `/leads/${id}`, { rating: random.between(10, 50) / 10 }),
      ),
    read: (shelf) => borrow(shelf, random, (id) => ask(shelf, "GET", `/leads/${id}`)),
    list: (shelf) =>
      ask(shelf, "GET", `/leads?filter=and.eq.city.${random.pick(CITIES)}&sort_by=score&limit=20`),
    note: (shelf) =>
      borrow(shelf, random, (id) => ask(shelf, "POST", `/leads/${id}/notes`, { content: "called" })),
    attribute: (shelf) =>
      borrow(shelf, random, (id) =>
        ask(shelf, "POST", `/leads/${id}/attributes`, { name: `a${++nth}`, type: "number", value: nth }),
      ),
    tools: (shelf) => borrow(shelf, random, (id) => callTool(patiently, target.mcpUrl, shelf.key, id)),
    async batch(shelf) {
      const leads = Array.from({ length: BATCH }, () => newLead(random, ++nth))
      const { created } = (await ask(shelf, "POST", "/leads/batch", { leads })) as {
        created: { id: string }[]
      }
      shelf.size += created.length
      shelf.ids.push(...created.map(({ id }) => id))
    },
    export: (shelf) => ask(shelf, "GET", `/leads/export?format=${FORMATS[++nth % 3]}`),
    score: (shelf) => ask(shelf, "POST", "/leads/score/batch"),
    async rule(shelf) {
      const [rule] = (await ask(shelf, "GET", "/scoring-rules")) as { id: string }[]
      await ask(shelf, "PUT", `/scoring-rules/${rule!.id}`, {
        expression: `rating * ${random.between(5, 15)}`,
      })
    },
  }

  for (const shelf of shelves) {
    await ask(shelf, "POST", "/webhooks", { url: hook.url })
    await ask(shelf, "POST", "/scoring-rules", { name: "rating", expression: "rating * 10" })
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

type Send = () => Promise<Response>

async function callTool(
  patiently: (send: Send) => Promise<Response>,
  url: string,
  key: string,
  id: string,
): Promise<void> {
  const params = { name: "get_lead", arguments: { id } }
  const response = await patiently(() =>
    fetch(url, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    }),
  )
  const text = await response.text()
  if (response.status !== 200 || !text.includes('"data"')) throw new Error(`${response.status}: ${text}`)
}
