// Row 7: requests of every route and every tool, right, nearly right and hostile; most of them without sockets, a
// tenth over sockets against a process of its own.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { need } from "../../test/support/ask.ts"
import { createService } from "../../test/support/service.ts"
import { memoryOf } from "./abuse/gauge.ts"
import { idsOf, learn, problemOf, type Received } from "./fuzz/answers.ts"
import type { Known } from "./fuzz/inputs.ts"
import { asRequest, count, fuzzAccount, LEADS, newTally, randomOf, show, type Tally } from "./fuzz/inside.ts"
import { makeRequest } from "./fuzz/requests.ts"
import type { Keys, Sent } from "./fuzz/sent.ts"
import { sendSpoilt } from "./fuzz/spoilt.ts"
import { openInside } from "./in-process.ts"
import { grouped, type Row, type RowOptions, type RowResult, resultOf } from "./row.ts"

// The fuzz over sockets against a process of its own, whose memory is watched.
interface Outside {
  program: readonly string[]
  folder: string
  seed: number
  requests: number
  deadline: number
  told(done: number): void
}

/** Resident megabytes after a third of the requests, and at the end. */
interface Memory {
  warm: number
  end: number
}

const AT_ONCE = 16
const HANG_MS = 1_000

/** Makes requests until there were enough, or time is up. */
async function fuzzOutside(options: Outside, tally: Tally): Promise<Memory> {
  const { program, folder, seed, requests, deadline } = options
  const service = createService({ program, folder })
  await service.start()
  const origins = { rest: new URL(service.url()).origin, mcp: new URL(service.mcpUrl()).origin }
  const keys = await accountOf(service)
  const known: Known = new Map()
  const needed = idsOf(
    await (await fetch(`${service.url()}/api-keys`, { headers: { "X-API-Key": keys.owner } })).text(),
  )
  const memory: Memory = { warm: 0, end: 0 }
  const suspects: Sent[] = []
  let next = 0
  async function work(): Promise<void> {
    while (next < requests && tally.failures.length < 10 && performance.now() < deadline) {
      const nth = next++
      const random = randomOf(seed, nth)
      const sent = makeRequest(random, keys, known)
      const origin = origins[sent.surface]
      if (random.chance(0.2)) await sendSpoilt(origin, sent, random, tally)
      else {
        const began = performance.now()
        learn(known, await sendWhole(origin, sent, tally), needed)
        if (performance.now() - began > tally.hang) suspects.push(sent)
      }
      if (nth === Math.floor(requests / 3)) memory.warm = residentMegabytes(service.pid()!)
      if (nth % 5_000 === 0) options.told(nth)
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    for (const sent of suspects.slice(0, 20)) await askAgain(origins[sent.surface], sent, tally)
    const alive = await fetch(`${origins.rest}/healthz`)
    if (alive.status !== 200) tally.failures.push(`afterwards /healthz answers ${alive.status}`)
    memory.end = residentMegabytes(service.pid()!)
  } finally {
    const code = await service.stop()
    if (code !== 0) tally.failures.push(`the process ended with ${code}`)
  }
  return memory
}

async function accountOf(service: ReturnType<typeof createService>): Promise<Keys> {
  const plan = ["--plan", "enterprise", "--leads-limit", String(LEADS)]
  const made = await service.run(["accounts", "create", "--name", "fuzz", ...plan, "--json"])
  if (made.code !== 0) throw new Error(`accounts create: ${made.err}`)
  const owner = JSON.parse(made.out).api_key
  const make = async (role: string): Promise<string> =>
    (await need({ url: service.url() }, owner, "POST", "/api-keys", { name: role, role })).key
  return {
    owner,
    editor: await make("editor"),
    viewer: await make("viewer"),
    expired: `ldb_${"0".repeat(38)}`,
  }
}

const residentMegabytes = (pid: number) => Math.round(memoryOf(pid) / 1024 ** 2)

async function sendWhole(origin: string, sent: Sent, tally: Tally): Promise<Received> {
  const request = asRequest(sent, origin)
  if (!request) return NOTHING
  let received: Received
  try {
    const response = await fetch(request, { redirect: "manual", signal: AbortSignal.timeout(60_000) })
    received = { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    // A body that is cut or compressed wrongly is the client's own problem; a connection that just ends is ours.
    tally.failures.push(`${show(sent)}: ${error}`)
    return NOTHING
  }
  tally.requests++
  count(tally.statuses, received.status)
  const problem = problemOf(sent, received, false)
  if (problem) tally.failures.push(`${show(sent)}: ${problem}`)
  return received
}

/** A slow answer may be the machine's doing: it is one of ours when it is slow alone, too. */
async function askAgain(origin: string, sent: Sent, tally: Tally): Promise<void> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < 3; i++) {
    const began = performance.now()
    await sendWhole(origin, sent, tally)
    least = Math.min(least, performance.now() - began)
  }
  tally.slowest = Math.max(tally.slowest, least)
  if (least > tally.hang) tally.failures.push(`${show(sent)} takes ${Math.round(least)} ms over a socket`)
}

