import { AppError, asAppError } from "../../runtime/errors.ts"
import type { Log } from "../../runtime/log.ts"
import type { RestBindings, Trace, Watch } from "../ops/observer.ts"
import { createDownloads, type Downloads, readUnsent } from "./downloads.ts"
import { type Backpressure, createShedding } from "./limits.ts"
import { type PassingOn, received } from "./passing-on.ts"
import type { ClientAddress } from "./request.ts"

/** Larger than any body that is taken: bodies are measured where they are read, with a better answer. */
const BODY_MAX = 4 * 1024 ** 3
/**
 * Seconds that a connection may be silent, that a head may take to arrive, and a body too unless 16 KiB of it come every
 * second: however its bytes are spread. Bun looks every 4 seconds, so it may be as many longer.
 */
const IDLE_S = 10
/**
 * Bytes of a request's line and headers. Filters may hold 16 KiB of text, of which each byte is three in an address; past
 * this Bun answers 431 without a body. Its own limit is 16 KiB.
 */
export const HEAD_MAX = 128 * 1024
/** Milliseconds after a start in which the limit is raised: loading the module takes longer than all of the first answer. */
const RAISE_AFTER_MS = 200
/** Milliseconds that requests in flight have to finish when the service stops. */
const STOP_PATIENCE_MS = 10_000
/** Bytes of a body that need not be drained before the answer. */
const DROPPED_MAX = 16 * 1024
/** How long a body that is refused unread may take to arrive. */
const DISCARD_MS = 1_000

export interface Listener {
  origin: string
  port: number
  downloads: Downloads
  /** Takes no new requests, waits for those in flight, then cuts what is left. */
  stop(): Promise<void>
}

interface Listening {
  host: string
  port: number
  /** The name of the port's setting, for the message when the port is taken. */
  option: string
  log: Log
  watch: Watch
  /** Finds the client's address behind trusted proxies; without it the connection's address counts. */
  clientAddress?: ClientAddress
  /** Without it no request waits or is refused. */
  backpressure?: Backpressure
  /** Seconds that clients may take to send, `IDLE_S` unless told. */
  idle?: number
  /** Other processes of this service listen on the same port. */
  isShared?: boolean
  /** Takes what worker processes pass on, in place of clients; the downloads are those of the clients' listener. */
  inner?: { passingOn: PassingOn; downloads: Downloads }
  /** Passes on the requests that are not taken here. */
  worker?: {
    takes(request: Request): boolean
    passOn(request: Request, address: string, keepOpen: () => void): Promise<Response>
  }
}

/** What an exchange asks of its listener. */
interface Connection {
  addressOf(request: Request): string
  keepOpen(exchange: Exchange): void
  expectFile(account: string): void
}

/** A request under way, with what its answer may ask for. */
class Exchange implements RestBindings {
  trace!: Trace
  isAnswered = false
  /** It may take longer than clients may be silent. */
  isLong = false
  /** Its connection may be silent for as long as it takes. */
  isKept = false

  constructor(
    readonly request: Request,
    private readonly connection: Connection,
    private from: string | undefined,
  ) {}

  get address(): string {
    this.from ??= this.connection.addressOf(this.request)
    return this.from
  }

  keepOpen(): void {
    if (this.isLong) return
    this.isLong = true
    this.connection.keepOpen(this)
  }

  expectFile(): void {
    this.connection.expectFile(this.trace.account ?? "")
  }
}

type Fetch = (request: Request, bindings: RestBindings) => Response | Promise<Response>

