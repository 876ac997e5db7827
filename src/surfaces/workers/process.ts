// A worker process: listens on the port of the REST API, reads the database file, and passes on what it cannot answer.

import { getLead } from "../../domain/leads/lead-operations.ts"
import { listLeads } from "../../domain/leads/list-leads.ts"
import type { Operation, Services } from "../../domain/operation.ts"
import { type Clock, createIds, systemClock } from "../../runtime/clock.ts"
import { AppError } from "../../runtime/errors.ts"
import { createEventLoop } from "../../runtime/event-loop.ts"
import { createLog, type Log } from "../../runtime/log.ts"
import { BASE_PATH } from "../../runtime/paths.ts"
import type { Store, StoreReads } from "../../store/contract/store.ts"
import { openReads } from "../../store/open.ts"
import { type BrowserSessions, createAuth } from "../http/auth.ts"
import { createBackpressure, type RateLimit } from "../http/limits.ts"
import { listen } from "../http/listen.ts"
import { passOn } from "../http/passing-on.ts"
import { createClientAddress, guardRest } from "../http/request.ts"
import { createObserver } from "../ops/observer.ts"
import { restApp } from "../rest/rest.ts"
import type { FromWorkerProcess, ToWorkerProcess, WorkerProcessSettings } from "./messages.ts"

// What a worker process answers by itself: reads of leads that an index answers at once, of accounts without a limit of
// requests. It can read alone; whatever else a request turns out to need ends in an error here, and is passed on.

/** The operations that a worker process has. */
const WORKER_OPERATIONS: readonly Operation[] = [getLead, listLeads]

const LEADS = `${BASE_PATH}/leads`
/** A list, or one lead. */
const BEHIND_LEADS = /^(\/cl_[\w-]+)?\/?([?]|$)/

/** True for a request that may be answered here. */
function isReadHere({ method, url, headers }: Request): boolean {
  if (method !== "GET") return false
  const path = url.slice(url.indexOf("/", url.indexOf("//") + 2))
  if (!path.startsWith(LEADS) || !BEHIND_LEADS.test(path.slice(LEADS.length))) return false
  if (!headers.has("x-api-key") && !headers.has("authorization")) return false
  return !headers.has("origin") && !headers.has("content-length") && !headers.has("transfer-encoding")
}

/** Says that the service itself is needed. */
class NotHere extends Error {
  override name = "NotHere"
}

const notHere = (): never => {
  throw new NotHere("only the service itself can do this")
}

/** Methods that end the request here. */
function refusing<Name extends string>(...names: Name[]) {
  return Object.fromEntries(names.map((name) => [name, notHere])) as Record<Name, typeof notHere>
}

/** The services of operations that read; any other ends the request here. */
function readingServices(reads: StoreReads, clock: Clock = systemClock): Services {
  return {
    store: readingStore(reads),
    ids: createIds(clock),
    clock,
    eventLoop: createEventLoop(clock),
    secret: reads.secret,
    scoring: { score: notHere },
    webhooks: { refuse: notHere },
    files: refusing("keep", "free", "open", "remove", "olderThan"),
    readers: refusing("take", "close"),
    // A share of an account in the reader threads is one of the whole service.
    questions: { ask: notHere },
    origin: notHere,
    network: notHere,
  }
}

function readingStore({ read, secret, changedElsewhere }: StoreReads): Store {
  return {
    ...{ read, secret, changedElsewhere },
    get readThrough() {
      return notHere()
    },
    get vitals() {
      return notHere()
    },
    ...refusing("write", "writeAcross", "overlay", "holdWrites", "refresh", "isIndexBehind"),
    ...refusing("indexAll", "watchChanges", "touch", "close"),
  }
}

/** Requests that count are counted in one place. */
const COUNTED_ELSEWHERE: RateLimit = {
  async admit({ limits }) {
    return limits.requests === null ? {} : notHere()
  },
  ...refusing("admitBrowser", "admitReader", "admitShared", "admitGuess", "admitVisitor"),
}

const NO_SESSIONS: BrowserSessions = { callerOf: notHere, takeUsed: () => new Map() }

/** Milliseconds for which lines of the log are collected. */
const LINES_MS = 20

/** The connection to the service that has started this process. */
interface Channel {
  send(message: FromWorkerProcess): void
  onMessage(take: (message: ToWorkerProcess) => void): void
  /** Ends the process. */
  exit(): void
}

/** Serves from the first message on, until it is told to stop. */
export function serveReads({ send, onMessage, exit }: Channel): void {
  let running: Promise<Running | undefined> | undefined
  onMessage((message) => {
    if (message.type === "start") running = started(message.settings, send)
    else if (message.type === "report") void running?.then((it) => it?.report())
    else void stop()
  })
  async function stop(): Promise<void> {
    await (await running)?.stop()
    exit()
  }
}

async function started(settings: WorkerProcessSettings, send: Channel["send"]): Promise<Running | undefined> {
  try {
    const running = await open(settings, send)
    send({ type: "listening" })
    return running
  } catch (error) {
    send({ type: "failed", message: error instanceof Error ? error.message : String(error) })
    return undefined
  }
}

interface Running {
  report(): void
  stop(): Promise<void>
}

async function open(
  { config, port, passingOn }: WorkerProcessSettings,
  send: Channel["send"],
): Promise<Running> {
  const { host, file, secretKey, trustedProxies, publicUrl, listStyle } = config
  const lines = collectLines((text) => send({ type: "log", lines: text }))
  const log = createLog(config.log, lines.add)
  const reads = await openReads({ file, secretKey })
  const auth = createAuth(readingStore(reads), systemClock, config.proxySecret)
  const observer = createObserver(log, systemClock)
  const pass = (request: Request, address: string, keepOpen: () => void) =>
    passOn(passingOn, request, address, keepOpen)
  const rest = restApp({
    ...{ services: readingServices(reads), operations: WORKER_OPERATIONS, auth, sessions: NO_SESSIONS },
    ...{ rateLimit: COUNTED_ELSEWHERE, publicUrl, listStyle, log, mountOpen: () => undefined },
    passOn(thrown, request, env) {
      tellDefect(log, thrown)
      env.trace.isPassedOn = true
      return pass(request, env.address, () => env.keepOpen())
    },
  })
  const listener = listen(
    {
      ...{ host, port, option: "port", log, isShared: true, backpressure: createBackpressure() },
      watch: observer.watch("rest"),
      clientAddress: createClientAddress(trustedProxies),
      worker: { takes: isReadHere, passOn: pass },
    },
    guardRest(config, rest.fetch),
  )
  function report(): void {
    send({ type: "report", report: { ...observer.take(), used: auth.takeUsed() } })
  }
  return {
    report,
    async stop() {
      await listener.stop()
      log.flush()
      lines.flush()
      report()
      reads.close()
    },
  }
}

/** The service answers again what fails here; the reason must not get lost. */
function tellDefect(log: Log, thrown: unknown): void {
  if (thrown instanceof NotHere || thrown instanceof AppError) return
  log.error("a worker process could not answer a request and passed it on", {}, thrown)
}

/** Hands on lines of the log some at a time: each message takes time in both processes. */
function collectLines(write: (lines: string) => void) {
  let held = ""
  let timer: Timer | undefined
  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (held !== "") write(held)
    held = ""
  }
  return {
    add(lines: string) {
      held += lines
      timer ??= setTimeout(flush, LINES_MS)
    },
    flush,
  }
}
