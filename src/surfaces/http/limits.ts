// How many requests are let in. While there are more than can be answered at once, they go one after the other, and are
// refused when the wait would become long: whoever waits longer and longer gives up in the end, and the work done for them
// is lost. Besides, accounts and strangers have limits in 10 minutes.

import type { Account } from "../../access/rights.ts"
import { type Clock, systemClock } from "../../runtime/clock.ts"
import { AppError } from "../../runtime/errors.ts"
import type { CountedRequest, RequestCounts } from "../../store/contract/store.ts"

/** Milliseconds of a turn of the event loop in which requests are answered before others are read. */
const SLICE_MS = 20
/** A pause is this many times as long as reading refused requests took, so that they do not take time from admitted ones. */
const SHARE = 4
const SLICE_MAX_MS = 1_000
/** Milliseconds. */
interface Patience {
  /** How long a request may wait to be let in. */
  target: number
  /** For how long they may wait longer than that: a short burst is served, however many come at once. */
  burst: number
  /** For how long after a refusal bursts get no such grace. */
  wary: number
}
const PATIENCE: Patience = { target: 300, burst: 1_000, wary: 5_000 }
/** Steps that a request takes at most until it is answered or waits for something else, such as a commit. */
const STEPS = 32

export interface Backpressure {
  /** Undefined for a request that can go on at once, a promise of its turn when it has to wait, or its refusal. */
  enter(): undefined | Promise<void> | AppError
  /** Whether anybody waits to be let in. */
  isBusy(): boolean
}

interface Waiting {
  /** When it was read. */
  since: number
  goOn: () => void
}

const OVERLOADED = new AppError(
  "unavailable",
  "More is asked of the service than it can do now; try again in a moment",
  { headers: { "Retry-After": "1" } },
)

/**
 * By default Bun reads and answers request after request, while others wait unread in their sockets for an unknown time.
 * So a turn of the event loop answers for `SLICE_MS`, and further requests that it reads wait here.
 */
export function createBackpressure(
  { target, burst, wary } = PATIENCE,
  { monotonic }: Pick<Clock, "monotonic"> = systemClock,
): Backpressure {
  const waiting = createQueue<Waiting>()
  let began = 0
  let isInTurn = false
  let isLettingIn = false
  /** The last time that no request had waited too long. */
  let calm = 0
  let waryUntil = 0

  function beginTurn(now: number): void {
    isInTurn = true
    began = now
    if (waiting.first() === undefined) calm = now
    setImmediate(endTurn)
  }

  function endTurn(): void {
    isInTurn = false
    if (isLettingIn || waiting.first() === undefined) return
    isLettingIn = true
    const now = monotonic()
    void letIn(now + Math.min(SLICE_MAX_MS, Math.max(SLICE_MS, SHARE * (now - began)))).then(() => {
      isLettingIn = false
      if (waiting.first() && !isInTurn) beginTurn(monotonic())
    })
  }

  async function letIn(end: number): Promise<void> {
    for (let next = waiting.first(); next; next = waiting.first()) {
      const now = monotonic()
      if (now - next.since <= target) calm = now
      if (now > end) return
      waiting.drop()
      next.goOn()
      for (let step = 0; step < STEPS; step++) await undefined
    }
  }

  return {
    isBusy: () => waiting.first() !== undefined,
    enter() {
      const now = monotonic()
      if (!isInTurn) beginTurn(now)
      const oldest = waiting.first()
      if (!oldest && now - began <= SLICE_MS) return undefined
      const isBurst = now - calm <= burst && now > waryUntil
      if (oldest && now - oldest.since > target && !isBurst) {
        waryUntil = now + wary
        return OVERLOADED
      }
      return new Promise((goOn) => waiting.add({ since: now, goOn }))
    },
  }
}

// Delays refusals. Most clients that are refused ask again at once, and a refusal costs a good part of a short answer: with
// the delay a connection asks no more than once or twice a second.

/** Milliseconds. */
const WAIT_MS = 500
/** How often those whose time has come are let go, many together. */
const EVERY_MS = 50
/** When nobody else was refused for so long, it is over. */
const QUIET_MS = 250
/** With so many waiting, who comes then does not wait. */
const REFUSALS_MAX = 10_000

interface Shedding {
  /** Resolves when it is time; undefined where there is no waiting. */
  wait(): Promise<void> | undefined
}

/**
 * At three times what the service can do, a tenth more is answered well than when refusals go out at once. Nobody is
 * held up any longer once `isBusy` denies it or the refusals have ended.
 */