/** Serves a fetch function. Throws an Error that names the address and the setting. */
export function listen(settings: Listening, fetch: Fetch): Listener {
  const { host, port, option, log, watch, backpressure, clientAddress, idle = IDLE_S } = settings
  const { isShared = false, inner, worker } = settings
  /** Seconds for which a connection may be silent between requests: those of worker processes are not cut. */
  const restS = inner ? 0 : idle
  function failed(error: unknown): Response {
    const told = asAppError(error)
    log.error("unexpected error while answering", {}, error)
    return Response.json(told.toRest(), { status: told.status })
  }
  const shedding = createShedding(() => backpressure?.isBusy() ?? false)
  const downloads = inner?.downloads ?? createDownloads(() => readUnsent(server.port ?? port))
  /** Lets a client take as long for a file as it keeps reading; a worker process watches those that it passes on. */
  function watched(request: Request, response: Response, key: string): Response {
    const stream = response.body!
    try {
      const watched = downloads.watch(stream, {
        address: server.requestIP(request)?.address ?? "",
        port: server.requestIP(request)?.port ?? 0,
        ...{ key, gone: request.signal },
        cutIn: (seconds) => server.timeout(request, inner ? 0 : seconds),
        release: () => server.timeout(request, restS),
      })
      return new Response(watched, response)
    } catch (error) {
      void stream.cancel()
      const told = asAppError(error)
      return Response.json(told.toRest(), { status: told.status, headers: { ...told.headers } })
    }
  }
  function addressOf(request: Request): string {
    const peer = server.requestIP(request)?.address ?? ""
    return clientAddress?.(peer, request.headers) ?? peer
  }
  async function passed(request: Request, address: string): Promise<Response> {
    const response = await worker!.passOn(request, address, () => server.timeout(request, 0))
    // The service counts the downloads of each account.
    if (isFile(response)) return watched(request, response, crypto.randomUUID())
    if (!isStream(response)) server.timeout(request, idle)
    return response
  }
  /** Requests of this turn of the event loop that may take longer than clients may be silent. */
  let slow: Exchange[] = []
  function liftTimeouts(): void {
    const all = slow
    slow = []
    for (const exchange of all) {
      if (exchange.isAnswered) continue
      exchange.isKept = true
      server.timeout(exchange.request, 0)
    }
  }
  const keepOpen = (exchange: Exchange) => {
    if (slow.push(exchange) === 1) setImmediate(liftTimeouts)
  }
  const connection: Connection = { addressOf, keepOpen, expectFile: downloads.expect }
  async function serve(request: Request, turn?: Promise<void>): Promise<Response> {
    let from: string | undefined
    if (inner) {
      from = received(request, inner.passingOn)?.address
      if (from === undefined) return new Response(null, { status: 403 })
      server.timeout(request, idle)
    }
    if (worker && !worker.takes(request)) {
      const address = addressOf(request)
      return turn ? turn.then(() => passed(request, address)) : passed(request, address)
    }
    const exchange = new Exchange(request, connection, from)
    const trace = watch.begin(request, exchange)
    exchange.trace = trace
    if (turn) await turn
    let response: Response
    try {
      const readable = isReadable(request.url) ? request : addressed(request)
      response = await fetch(trace.method === "HEAD" ? asGet(readable) : readable, exchange)
      if (isFile(response, trace)) response = watched(request, response, trace.account ?? "")
    } catch (error) {
      response = failed(error)
    }
    exchange.isAnswered = true
    response = watch.end(trace, response)
    if (isStream(response, trace)) {
      if (exchange.isLong) server.timeout(request, 0)
      // The limit is one of the connection: the next request on it must have it again.
    } else if (exchange.isKept || inner) server.timeout(request, restS)
    if (request.body && !request.bodyUsed && !(await discard(request.body))) {
      response.headers.set("Connection", "close")
    }
    return response
  }
  const server = bind(host, port, option, {
    ...(inner ? { unix: inner.passingOn.socket } : { hostname: host, port }),
    idleTimeout: restS,
    maxRequestBodySize: BODY_MAX,
    development: false,
    // Bun lets several processes share a port unless told: a second service must be refused, not mixed in.
    ...(!inner && { reusePort: isShared }),
    fetch(request) {
      const turn = backpressure?.enter()
      if (turn === undefined || isProbe(request.url)) return serve(request)
      if (!(turn instanceof AppError)) return serve(request, turn)
      return shedding.wait()?.then(() => turnAway(watch, request, turn)) ?? turnAway(watch, request, turn)
    },
    error: failed,
  } as Options)
  raiseHeadLimit()
  // An address to connect to: "all interfaces" is not one.
  const isAny = host === "0.0.0.0" || host === "::"
  const shown = isAny ? "localhost" : host.includes(":") ? `[${host}]` : host
  return {
    origin: `http://${shown}:${server.port}`,
    port: server.port ?? port,
    downloads,
    stop: () => stopPatiently(server),
  }
}

