import { timingSafeEqual } from "node:crypto"
import { hashApiKey, looksLikeApiKey } from "../../access/api-key-text.ts"
import { endOfKey, isWholeOwner, lowest, ROLES, type Role } from "../../access/rights.ts"
import type { SignedIn } from "../../access/signed-in.ts"
import { SESSION_IDLE, sessionActor } from "../../domain/access/sessions.ts"
import type { Caller, Visit } from "../../domain/operation.ts"
import type { Clock } from "../../runtime/clock.ts"
import { AppError, badRequest } from "../../runtime/errors.ts"
import type { KeyHolder, Store } from "../../store/contract/store.ts"
import { createWindows, type Windows } from "./limits.ts"
import { addressKey, mediaType } from "./request.ts"

/** Failed sign-ins per minute that one address may make before it has to wait. */
const FAILURES_MS = 60_000
const FAILURES_PER_MINUTE = 100
/** Keys whose hashes are cached at most. */
const HASHES_MAX = 1_000

const WRONG_SECRET =
  "X-Proxy-Secret is not the one that is set here: send LEADDB_PROXY_SECRET once, or no such header"

/** Where a request comes from; read only when it is refused. */
interface From {
  readonly address: string
}

interface Credentials extends From {
  key: string | null | undefined
  headers: Headers
  /** The tool server, where keys of sign-ins hold, too. */
  isForTools?: true
}

export interface Auth {
  /** Both steps below. Throws as they do. */
  authenticate(credentials: Credentials): Promise<Caller>
  /** Finds the key; without a promise when it is cached. Throws `unauthorized`, `rate_limit_exceeded` after too many failures. */
  identify(key: string | undefined, from: From): KeyHolder | Promise<KeyHolder>
  /** Who acts with the key. Throws `bad_request` for an unclear role, `forbidden` for a wrong proxy secret. */
  callerOf(holder: KeyHolder, headers: Headers): Caller
  /** The last use of each key since the last call, in Unix seconds. */
  takeUsed(): Map<string, number>
  /** Adds the uses of keys that another process has seen. */
  noteUsed(used: ReadonlyMap<string, number>): void
}

/** Authenticates a request by its API key and, behind a dashboard proxy, by the member in the proxy's headers. */
export function createAuth(store: Store, clock: Clock, proxySecret: string | undefined): Auth {
  const failures = createWindows<string>(clock, "failures", FAILURES_MS, store.requests)
  let used = new Map<string, number>()
  /** Hashes of valid keys. */
  const hashes = new Map<string, Uint8Array>()
  const callers = new WeakMap<KeyHolder, Caller>()

  function identify(
    key: string | null | undefined,
    from: From,
    isForTools = false,
  ): KeyHolder | Promise<KeyHolder> {
    if (!key) return refuse(failures, from.address, NO_KEY)
    const knownHash = hashes.get(key)
    if (!knownHash && !looksLikeApiKey(key)) return refuse(failures, from.address, NO_API_KEY)
    const hash = knownHash ?? hashApiKey(key)
    const lookup = store.read.apiKeys.findByHash(hash)
    function holding(holder: KeyHolder | undefined): KeyHolder | Promise<never> {
      if (!holder) return refuse(failures, from.address, UNKNOWN_KEY)
      const now = Math.floor(clock.now() / 1000)
      if ((endOfKey(holder.key) ?? Number.POSITIVE_INFINITY) <= now)
        return refuse(failures, from.address, EXPIRED_KEY)
      if (holder.key.kind === "sign_in" && !isForTools) return refuse(failures, from.address, FOR_TOOLS)
      used.set(holder.key.id, now)
      if (!knownHash) keep(key!, hash)
      return holder
    }
    return lookup instanceof Promise ? lookup.then(holding) : holding(lookup)
  }

  function keep(key: string, hash: Uint8Array): void {
    if (hashes.size >= HASHES_MAX) hashes.clear()
    hashes.set(key, hash)
  }

  function callerOf(holder: KeyHolder, headers: Headers): Caller {
    const member = proxiedMember(headers, proxySecret)
    if (member !== HOLDER) return actingAs(member, holder)
    return callers.getOrInsertComputed(holder, () => actingAs(HOLDER, holder))
  }

  function actingAs(member: Member, { account, key }: KeyHolder): Caller {
    // Without a secret the header proves nothing: only an owner may name others.
    const isNamed = proxySecret !== undefined || isWholeOwner(key)
    return {
      account,
      keyId: key.id,
      role: lowest(key.role, member.role),
      actorId: (isNamed && member.actor) || key.id,
      ...(proxySecret !== undefined && member.actor && { isProxied: true }),
      ...(key.maker !== null && { keyMaker: key.maker }),
      ...(key.segment !== null && { segment: key.segment }),
      ...((key.guard === "plan" || key.kind === "sign_in") && { isGuarded: true }),
    }
  }

  function takeUsed(): Map<string, number> {
    const taken = used
    used = new Map()
    return taken
  }

  function noteUsed(noted: ReadonlyMap<string, number>): void {
    for (const [id, at] of noted) used.set(id, Math.max(at, used.get(id) ?? 0))
  }

  return {
    authenticate: async ({ key, headers, isForTools, ...from }) =>
      callerOf(await identify(key, from, isForTools), headers),
    identify,
    callerOf,
    takeUsed,
    noteUsed,
  }
}