export function createShedding(isBusy: () => boolean, wait = WAIT_MS, most = REFUSALS_MAX): Shedding {
  const waiting = createQueue<{ until: number; goOn: () => void }>()
  let isTimed = false
  let last = 0

  function look(): void {
    isTimed = true
    setTimeout(letGo, EVERY_MS)
  }

  function letGo(): void {
    const now = performance.now()
    const isOver = !isBusy() || now - last > QUIET_MS
    for (let next = waiting.first(); next && (isOver || next.until <= now); next = waiting.first()) {
      waiting.drop()
      next.goOn()
    }
    isTimed = false
    if (waiting.size() > 0) look()
  }

  return {
    wait() {
      if (waiting.size() >= most) return undefined
      if (!isTimed) look()
      last = performance.now()
      return new Promise((goOn) => waiting.add({ until: last + wait, goOn }))
    },
  }
}

/** The window of an account's request limit, which plans state per 10 minutes. */
const TEN_MINUTES = 600_000
/** Windows that are kept; further clients share one. */
const WINDOWS_MAX = 200_000
/** Requests of browsers in 10 minutes, besides the plan's, so that a small account can use the dashboard. */
const BROWSERS_OF_ACCOUNT = 6_000
/** Requests for shared lists in 10 minutes: of one address, and for one link. */
const READS_OF_ADDRESS = 600
const READS_OF_LINK = 3_000
/** Tries to sign in that one address has in 10 minutes, right or wrong. */
const TRIES_OF_ADDRESS = 100

interface Taken {
  allowed: boolean
  /** `X-RateLimit-*`, and `Retry-After` when not allowed. Reset is the Unix second in which a request frees up. */
  headers: Record<string, string>
}

/** Windows of requests, in this process or wherever several processes count them together. */
export interface Windows<Key> {
  /** Counts a request against the last window when there is room for it; a refused one is not counted. */
  take(key: Key, limit: number): Taken | Promise<Taken>
}

/** Windows of this process alone. */
export interface SlidingWindows<Key> extends Windows<Key> {
  take(key: Key, limit: number): Taken
}

/**
 * Exact sliding windows: in any stretch of `length` milliseconds at most the limit is allowed. On monotonic time,
 * so that a clock that jumps neither opens nor locks them.
 */
export function createSlidingWindows<Key>(clock: Clock, length: number): SlidingWindows<Key> {
  /**
   * The times of the requests in each. What nobody asked for in a whole length is empty, and goes with its generation.
   */
  let windows = new Map<Key, Queue<number>>()
  let older = new Map<Key, Queue<number>>()
  let began = clock.monotonic()
  const shared: Queue<number> = createQueue()

  function windowOf(key: Key, now: number): Queue<number> {
    if (now - began >= length) {
      older = now - began >= 2 * length ? new Map() : windows
      windows = new Map()
      began = now
    }
    const current = windows.get(key)
    if (current) return current
    if (windows.size >= WINDOWS_MAX) return shared
    const window = older.get(key) ?? createQueue()
    windows.set(key, window)
    return window
  }

  function take(key: Key, limit: number): Taken {
    const now = clock.monotonic()
    const window = windowOf(key, now)
    forget(window, now - length)
    const allowed = window.size() < limit
    if (allowed) window.add(now)
    const wait = Math.max(0, (window.first() ?? now) + length - now)
    return { allowed, headers: headersOf(clock, limit, { allowed, used: window.size(), wait }) }
  }

  return { take }
}

/** Windows of this process, or where `counts` are given those of all processes on one database; `what` names them there. */
export function createWindows<Key extends string | number>(
  clock: Clock,
  what: string,
  length: number,
  counts?: RequestCounts,
): Windows<Key> {
  if (!counts) return createSlidingWindows(clock, length)
  return {
    async take(key, limit) {
      const { allowed, used, wait } = await counts.take(`${what}/${key}`, limit, length)
      return { allowed, headers: headersOf(clock, limit, { allowed, used, wait }) }
    },
  }
}

function headersOf(
  clock: Clock,
  limit: number,
  { allowed, used, wait }: CountedRequest,
): Record<string, string> {
  const headers: Record<string, string> = {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(Math.max(0, limit - used)),
    "X-RateLimit-Reset": String(Math.ceil((clock.now() + wait) / 1000)),
  }
  if (!allowed) headers["Retry-After"] = String(Math.max(1, Math.ceil(wait / 1000)))
  return headers
}

/** The error for one request too many; `headers` say when another is taken. */
export function tooMany(what: string, headers: Readonly<Record<string, string>>): AppError {
  return new AppError("rate_limit_exceeded", `${what}; try again in ${headers["Retry-After"]} s`, { headers })
}

function forget(window: Queue<number>, before: number): void {
  for (let first = window.first(); first !== undefined && first <= before; first = window.first())
    window.drop()
}

/** Clients read these headers as numbers: where there is none to tell, none is sent. */
const NO_LIMIT: Readonly<Record<string, string>> = {}