/** Nothing of it was read. A small body came with its head and goes with it, without costing more time. */
function turnAway(watch: Watch, request: Request, refusal: AppError): Response | Promise<Response> {
  const response = watch.turnAway(request, refusal)
  if (request.method === "GET") return response
  const isSmall = Number(request.headers.get("content-length") ?? DROPPED_MAX) < DROPPED_MAX
  return isSmall || !request.body ? response : discard(request.body).then(() => response)
}

async function stopPatiently(server: ReturnType<typeof bind>): Promise<void> {
  const finished = server.stop(false).then(() => true)
  const patience = performance.now() + STOP_PATIENCE_MS
  // A connection that a browser keeps open without asking anything would be waited for, too.
  while (server.pendingRequests > 0 && performance.now() < patience) {
    if (await Promise.race([finished, Bun.sleep(10).then(() => false)])) return
  }
  await server.stop(true)
}

/** Origins of addresses that can be read; their number is bounded, since clients choose them. */
const readable = new Set<string>()
const READABLE_MAX = 1_000

/** Whether an address can be read: it can if its origin can. */
function isReadable(url: string): boolean {
  const origin = url.slice(0, url.indexOf("/", url.indexOf("//") + 2))
  if (readable.has(origin)) return true
  if (!URL.canParse(url)) return false
  if (readable.size >= READABLE_MAX) readable.clear()
  readable.add(origin)
  return true
}

/** A request where Host is missing or none: the server gives the path alone, or an address that cannot be read. */
function addressed(request: Request): Request {
  return new Request(`http://localhost${request.url.replace(/^http:\/\/[^/]*/, "")}`, request)
}

/** The GET that a HEAD asks about. Bun sends the length of the body that it leaves out; Hono would send 0. */
function asGet({ url, headers }: Request): Request {
  return new Request(url, { method: "GET", headers })
}

/** Probes and metrics are answered even while other requests are refused. */
function isProbe(url: string): boolean {
  return /^(http:\/\/[^/]*)?\/(healthz|readyz|metrics)$/.test(url)
}

/** What a trace tells of an answer that it has named, its headers need not be read for. */
function isFile(response: Response, trace?: Trace): boolean {
  if (trace?.named === response) return trace.isFile === true
  return response.headers.has("Content-Disposition") && response.body !== null
}

/** Whose time limit is another matter: a file is watched, and a stream of events is quiet while there are none. */
function isStream(response: Response, trace?: Trace): boolean {
  if (trace?.named === response) return trace.isStream === true
  return isFile(response) || response.headers.get("Content-Type")?.startsWith("text/event-stream") === true
}

/**
 * Reads away a body that nobody wanted, before the answer goes out: left alone, its connection counts as a request in
 * flight and holds up `stop`; closed by us, clients that are still sending fail before they read the answer. False
 * when it does not come to an end in time.
 */
async function discard(body: ReadableStream): Promise<boolean> {
  const reader = body.getReader()
  const late = Bun.sleep(DISCARD_MS).then(() => undefined)
  for (;;) {
    const chunk = await Promise.race([reader.read().catch(() => undefined), late])
    if (chunk === undefined) return false
    if (chunk.done) return true
  }
}

/** The limit is one of the process and holds for listeners that are there already. */
function raiseHeadLimit(): void {
  setTimeout(async () => {
    const { default: http } = await import("node:http")
    Object.assign(http, { maxHeaderSize: HEAD_MAX })
  }, RAISE_AFTER_MS).unref()
}

type Options = Parameters<typeof Bun.serve>[0]

function bind(host: string, port: number, option: string, options: Options) {
  try {
    return Bun.serve(options)
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    const env = `LEADDB_${option.toUpperCase().replaceAll("-", "_")}`
    const hint = `choose another with --${option} or ${env}`
    if (code === "EADDRINUSE")
      throw new Error(`port ${port} on ${host} is already in use: stop what uses it, or ${hint}`)
    if (code === "EACCES") throw new Error(`no permission to listen on port ${port}: ${hint}`)
    throw new Error(`cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : error}`)
  }
}

/** A port that nothing listens on, for processes that share it. Throws an Error that names the address and the setting. */
export async function freePort(host: string, port: number, option: string): Promise<number> {
  const fetch = () => new Response()
  const probe = bind(host, port, option, { hostname: host, port, reusePort: false, fetch })
  await probe.stop(true)
  return probe.port ?? port
}
