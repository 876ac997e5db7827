// What a request says of itself: its body, the language of its page, its address, and whether it is for this host and from
// which pages it may come.
import { isIP } from "node:net"
import { systemClock } from "../../runtime/clock.ts"
import { AppError, badRequest } from "../../runtime/errors.ts"
import { createEventLoop } from "../../runtime/event-loop.ts"
import { type Address, groupsOf, parseAddress, rangeList } from "../../worker/net/address-ranges.ts"
import type { RestBindings } from "../ops/observer.ts"

/** Bytes of a body that takes a millisecond or more to be read as JSON. */
const LARGE = 64 * 1024

const { nextMacrotask } = createEventLoop(systemClock)

/**
 * The bytes of a request's body. Large bodies come one in a turn of the event loop, since reading what is in them holds the
 * thread: small requests are answered between them, however many were sent at once. Throws what `tooLarge` makes for more
 * than `most`, and `bad_request` for a body that breaks off.
 */
export async function readBody(
  request: Request,
  most: number,
  tooLarge: () => AppError,
): Promise<Uint8Array<ArrayBuffer>> {
  const announced = Number(request.headers.get("content-length") ?? Number.NaN)
  if (announced > most) throw tooLarge()
  const body = announced >= 0 ? request.bytes() : readChunks(request, most)
  // The connection is gone, so this error is not sent; it keeps the case from being logged as a defect.
  const bytes = await body.catch(() => {
    throw badRequest("The body ended before it was complete")
  })
  if (bytes === undefined) throw tooLarge()
  if (bytes.length >= LARGE) await nextMacrotask()
  return bytes
}

/** Undefined for more than `most`. */
async function readChunks(request: Request, most: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    // Too much is read to its end all the same, so that the client reads the answer: see `discard` in listen.ts.
    if (size <= most) chunks.push(chunk)
  }
  return size > most ? undefined : Buffer.concat(chunks)
}

/** Headers of a stream of events, which no proxy may hold back. */
export const EVENT_STREAM = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
}

/** The type of a body, in lower case and without parameters. */
export function mediaType(headers: Headers): string | undefined {
  return headers.get("content-type")?.split(";")[0]?.trim().toLowerCase()
}

/** The key of clients that send it as a bearer token; undefined for other credentials. */
export function bearerToken(headers: Headers): string | undefined {
  return /^bearer +(\S+)\s*$/i.exec(headers.get("authorization") ?? "")?.[1]
}

/** The error for a method that a path does not take; `Allow` lists those that it does. */
export function methodNotAllowed(method: string, Allow: string, path = "this path"): AppError {
  const message = `${method} is not for ${path}; it takes ${Allow}`
  return new AppError("method_not_allowed", message, { headers: { Allow } })
}

// The language of a page: the one that a person chose, else the first that their browser asks for.

const COOKIE = /(?:^|;\s*)leaddb-language=([a-z]{2})(?:;|$)/

/** The language of a page: what a person chose, else the first that the browser asks for; English, or one of the others. */
export function languageOf(headers: Headers, others: readonly string[]): string {
  const languages = ["en", ...others]
  const chosen = COOKIE.exec(headers.get("cookie") ?? "")?.[1] ?? ""
  if (languages.includes(chosen)) return chosen
  return wanted(headers.get("accept-language") ?? "").find((code) => languages.includes(code)) ?? "en"
}

/** The languages of an Accept-Language header, the most wanted first. */
function wanted(header: string): string[] {
  return header
    .split(",")
    .slice(0, 20)
    .map((part) => {
      const [name = "", ...more] = part.trim().toLowerCase().split(";")
      const quality = more.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find(Boolean)
      return { code: name.split("-")[0]!, quality: Number(quality ?? 1) }
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ code }) => code)
}

/** Proxies that a request may have come through; more are not looked at. */
const HOPS_MAX = 20

/** The address of the client, by that of the connection and the headers of trusted proxies. */
export type ClientAddress = (peer: string, headers: Headers) => string

/**
 * Reads `X-Forwarded-For`, else `Forwarded` (RFC 7239), from the right: what a trusted proxy has written, up to the first
 * address that is no trusted proxy. Whatever stands left of it anybody can have written.
 */
