// The machine's clock is set a day forward and back, again and again, while deliveries wait and a limit holds.
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { openHook } from "../../test/support/hook.ts"
import { createService, type Service } from "../../test/support/service.ts"
import { createRandom, type Random } from "../seed/random.ts"
import { newAccount } from "./abuse/place.ts"
import type { Row, RowOptions, RowResult } from "./row.ts"

const FAKETIME = [
  "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
  "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
].find(existsSync)
const DAY_S = 86_400
const WINDOW_MS = 600_000
/** Requests in ten minutes that one account may make. */
const LIMIT = 40
/** An event whose first attempt fails waits 5 s, give or take a fifth; the rest is for a busy machine. */
const LATEST_MS = 30_000

export const clockJumps: Row = {
  number: 15,
  name: "clock-jumps",
  must: "clock jumps of a day either way: no lost or stuck delivery, never more than N requests in 10 true minutes",
  seconds: 1_500,
  run,
}

async function run(options: RowOptions): Promise<RowResult> {
  if (FAKETIME === undefined) {
    return { ok: true, result: "skipped: libfaketime is not on this machine", numbers: { skipped: 1 } }
  }
  const offset = join(options.folder, "offset")
  writeFileSync(offset, "+0\n")
  const service = createService({
    program: options.program,
    folder: options.folder,
    // Monotonic time is left alone, as a clock that is set leaves it; the file is read again each second.
    env: {
      LD_PRELOAD: FAKETIME,
      FAKETIME_TIMESTAMP_FILE: offset,
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      FAKETIME_CACHE_DURATION: "1",
    },
  })
  await service.start()
  try {
    return await jump(options, service, (days) =>
      writeFileSync(offset, `${days < 0 ? "" : "+"}${days * DAY_S}\n`),
    )
  } finally {
    await service.kill()
  }
}

/** An event: when its lead was created, how often it came, when it was taken. */
interface Event {
  made: number
  times: number
  taken?: number
}

async function jump(
  options: RowOptions,
  service: Service,
  setClock: (days: number) => void,
): Promise<RowResult> {
  const random = createRandom(options.seed)
  const events = new Map<string, Event>()
  const hook = openHook(({ json }) => {
    const event = events.get(json.data.source_id)!
    hook.hits.length = 0
    // One in three is refused at first, and waits for its second attempt while the clock jumps.
    if (++event.times === 1 && Number(json.data.source_id) % 3 === 0) return 500
    event.taken ??= performance.now()
    return 200
  })
  try {
    const limited = await newAccount(service, "free")
    await setLimit(service, limited)
    await ask(service, service.key(), "POST", "/webhooks", { url: hook.url, events: ["lead.created"] })
    const allowed: number[] = []
    const refused: number[] = []
    const end = performance.now() + options.seconds * 1_000
    const jumps = await jumping(options, random, end, setClock, async () => {
      const id = String(events.size)
      events.set(id, { made: performance.now(), times: 0 })
      await ask(service, service.key(), "POST", "/leads", {
        name: `Lead ${id}`,
        source: "clock",
        source_id: id,
      })
      const { status, headers } = await ask(service, limited, "GET", "/leads?limit=1")
      ;(status === 200 ? allowed : refused).push(performance.now())
      if (status === 429 && !(Number(headers.get("retry-after")) <= 600))
        throw new Error("Retry-After is too long")
    })
    const late = performance.now() + LATEST_MS
    while ([...events.values()].some(({ taken }) => taken === undefined) && performance.now() < late)
      await Bun.sleep(100)
    return judge(options, { events: [...events.values()], allowed, refused, jumps })
  } finally {
    hook.close()
  }
}

/** Works, and every few seconds sets the clock: a day forward, a day back, or to what it is. */
async function jumping(
  { progress, short }: RowOptions,
  random: Random,
  end: number,
  setClock: (days: number) => void,
  work: () => Promise<void>,
): Promise<number> {
  let days = 0
  let jumps = 0
  let next = performance.now() + 1_500
  while (performance.now() < end) {
    if (performance.now() > next) {
      const other = [-2, -1, 0, 1, 2].filter((value) => Math.abs(value - days) === 1)
      days = random.pick(other)
      setClock(days)
      jumps++
      next += short ? 2_000 : random.between(2_000, 12_000)
      if (!short && jumps % 20 === 0) progress(`${jumps} jumps`)
    }
    await work()
    await Bun.sleep(short ? 30 : 250)
  }
  return jumps
}

interface Seen {
  events: Event[]
  /** When requests were allowed and refused. */
  allowed: number[]
  refused: number[]
  jumps: number
}

function judge({ short, seconds }: RowOptions, { events, allowed, refused, jumps }: Seen): RowResult {
  const lost = events.filter(({ taken }) => taken === undefined).length
  const slowest = Math.max(...events.map(({ made, taken = Number.NaN }) => taken - made))
  const doubled = events.filter(({ times, taken }, i) => taken && times > (i % 3 === 0 ? 2 : 1)).length
  const most = Math.max(
    ...allowed.map((from) => allowed.filter((at) => at >= from && at < from + WINDOW_MS).length),
  )
  // Asked all the time, the account gets all it may have, and again when the first ten minutes are over.
  const due = LIMIT * (1 + Math.floor((seconds * 1_000 - 30_000) / WINDOW_MS))
  const isOpen = short || allowed.length >= due
  return {
    ok:
      lost === 0 &&
      doubled === 0 &&
      slowest < LATEST_MS &&
      most === LIMIT &&
      refused.length > 0 &&
      isOpen &&
      jumps > 0,
    result: `${jumps} jumps of a day: ${events.length} events, ${lost} lost or stuck, ${doubled} sent again after they were taken, the slowest after ${(slowest / 1_000).toFixed(1)} s; at most ${most} of ${LIMIT} requests in any 10 minutes, ${allowed.length} allowed in all, ${refused.length} refused`,
    numbers: {
      jumps,
      events: events.length,
      lost,
      doubled,
      slowest,
      most,
      allowed: allowed.length,
      refused: refused.length,
    },
  }
}

async function ask(
  service: Service,
  key: string,
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  const text = body === undefined ? null : JSON.stringify(body)
  const response = await fetch(service.url() + path, { method, headers: { "X-API-Key": key }, body: text })
  await response.text()
  if (response.status >= 300 && response.status !== 429)
    throw new Error(`${method} ${path}: ${response.status}`)
  return response
}

async function setLimit(service: Service, key: string): Promise<void> {
  const { out } = await service.run(["accounts", "list", "--json"])
  const account = JSON.parse(out).accounts.find(({ plan }: { plan: string }) => plan === "free")
  const argv = [
    "accounts",
    "set-plan",
    "--account",
    account.id,
    "--plan",
    "free",
    "--requests-limit",
    String(LIMIT),
  ]
  const { code, err } = await service.run(argv)
  if (code !== 0) throw new Error(`accounts set-plan for ${key.slice(0, 8)}: ${err}`)
}