const NO_KEY = "An API key is required: send it in the X-API-Key header"
const NO_API_KEY = "This is not a leaddb API key: copy it whole, it begins with ldb_ and has 42 characters"
const UNKNOWN_KEY = "Unknown API key: it was revoked or belongs to another database"
const EXPIRED_KEY = "This API key has expired: create a new one"
const FOR_TOOLS = "This key is of a sign-in and holds for the tool server alone: create an API key"

async function refuse(failures: Windows<string>, address: string, message: string): Promise<never> {
  const { allowed, headers } = await failures.take(addressKey(address), FAILURES_PER_MINUTE)
  if (allowed) throw new AppError("unauthorized", message, { headers })
  const tooMany = "Too many requests with a missing or wrong API key; wait a little"
  throw new AppError("rate_limit_exceeded", tooMany, { headers })
}

interface Member {
  role: Role
  actor: string | undefined
}

/** The caller is the key itself: no proxy names a member. */
const HOLDER: Member = { role: "owner", actor: undefined }

/** The role and actor in the headers of the dashboard proxy, if they are trusted. */
function proxiedMember(headers: Headers, secret: string | undefined): Member {
  if (secret !== undefined) {
    const shown = headers.get("x-proxy-secret")
    if (shown === null) return HOLDER
    // A repeated header arrives joined and is wrong, too. Ignoring it would turn a viewer into an owner.
    if (!sameText(shown, secret)) throw new AppError("forbidden", WRONG_SECRET)
  }
  const sent = headers.get("x-member-role")
  // Repeated headers arrive joined: "viewer, owner" must not pass as an unrecognised role, which means owner.
  if (sent?.includes(",")) throw badRequest("X-Member-Role must hold exactly one role, got several")
  const named = ROLES.find((role) => role === sent?.trim().toLowerCase())
  if (secret !== undefined && !named) {
    throw badRequest(`X-Member-Role must be one of ${ROLES.join(", ")} on requests with X-Proxy-Secret`)
  }
  const actor = headers.get("x-actor-id")?.trim() || undefined
  if (sent === null && actor === undefined) return HOLDER
  if (actor && actor.length > 200) throw badRequest("X-Actor-Id must be at most 200 characters")
  return { role: named ?? "owner", actor }
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Bun.SHA256.hash(a), Bun.SHA256.hash(b)] as [Uint8Array, Uint8Array]
  return timingSafeEqual(left, right)
}

// Sessions of browsers: a cookie in place of an API key. Cookies reach every port of a host, and other pages can make a
// browser send them, so that one counts only on requests that the service's own pages make.

/** Content types that a form on any page can send. */
const OF_FORMS = ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"]

/**
 * The client of a request, with the origin that it sees: behind a proxy only settings and headers tell that. Everything is
 * computed on demand, as most requests need none of it.
 */
class ClientVisit implements Visit {
  constructor(
    private readonly request: Request,
    private readonly from: { readonly address: string },
    private readonly publicUrl: string | undefined,
  ) {}

  get address(): string {
    return this.from.address
  }

  gone(): AbortSignal {
    return this.request.signal
  }

  get agent(): string {
    return this.request.headers.get("user-agent") ?? ""
  }

  get ifMatch(): string | undefined {
    return this.request.headers.get("if-match") ?? undefined
  }

  get origin(): string {
    const { headers, url } = this.request
    const host = headers.get("host") ?? new URL(url).host
    const isPublic = this.publicUrl !== undefined && URL.parse(this.publicUrl)?.host === host
    const isSecure = isPublic
      ? this.publicUrl!.startsWith("https:")
      : headers.get("x-forwarded-proto")?.trim().toLowerCase() === "https"
    return `${isSecure ? "https" : "http"}://${host}`
  }
}

export function visitOf(
  request: Request,
  from: { readonly address: string },
  publicUrl: string | undefined,
): Visit {
  return new ClientVisit(request, from, publicUrl)
}