export function createClientAddress(trusted: readonly string[]): ClientAddress {
  if (trusted.length === 0) return (peer) => peer
  const ranges = rangeList(trusted)
  const isTrusted = ({ address, family }: Address) => ranges.check(address, `ipv${family}`)
  return (peer, headers) => {
    const nearest = parseAddress(peer)
    if (!nearest || !isTrusted(nearest)) return peer
    let client = nearest.address
    for (const text of hops(headers).toReversed().slice(0, HOPS_MAX)) {
      const hop = parseAddress(bare(text))
      if (!hop) break
      client = hop.address
      if (!isTrusted(hop)) break
    }
    return client
  }
}

/** The addresses that proxies wrote down, in their order. */
function hops(headers: Headers): string[] {
  const listed = headers.get("x-forwarded-for")
  if (listed !== null) return listed.split(",")
  const forwarded = headers.get("forwarded")?.split(",") ?? []
  return forwarded.map((hop) => /(?:^|;)\s*for=("[^"]*"|[^;\s]*)/i.exec(hop)?.[1] ?? "")
}

/** Without quotes, brackets and port. */
function bare(text: string): string {
  const plain = text.trim().replace(/^"(.*)"$/, "$1")
  return /^\[([^\]]*)\](?::\d+)?$/.exec(plain)?.[1] ?? plain.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
}

/** The key of limits per address: one customer line has a whole IPv6 network of 64 bits. */
export function addressKey(text: string): string {
  const address = parseAddress(text)
  if (!address || address.family === 4) return address?.address ?? text
  return `${groupsOf(address.address).slice(0, 4).join(":")}::/64`
}

export interface GuardSettings {
  host: string
  publicUrl?: string | undefined
  mcpPublicUrl?: string | undefined
  /** More names that are ours. */
  allowedHosts: readonly string[]
  /** Origins whose pages may use the REST API; `*` is every one. */
  corsOrigins: readonly string[]
}

export interface HostGuard {
  /** Why a request is for another host; undefined when it is for this one. */
  refuseHost(headers: Headers): AppError | undefined
  /** Why a request is not taken from where it comes from; undefined when it is. Host is not looked at. */
  refuseOrigin(headers: Headers): AppError | undefined
}

/** Different Host headers whose outcome is remembered. */
const KNOWN_MAX = 1_000

/**
 * Keeps web pages from reaching the service through a visitor's browser (DNS rebinding, CSRF): names in Host and Origin must
 * be ours; programs send no Origin and pass. Takes loopback names, addresses, the configured host, the hosts of the
 * public addresses, and those allowed beside.
 */
export function createHostGuard({
  host,
  publicUrl,
  mcpPublicUrl,
  allowedHosts,
  corsOrigins,
}: GuardSettings): HostGuard {
  const shown = [publicUrl, mcpPublicUrl].flatMap((url) => (url ? URL.parse(url)?.hostname : undefined) ?? [])
  const names = new Set([host.toLowerCase(), ...shown, ...allowedHosts])
  const ours = new Map<string, boolean>()

  function isOurs(name: string): boolean {
    return isLoopbackName(name) || isAddress(name) || names.has(name)
  }

  function isServed(target: string): boolean {
    const answer = ours.get(target)
    if (answer !== undefined) return answer
    const url = /[@/?#\\]/.test(target) ? null : URL.parse(`http://${target}`)
    const served = url !== null && isOurs(url.hostname)
    if (ours.size >= KNOWN_MAX) ours.clear()
    ours.set(target, served)
    return served
  }

  function refuseHost(headers: Headers): AppError | undefined {
    const target = headers.get("host")
    // HTTP/1.0 has none, and no browser speaks it.
    if (target === null || isServed(target)) return undefined
    const message = `Host "${target.slice(0, 100)}" is not served here: add it to LEADDB_ALLOWED_HOSTS, or set LEADDB_PUBLIC_URL`
    return new AppError("misdirected", message)
  }

  function refuseOrigin(headers: Headers): AppError | undefined {
    const origin = headers.get("origin")
    if (!origin || corsOrigins.includes("*") || corsOrigins.includes(origin)) return undefined
    const from = URL.parse(origin)
    const isPage = from?.protocol === "https:" || from?.protocol === "http:"
    // Another machine's address is no name of ours: only that of this request is.
    if (isPage && (isLoopback(from.hostname) || names.has(from.hostname))) return undefined
    if (isPage && from.host === headers.get("host")) return undefined
    return new AppError(
      "forbidden",
      `Origin "${origin.slice(0, 100)}" may not use this server; see LEADDB_CORS_ORIGINS`,
    )
  }

  return { refuseHost, refuseOrigin }
}

/** Names that never leave the machine (RFC 6761, 6.3). */
function isLoopbackName(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost")
}

function isLoopback(name: string): boolean {
  return isLoopbackName(name) || name === "127.0.0.1" || name === "[::1]"
}

/** A numeric address cannot be rebound by DNS. */
function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, "")) > 0
}

