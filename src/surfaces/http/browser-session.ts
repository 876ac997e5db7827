// Sessions of browsers: a cookie in place of an API key. Cookies reach every port of a host, and other pages can make a
// browser send them, so that one counts only on requests that the service's own pages make.

import type { SignedIn } from "../../access/signed-in.ts"
import { SESSION_IDLE, sessionActor } from "../../domain/access/sessions.ts"
import type { Caller, Visit } from "../../domain/operation.ts"
import type { Clock } from "../../runtime/clock.ts"
import { AppError, badRequest } from "../../runtime/errors.ts"
import type { Store } from "../../store/contract/store.ts"

/** Content types that a form on any page can send. */
const OF_FORMS = ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"]

/**
 * Where a request comes from, with the origin that the client sees: behind a proxy only settings and headers tell it.
 * Everything is worked out when it is asked for: most requests do without.
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
  const found = cookies.split(";").find((cookie) => cookie.trimStart().startsWith(start))
  return found?.trim().slice(start.length) || undefined
}

export interface BrowserSessions {
  /** Who asks with this token. Throws `unauthorized` for a session that has ended and for requests of other pages. */
  callerOf(token: string, request: Request, visit: Visit): Promise<Caller>
  /** When each session was last used, in Unix seconds, since this was asked last. */
  takeUsed(): Map<string, number>
}

export function createBrowserSessions(store: Store, clock: Clock): BrowserSessions {
  let used = new Map<string, number>()
  return {
    async callerOf(token, request, visit) {
      refuseOtherPages(request, visit)
      const now = Math.floor(clock.now() / 1000)
      const found = await store.read.sessions.findByHash(Bun.SHA256.hash(token) as Uint8Array)
      if (!found) throw ended("Your session has ended")
      const { account, session } = found
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
 * Keeps pages of other origins from signing a browser in, as somebody else for example. Programs send neither header
 * that tells where a page is. Throws `forbidden` for a page of another origin and `bad_request` for a body that is
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

function mediaType(headers: Headers): string | undefined {
  return headers.get("content-type")?.split(";")[0]?.trim().toLowerCase()
}

function isEmpty(headers: Headers): boolean {
  return (headers.get("content-length") ?? "0") === "0" && !headers.has("transfer-encoding")
}

/** Browsers say it outright on HTTPS and localhost; elsewhere reads show where they come from in Referer alone. */
function isOwnPage(method: string, headers: Headers, origin: string): boolean {
  const site = headers.get("sec-fetch-site")
  if (site !== null) return site === "same-origin"
  const from = headers.get("origin")
  if (from !== null) return from === origin
  const isRead = method === "GET" || method === "HEAD"
  return isRead && URL.parse(headers.get("referer") ?? "")?.origin === origin
}