/** The cookie's name: `__Host-` keeps other hosts of the domain from setting it; the port tells local services apart. */
function cookieName({ origin }: Visit): string {
  const { protocol, port } = new URL(origin)
  return protocol === "https:" ? "__Host-leaddb" : `leaddb-${port || "80"}`
}

/** The value of Set-Cookie that begins or ends a session. */
export function sessionCookie({ token, lifetime }: SignedIn, visit: Visit): string {
  const secure = visit.origin.startsWith("https:") ? "; Secure" : ""
  const age = token === null ? 0 : lifetime
  return `${cookieName(visit)}=${token ?? ""}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${secure}`
}

/** The token in a request's cookies; undefined when there is none. */
export function sessionToken(headers: Headers, visit: Visit): string | undefined {
  const cookies = headers.get("cookie")
  if (!cookies) return undefined
  const start = `${cookieName(visit)}=`
  const pair = cookies.split(";").find((cookie) => cookie.trimStart().startsWith(start))
  return pair?.trim().slice(start.length) || undefined
}

export interface BrowserSessions {
  /** The caller with this token. Throws `unauthorized` for a session that has ended and for requests of other pages. */
  callerOf(token: string, request: Request, visit: Visit): Promise<Caller>
  /** The last use of each session since the last call, in Unix seconds. */
  takeUsed(): Map<string, number>
}

export function createBrowserSessions(store: Store, clock: Clock): BrowserSessions {
  let used = new Map<string, number>()
  return {
    async callerOf(token, request, visit) {
      refuseOtherPages(request, visit)
      const now = Math.floor(clock.now() / 1000)
      const holder = await store.read.sessions.findByHash(Bun.SHA256.hash(token) as Uint8Array)
      if (!holder) throw ended("Your session has ended")
      const { account, session } = holder
      const usedAt = Math.max(session.used_at, used.get(session.id) ?? 0)
      if (session.expires_at <= now || usedAt <= now - SESSION_IDLE) throw ended("Your session has timed out")
      used.set(session.id, now)
      const { kind, id, name } = sessionActor(session)
      return {
        account,
        keyId: session.key_id ?? session.member_id ?? session.id,
        role: session.role,
        actorId: kind === "key" && id !== null ? id : name,
        session: session.id,
        ...(session.member_id !== null && { memberId: session.member_id }),
      }
    },
    takeUsed() {
      const taken = used
      used = new Map()
      return taken
    },
  }
}

function ended(message: string): AppError {
  return new AppError("unauthorized", `${message}: sign in again, or send an API key in the X-API-Key header`)
}

function refuseOtherPages({ method, headers }: Request, { origin }: Visit): void {
  if (!isOwnPage(method, headers, origin)) {
    throw new AppError(
      "unauthorized",
      "A session counts only on requests of the dashboard's own pages; programs send an API key in X-API-Key",
    )
  }
  if (method === "GET" || method === "HEAD") return
  const type = mediaType(headers)
  if (type === undefined ? !isEmpty(headers) : OF_FORMS.includes(type)) {
    throw badRequest(
      "With a session the body must be JSON, or a file of its own type: Content-Type says which",
    )
  }
}

/**
 * Keeps pages of other origins from signing a browser in, for example as somebody else. Programs send neither of the
 * headers that name a page's origin. Throws `forbidden` for a page of another origin and `bad_request` for a body that is
 * not declared to be JSON, which is all that a form can send.
 */
export function refuseForeignSignIn(request: Request, { origin }: Visit): void {
  const { headers } = request
  const site = headers.get("sec-fetch-site")
  const from = headers.get("origin")
  if (site === null ? from !== null && from !== origin : site !== "same-origin") {
    throw new AppError("forbidden", "Signing in works on the dashboard's own pages, not from another origin")
  }
  const type = mediaType(headers)
  if (type === undefined ? !isEmpty(headers) : type !== "application/json") {
    throw badRequest("Send the sign-in as JSON, with Content-Type: application/json")
  }
}

function isEmpty(headers: Headers): boolean {
  return (headers.get("content-length") ?? "0") === "0" && !headers.has("transfer-encoding")
}

/** Browsers send Sec-Fetch-Site on HTTPS and localhost; elsewhere reads carry the origin in Referer alone. */
function isOwnPage(method: string, headers: Headers, origin: string): boolean {
  const site = headers.get("sec-fetch-site")
  if (site !== null) return site === "same-origin"
  const from = headers.get("origin")
  if (from !== null) return from === origin
  const isRead = method === "GET" || method === "HEAD"
  return isRead && URL.parse(headers.get("referer") ?? "")?.origin === origin
}