/** Public forms decide themselves which pages may post to them. */
const FORMS = "/f/"

type Fetch = (request: Request, bindings: RestBindings) => Response | Promise<Response>

/** Probes reach the service by any host name. */
const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz"])

/** Turns away what is not meant for us with 421, foreign pages with 403, and answers browsers that ask first. */
export function guardRest(settings: GuardSettings, fetch: Fetch): Fetch {
  const guard = createHostGuard(settings)
  const answered = settings.corsOrigins.length === 0 ? fetch : withCors(settings.corsOrigins, fetch)
  return (request, bindings) => {
    const { headers } = request
    const { path } = bindings.trace
    if (path.startsWith(FORMS)) {
      const elsewhere = guard.refuseHost(headers)
      return elsewhere ? refusal(elsewhere) : fetch(request, bindings)
    }
    const stranger = PROBES.has(path) ? undefined : guard.refuseHost(headers)
    const refused = stranger ?? guard.refuseOrigin(headers)
    return refused ? refusal(refused) : answered(request, bindings)
  }
}

function refusal(error: AppError): Response {
  return Response.json(error.toRest(), { status: error.status })
}

const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE"
/** Headers that the API reads from pages; those of proxies are not allowed. */
const HEADERS =
  "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-API-Key, X-List-Style, X-Request-Id"
const EXPOSED =
  "Allow, Content-Disposition, ETag, Idempotency-Replayed, Retry-After, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id"
/** Seconds that a browser may go without asking again. */
const REMEMBERED = "600"

/**
 * Lets pages of these origins, or with `*` of all, read the answers, and answers browsers that ask first. Throws
 * `forbidden` for a foreign page that asks. Never with cookies: keys are what counts.
 */
function withCors(origins: readonly string[], fetch: Fetch): Fetch {
  function allowed({ headers }: Request): string | undefined {
    const origin = headers.get("origin")
    if (!origin) return undefined
    if (origins.includes("*")) return "*"
    return origins.includes(origin) ? origin : undefined
  }

  function preflight(request: Request): Response {
    const origin = allowed(request)
    if (!origin)
      throw new AppError("forbidden", "Pages of this origin may not use the API; see LEADDB_CORS_ORIGINS")
    const headers = {
      "Access-Control-Allow-Origin": origin,
      "Access-Control-Allow-Methods": METHODS,
      "Access-Control-Allow-Headers": HEADERS,
      "Access-Control-Max-Age": REMEMBERED,
      Vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
    }
    return new Response(null, { status: 204, headers })
  }

  return async (request, bindings) => {
    const isPreflight = request.method === "OPTIONS" && request.headers.has("access-control-request-method")
    const response = changeable(isPreflight ? preflight(request) : await fetch(request, bindings))
    // Caches must not give one origin's answer to another.
    response.headers.append("Vary", "Origin")
    const origin = allowed(request)
    if (origin) {
      response.headers.set("Access-Control-Allow-Origin", origin)
      response.headers.set("Access-Control-Expose-Headers", EXPOSED)
    }
    return response
  }
}

/** The answer with headers that can be changed: those of a redirect cannot. */
export function changeable(response: Response): Response {
  return response.status < 300 || response.status >= 400 ? response : new Response(response.body, response)
}
