// The page on which a person signs in and lets a client in, or not: GET shows it, POST decides.
import { parse, serialize } from "hono/utils/cookie"
import { parseLoginCode } from "../../access/login-code.ts"
import { isAtLeast, ROLES, type Role } from "../../access/rights.ts"
import { seal, unseal } from "../../access/sealed.ts"
import { newSecret } from "../../access/secret.ts"
import { type AppApproval, readApproval, sealAppRequest } from "../../domain/access/app-sign-in.ts"
import { checkLoginCode } from "../../domain/access/login-codes.ts"
import { AppError } from "../../runtime/errors.ts"
import type { OAuthGrant } from "../../store/contract/store.ts"
import {
  type AuthorizeMistake,
  type AuthorizeRequest,
  parseAuthorize,
  requestFields,
} from "./authorize-request.ts"
import { answerUrl, isLoopback } from "./client.ts"
import { usedUntil } from "./clients.ts"
import { type ConsentForm, consentPage } from "./consent-page.ts"
import { mistakePage, problemPage, returnPage } from "./page.ts"
import { type Parameters, readForm, readParameters } from "./parameters.ts"
import { hashSecret, type OAuth, type SignInVisit } from "./parts.ts"

/** Seconds that a client has to fetch its key. */
const CODE_LIFETIME = 60

/** Shows what a client asks for, or says why not. */
export async function showConsent(oauth: OAuth, visit: SignInVisit): Promise<Response> {
  const sent = readParameters(new URL(visit.request.url).searchParams)
  const asked = await parseAuthorize(oauth, visit, sent)
  if ("problem" in asked) return problemPage(asked.problem)
  if ("error" in asked) return tellMistake(asked, visit)
  return showForm(oauth, visit, asked, { approval: approvalIn(oauth, visit, asked, sent) })
}

/** The dashboard session that was proved to a page of this browser, when one comes with the request. */
function approvalIn(
  { services }: OAuth,
  { request, now }: SignInVisit,
  asked: AuthorizeRequest,
  sent: Parameters,
): (AppApproval & { text: string }) | undefined {
  const text = sent.get("signed_in") ?? ""
  const approval = readApproval(services.secret, text, now)
  if (!approval) return undefined
  const { token } = approval
  return isConsentSealed(services.secret, cookieOf(request), asked, { token, now })
    ? { ...approval, text }
    : undefined
}

/**
 * Whether a form stood on somebody else's page: browsers say so, programs do not. "null" is what browsers say of our own
 * page, which tells nobody where it is.
 */
function isForeign({ request: { headers }, origin }: SignInVisit): boolean {
  const site = headers.get("sec-fetch-site")
  if (site !== null && site !== "same-origin") return true
  const from = headers.get("origin")
  if (from === null || from === "null") return false
  const host = URL.parse(from)?.host
  return host !== new URL(origin).host && host !== headers.get("host")
}

/** Takes what the person decided. */
export async function takeConsent(oauth: OAuth, visit: SignInVisit): Promise<Response> {
  const sent = await readForm(visit.request)
  if (!sent || isForeign(visit)) {
    return problemPage("This form did not come from our own page. Nothing was done.", 403)
  }
  const asked = await parseAuthorize(oauth, visit, sent)
  if ("problem" in asked) return problemPage(asked.problem)
  if ("error" in asked) return tellMistake(asked, visit)
  const isSealed = isConsentSealed(oauth.services.secret, cookieOf(visit.request), asked, {
    token: sent.get("token"),
    now: visit.now,
  })
  if (!isSealed) {
    const page = "This page was open for too long, or your browser takes no cookies. Please decide again."
    return showForm(oauth, visit, asked, { problems: { page }, status: 403 })
  }
  if (sent.get("decision") === "deny") return sendDecision(visit, asked, { error: "access_denied" })
  return allow(oauth, visit, asked, sent)
}