const NOTHING: Received = { status: 0, headers: new Headers(), text: "" }

const LONG = { inside: 450_000, outside: 150_000, account: 5_000, database: 50_000 }
const SHORT = { inside: 1_600, outside: 150, account: 800, database: 1_600 }
/** How much larger the process may be at the end than after a third of its requests. */
const GROWTH = 1.15

export const fuzz: Row = {
  number: 7,
  name: "fuzz",
  must: ">= 500,000 requests from the schemas: 0 answers of 500, 0 hangs over 1 s, memory flat, answers as documented",
  seconds: 1_800,
  run,
}

async function run(options: RowOptions): Promise<RowResult> {
  const { short, seed, before } = options
  const goal = short ? SHORT : LONG
  const deadline = performance.now() + options.seconds * 1_000
  const tally = newTally(short ? undefined : HANG_MS)
  let done = before.inside ?? 0
  while (done < goal.inside && performance.now() < deadline && tally.failures.length === 0) {
    await using service = await openInside(options.folder)
    for (
      let of = 0;
      of < goal.database && done < goal.inside && performance.now() < deadline;
      of += goal.account
    ) {
      await fuzzAccount(service, seed, done, goal.account, tally)
      done += goal.account
      options.keep({ inside: done })
      options.progress(`${done} of ${goal.inside} requests without sockets`)
    }
    tally.failures.push(...service.defects)
  }
  const folder = join(options.folder, "outside")
  mkdirSync(folder)
  const memory = await fuzzOutside(
    {
      program: options.program,
      folder,
      seed: seed + 1,
      requests: goal.outside,
      deadline,
      told: (sent) => options.progress(`${sent} of ${goal.outside} requests over sockets`),
    },
    tally,
  )
  return summary(tally, (before.inside ?? 0) + tally.requests, goal.inside + goal.outside, memory, short)
}

function summary(tally: Tally, requests: number, goal: number, memory: Memory, short: boolean): RowResult {
  const { failures, statuses, slowest, checked } = tally
  const isFlat = short || memory.end <= memory.warm * GROWTH
  if (!isFlat) failures.push(`the process grew from ${memory.warm} to ${memory.end} MB`)
  // Some cannot be said with fetch at all.
  const isEnough = requests >= goal * 0.97
  const by = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${grouped(times)}`)
  const seen =
    `${grouped(requests)} requests (${by.join(", ")}), ${grouped(checked)} answers held ` +
    `against the OpenAPI document; 0 of 500, slowest ${Math.round(slowest)} ms; memory ${memory.warm} MB after a third, ` +
    `${memory.end} MB at the end`
  const numbers = { requests, checked, slowest, warm_mb: memory.warm, end_mb: memory.end }
  return resultOf(failures, seen, numbers, isEnough)
}
