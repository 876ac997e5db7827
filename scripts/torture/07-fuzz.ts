// Row 7: requests of every route and every tool, right, nearly right and hostile; most of them without sockets, a
// tenth over sockets against a process of its own.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { need } from "../../test/support/ask.ts"
import { createService } from "../../test/support/service.ts"
import { memoryOf } from "./abuse/gauge.ts"
import { newAccount } from "./abuse/place.ts"
import { fuzzAccount } from "./fuzz/inside.ts"
import { asRequest, fuzz as fuzzAt, keysOf, LEADS, newTally, type Tally, type Target } from "./fuzz/loop.ts"
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

const HANG_MS = 1_000
const PATIENCE_MS = 60_000

/** Makes requests until there were enough, or time is up. */
async function fuzzOutside(options: Outside, tally: Tally): Promise<Memory> {
  const { program, folder, seed, requests, deadline, told } = options
  const service = createService({ program, folder })
  await service.start()
  const origins = { rest: new URL(service.url()).origin, mcp: new URL(service.mcpUrl()).origin }
  const owner = await newAccount(service, LEADS)
  const call = (method: string, path: string, body?: object) =>
    need({ url: service.url() }, owner, method, path, body)
  const keys = await keysOf(
    owner,
    (body) => call("POST", "/api-keys", body),
    async () => JSON.stringify(await call("GET", "/api-keys")),
  )
  const memory: Memory = { warm: 0, end: 0 }
  const residentMegabytes = () => Math.round(memoryOf(service.pid()!) / 1024 ** 2)
  const target: Target = {
    async exchange(sent) {
      const request = asRequest(sent, origins[sent.surface])
      if (!request) return undefined
      const init = { redirect: "manual", signal: AbortSignal.timeout(PATIENCE_MS) } as const
      try {
        const response = await fetch(request, init)
        return { status: response.status, headers: response.headers, text: await response.text() }
      } catch (error) {
        return { status: 0, headers: new Headers(), text: String(error) }
      }
    },
    problem: () => undefined,
    async spoil(sent, random) {
      const isSpoilt = random.chance(0.2)
      if (isSpoilt) await sendSpoilt(origins[sent.surface], sent, random, tally)
      return isSpoilt
    },
  }
  try {
    const isOver = () => performance.now() > deadline
    await fuzzAt(
      target,
      keys,
      {
        ...{ seed, from: 0, count: requests, isOver },
        told(nth) {
          if (nth === Math.floor(requests / 3)) memory.warm = residentMegabytes()
          if (nth % 5_000 === 0) told(nth)
        },
      },
      tally,
    )
    const alive = await fetch(`${origins.rest}/healthz`)
    if (alive.status !== 200) tally.failures.push(`afterwards /healthz answers ${alive.status}`)
    memory.end = residentMegabytes()
  } finally {
    const code = await service.stop()
    if (code !== 0) tally.failures.push(`the process ended with ${code}`)
  }
  return memory
}

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