async function allow(
  oauth: OAuth,
  visit: SignInVisit,
  asked: AuthorizeRequest,
  sent: Parameters,
): Promise<Response> {
  const role = ROLES.find((one) => one === sent.get("role"))
  const approval = approvalIn(oauth, visit, asked, sent)
  if (role === undefined)
    return showForm(oauth, visit, asked, { approval, problems: { role: "Choose one." }, status: 400 })
  const signer = approval ?? (await signIn(oauth, visit, sent.get("key")))
  if ("problem" in signer) {
    const { problem, ...refused } = signer
    return showForm(oauth, visit, asked, { ...refused, role, problems: { key: problem } })
  }
  if (!isAtLeast(signer.role, role)) {
    const again = approval ? "" : ", and sign in again"
    const problem = `You signed in as ${signer.role}: choose no more than that${again}.`
    return showForm(oauth, visit, asked, { approval, role, problems: { role: problem }, status: 403 })
  }
  const code = await grant(oauth, visit, asked, { signer, role })
  if (code !== undefined) return sendDecision(visit, asked, { code })
  const problem = "This code has just been used. Make a new one."
  return showForm(oauth, visit, asked, { role, problems: { key: problem }, status: 403 })
}

/** The code with which the client fetches its key; undefined when the one-time code was used meanwhile. */
async function grant(
  { services, log }: OAuth,
  { now }: SignInVisit,
  { client, redirectUri, resource, challenge }: AuthorizeRequest,
  { signer, role }: { signer: Signer; role: Role },
): Promise<string | undefined> {
  const code = newSecret()
  const allowed: OAuthGrant = {
    client_id: client.id,
    client_name: client.name,
    redirect_uri: redirectUri,
    resource,
    challenge,
    role,
    signer_id: signer.keyId,
    created_at: now,
    expires_at: now + CODE_LIFETIME,
  }
  const isGranted = await services.store.write(signer.account, async (tx) => {
    if (signer.selector !== undefined && !(await tx.oauth.removeLogin(signer.selector))) return false
    await tx.oauth.insertGrant(signer.account, hashSecret(code), allowed)
    await tx.oauth.keepClient(client.id, now, usedUntil(now))
    return true
  })
  if (!isGranted) return undefined
  const by = signer.keyId ?? "a one-time code"
  log.info("a client was allowed to connect", { client: client.name, client_id: client.id, role, by })
  return code
}

interface FormState {
  approval?: ConsentForm["approval"]
  problems?: ConsentForm["problems"]
  role?: Role
  status?: number
  headers?: Readonly<Record<string, string>>
}

/** The consent page, the first time or again with what was wrong. */
function showForm(
  { services, dashboardOf }: OAuth,
  visit: SignInVisit,
  asked: AuthorizeRequest,
  state: FormState,
): Promise<Response> {
  const nonce = consentNonce(cookieOf(visit.request))
  const cookie = serialize(CONSENT_COOKIE, nonce, {
    path: "/authorize",
    httpOnly: true,
    // Lax, so that one that is there comes along from the client's page, and several pages can be open.
    sameSite: "Lax",
    secure: visit.origin.startsWith("https:"),
    maxAge: CONSENT_LIFETIME,
  })
  const token = seal(services.secret, consentUse(nonce, asked), {}, visit.now + CONSENT_LIFETIME)
  const { approval, problems = {}, status = 200, headers } = state
  const role = state.role ?? (approval?.role === "viewer" ? "viewer" : "editor")
  const page = `${visit.origin}/authorize?${new URLSearchParams(requestFields(asked))}`
  const request = { app: asked.client.name, page, token }
  const dashboard = dashboardOf(visit.origin)
  const form = {
    asked,
    origin: visit.origin,
    token,
    role,
    problems,
    approval,
    ...(dashboard && {
      dashboard: `${dashboard}/app/connect-app#${sealAppRequest(services.secret, request, visit.now)}`,
    }),
  }
  return consentPage(form, { status, headers: { ...headers, "Set-Cookie": cookie } })
}

function cookieOf(request: Request): string | undefined {
  return parse(request.headers.get("cookie") ?? "", CONSENT_COOKIE)[CONSENT_COOKIE]
}

/** Sends a decision to the client's own address, with our name, so that it knows who answers (RFC 9207). */
function sendDecision(
  { request, origin }: SignInVisit,
  { client, redirectUri, state }: AuthorizeRequest,
  decision: { code: string } | { error: "access_denied" },
): Promise<Response> | Response {
  const url = answerUrl(redirectUri, { ...decision, state, iss: origin })
  // A client that does not ask for a page is a program, and follows a plain redirect.
  if (request.headers.get("accept")?.includes("text/html")) return returnPage(client, url, "code" in decision)
  return redirect(url)
}

function tellMistake(mistake: AuthorizeMistake, { origin }: SignInVisit): Promise<Response> | Response {
  const { client, redirectUri, error, description, state } = mistake
  const url = answerUrl(redirectUri, { error, error_description: description, state, iss: origin })
  return isLoopback(redirectUri) ? redirect(url) : mistakePage(client, url, description)
}