export interface RateLimit {
  /** Counts a request of an account, over REST or tools. Throws `rate_limit_exceeded`. Returns headers to send. */
  admit(account: Account): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
  /** Like `admit`, for a request of a browser's session. */
  admitBrowser(account: Account): Promise<Record<string, string>>
  /** Counts a try to sign in from an address. Throws `rate_limit_exceeded`. */
  admitVisitor(address: string): Promise<void>
  /** Counts a request for a public page from an address. Throws `rate_limit_exceeded`. */
  admitReader(address: string): Promise<void>
  /** Counts a request for a shared list that there is. Throws `rate_limit_exceeded`. */
  admitShared(link: string): Promise<void>
  /**
   * Counts a try at the password of a shared list, by address alone: a stranger's tries are nobody else's. Throws
   * `rate_limit_exceeded`. Returns what to call when the password was right.
   */
  admitGuess(address: string, link: string): () => void
}

/** Where `counts` are given, they are those of all processes together. */
export function createRateLimit(clock: Clock, counts?: RequestCounts): RateLimit {
  const windowsOf = <Key extends string | number>(what: string) =>
    createWindows<Key>(clock, what, TEN_MINUTES, counts)
  const windows = windowsOf<number>("account")
  const browsers = windowsOf<number>("browsers")
  const visitors = windowsOf<string>("visitor")
  const readers = windowsOf<string>("reader")
  const guesses = createBackoff(clock)
  async function count(windows: Windows<string>, key: string, most: number, what: string): Promise<void> {
    const { allowed, headers } = await windows.take(key, most)
    if (!allowed) throw tooMany(what, headers)
  }
  return {
    admit(account) {
      const limit = account.limits.requests
      if (limit === null) return NO_LIMIT
      const counted = ({ allowed, headers }: Taken) => {
        if (allowed) return headers
        throw tooMany(`The ${account.plan} plan takes ${limit} requests per 10 minutes`, headers)
      }
      const taken = windows.take(account.key, limit)
      return taken instanceof Promise ? taken.then(counted) : counted(taken)
    },
    async admitBrowser(account) {
      const { allowed, headers } = await browsers.take(account.key, BROWSERS_OF_ACCOUNT)
      if (allowed) return headers
      throw tooMany(`The dashboard may ask ${BROWSERS_OF_ACCOUNT} times per 10 minutes`, headers)
    },
    admitVisitor: (address) => count(visitors, address, TRIES_OF_ADDRESS, "Too many tries to sign in"),
    admitReader: (address) => count(readers, address, READS_OF_ADDRESS, "Too many requests"),
    admitShared: (link) => count(readers, link, READS_OF_LINK, "This list is read too often"),
    admitGuess(address, link) {
      const key = `${address} ${link}`
      const seconds = Math.ceil(guesses.begin(key) / 1000)
      if (seconds === 0) return () => guesses.passed(key)
      throw tooMany("Too many wrong tries", { "Retry-After": String(seconds) })
    },
  }
}

/** Wrong tries before there is a wait. */
const FREE = 5
const LONGEST_MS = 60_000
/** Milliseconds without a try after which a client begins anew. */
const FORGOTTEN_MS = 3_600_000
/** Clients that are kept; the oldest are forgotten first. */
const CLIENTS_MAX = 100_000

interface Backoff {
  /** Notes a try as wrong until `passed` says otherwise. Returns the milliseconds to wait, 0 for a try that is let in. */
  begin(key: string): number
  /** Forgets the tries of a client that knew the password. */
  passed(key: string): void
}

/**
 * Delays the wrong tries of each client: five at once, then after a second, two, four, and at most a minute each. Refused
 * tries are not counted, so that nobody waits longer than that.
 */
function createBackoff(clock: Clock): Backoff {
  const tries = new Map<string, { wrong: number; at: number }>()
  return {
    begin(key) {
      const now = clock.monotonic()
      const before = tries.get(key)
      const last = before && now - before.at < FORGOTTEN_MS ? before : { wrong: 0, at: now }
      const wait =
        last.wrong < FREE ? 0 : last.at + Math.min(LONGEST_MS, 1_000 * 2 ** (last.wrong - FREE)) - now
      if (wait > 0) return wait
      // Entries are kept in the order of their last try.
      tries.delete(key)
      tries.set(key, { wrong: last.wrong + 1, at: now })
      if (tries.size > CLIENTS_MAX) tries.delete(tries.keys().next().value!)
      return 0
    },
    passed: (key) => void tries.delete(key),
  }
}

interface Queue<T> {
  first(): T | undefined
  add(item: T): void
  /** Takes the first away. */
  drop(): void
  size(): number
}

/** First in, first out, without moving thousands for each. */
function createQueue<T>(): Queue<T> {
  let items: (T | undefined)[] = []
  let head = 0
  return {
    first: () => items[head],
    add: (item) => void items.push(item),
    drop() {
      items[head++] = undefined
      if (head < 1_000 || head * 2 < items.length) return
      items = items.slice(head)
      head = 0
    },
    size: () => items.length - head,
  }
}