function redirect(url: string): Response {
  const headers = { Location: url, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" }
  return new Response(null, { status: 303, headers })
}

// Binds a posted consent form to the page that it stood on: to that browser by a cookie, to what the client asked
// for and to 10 minutes by a signature.

/** Seconds that a page may stay open. */
const CONSENT_LIFETIME = 600
const CONSENT_COOKIE = "leaddb_consent"

/** The cookie's text: the one that is there, so that several pages may be open, or a new one. */
function consentNonce(cookie: string | undefined): string {
  if (cookie !== undefined && /^[\w-]{22}$/.test(cookie)) return cookie
  return Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64url")
}

/** Whether a form's text was sealed for this browser and this request, and lately. */
function isConsentSealed(
  secret: Uint8Array,
  nonce: string | undefined,
  asked: AuthorizeRequest,
  { token = "", now }: { token: string | undefined; now: number },
): boolean {
  return nonce !== undefined && unseal(secret, consentUse(nonce, asked), token, now) !== undefined
}

/** What a form's text is for: one page of one browser, and what the client asks for. */
function consentUse(
  nonce: string,
  { client, redirectUri, state, challenge, resource }: AuthorizeRequest,
): string {
  return JSON.stringify(["consent", nonce, client.id, redirectUri, state ?? null, challenge, resource])
}

/** Tries of one code from one place: others behind the same address go on. */
const LOGIN_CODE_TRIES_PER_TEN_MINUTES = 10
/** Tries of any code from one place: each is a write. */
const LOGIN_TRIES_PER_TEN_MINUTES = 300

/** The rights that a person has proved. */
interface Signer {
  account: number
  /** The most that it can pass on. */
  role: Role
  /** The key that signed in, and when that ends; what it grants ends with it. */
  keyId: string | null
  expiresAt: number | null
  /** The one-time code that signed in, still to be used up. */
  selector?: string
}

/** Why a sign-in was refused, for the page, with the status of the answer. */
interface NotSignedIn {
  problem: string
  status: 400 | 403 | 429
  headers?: Readonly<Record<string, string>>
}

/** Signs in with an account key or a one-time code, whichever was typed. */
async function signIn(
  oauth: OAuth,
  visit: SignInVisit,
  typed: string | undefined,
): Promise<Signer | NotSignedIn> {
  const text = typed?.trim() ?? ""
  if (text === "") return { status: 400, problem: "Enter an API key or a one-time code." }
  if (text.startsWith("ldb_")) return byKey(oauth, visit, text)
  if (parseLoginCode(text)) return byLoginCode(oauth, visit, text)
  return { status: 400, problem: "This is neither an API key nor a one-time code." }
}

async function byKey({ auth }: OAuth, { address }: SignInVisit, key: string): Promise<Signer | NotSignedIn> {
  try {
    const { account, key: row } = await auth.identify(key, { address })
    const { id: keyId, role, expires_at: expiresAt, segment } = row
    if (segment !== null)
      return { status: 403, problem: "This API key is bound to a segment: send it as the bearer token." }
    return { account: account.key, role, keyId, expiresAt }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    const { headers } = thrown
    if (thrown.kind === "rate_limit_exceeded") return { status: 429, problem: `${thrown.message}.`, headers }
    return { status: 403, problem: `${thrown.message}.` }
  }
}

async function byLoginCode(
  { services, limits }: OAuth,
  { address, now }: SignInVisit,
  typed: string,
): Promise<Signer | NotSignedIn> {
  // Taken before it is looked at: a right guess must not get past the limit either.
  const ofCode = await limits.loginCodes.take(
    `${address} ${parseLoginCode(typed)?.selector}`,
    LOGIN_CODE_TRIES_PER_TEN_MINUTES,
  )
  const { allowed, headers } = ofCode.allowed
    ? await limits.loginCodes.take(address, LOGIN_TRIES_PER_TEN_MINUTES)
    : ofCode
  if (!allowed) {
    const minutes = Math.ceil(Number(headers["Retry-After"]) / 60)
    return { status: 429, problem: `Too many one-time codes were tried. Wait ${minutes} min.`, headers }
  }
  const login = await checkLoginCode(services.store, typed, now)
  if (!login)
    return { status: 403, problem: "This code is wrong, used or older than 10 minutes. Make a new one." }
  const { account, role, selector } = login
  return { account, role, keyId: null, expiresAt: null, selector }
}
