// Signing in to the dashboard with a provider: `/oidc/sign-in` leads there, `/oidc/callback` comes back with a session.
import type { Context, Hono } from "hono"
import { html } from "hono/html"
import { parse as parseCookies } from "hono/utils/cookie"
import type { Configuration, IDToken } from "openid-client"
import * as v from "valibot"
import { ROLES, type Role } from "../../access/rights.ts"
import { isSigned, signatureOf } from "../../access/sealed.ts"
import { findInvited } from "../../domain/access/members.ts"
import { type ProviderPerson, signInFromProvider } from "../../domain/access/provider-sign-in.ts"
import { contextOf, NOBODY, type Services, type Visit } from "../../domain/operation.ts"
import { isObject, parse } from "../../lead/parse.ts"
import { unixSeconds } from "../../runtime/clock.ts"
import { AppError, asAppError } from "../../runtime/errors.ts"
import type { Log } from "../../runtime/log.ts"
import { readPost } from "../forms/body.ts"
import { refuseForeignSignIn, sessionCookie, visitOf } from "../http/auth.ts"
import type { RateLimit } from "../http/limits.ts"
import { addressKey } from "../http/request.ts"
import { column, respondPage } from "../oauth/page.ts"
import type { RestEnv } from "../ops/observer.ts"

// What a browser keeps while a person is at the provider: a signed cookie for the way back alone.

/** Seconds that a person may take at the provider. */
const LIFETIME_S = 10 * 60
const NAME = "leaddb-oidc"
const OIDC_PATH = "/oidc"

const Kept = v.strictObject({
  state: v.string(),
  nonce: v.string(),
  verifier: v.string(),
  /** The page of the dashboard that was asked for. */
  to: v.string(),
  /** The secret of the invitation whose link was opened. */
  invite: v.optional(v.string()),
  /** Unix seconds. */
  until: v.number(),
})
type KeptSignIn = v.InferOutput<typeof Kept>

/** The value of Set-Cookie that keeps a begun sign-in. Lax, since the way back is a link of the provider's. */
function keptCookie(
  secret: Uint8Array,
  begun: Omit<KeptSignIn, "until">,
  { origin }: Visit,
  now: number,
): string {
  const payload = Buffer.from(JSON.stringify({ ...begun, until: now + LIFETIME_S })).toString("base64url")
  return cookie(`${payload}.${signatureOf(secret, `oidc ${payload}`)}`, LIFETIME_S, origin)
}

/** The value of Set-Cookie that deletes it. */
const forgottenCookie = ({ origin }: Visit) => cookie("", 0, origin)

function cookie(value: string, seconds: number, origin: string): string {
  const secure = origin.startsWith("https:") ? "; Secure" : ""
  return `${NAME}=${value}; Path=${OIDC_PATH}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`
}

/** The sign-in that a browser began; undefined for none, an old one, and one that is not of this service. */
function keptIn(secret: Uint8Array, headers: Headers, now: number): KeptSignIn | undefined {
  const [payload = "", signature = ""] =
    parseCookies(headers.get("cookie") ?? "", NAME)[NAME]?.split(".") ?? []
  if (!isSigned(signature, signatureOf(secret, `oidc ${payload}`))) return undefined
  const parsed = v.safeParse(Kept, JSON.parse(Buffer.from(payload, "base64url").toString()))
  return parsed.success && parsed.output.until > now ? parsed.output : undefined
}

export interface OidcParts {
  settings: OidcSettings
  services: Services
  rateLimit: RateLimit
  log: Log
  publicUrl: string | undefined
}

const SIGN_IN = `${OIDC_PATH}/sign-in`
const CALLBACK = `${OIDC_PATH}/callback`
const HOME = "/app"
const Invited = v.strictObject({ invite: v.pipe(v.string("must be text"), v.maxLength(200, "is too long")) })

/** Adds the two routes. */
export function mountOidc(app: Hono<RestEnv>, parts: OidcParts): void {
  const { services, settings, rateLimit, publicUrl, log } = parts
  const { secret } = services
  const provider = createOidcProvider(settings, () => services.clock.monotonic())
  const now = () => unixSeconds(services.clock.now())

  async function begin({ req }: Context<RestEnv>, visit: Visit): Promise<Response> {
    const { url, begun } = await provider.begin(visit.origin + CALLBACK)
    const stateCookie = keptCookie(secret, { ...begun, to: pageOf(req.query("to")) }, visit, now())
    return redirect(url.href, [stateCookie])
  }

  /** Begins by an invitation. Only the page that shows whose it is can: a mere link would bind who follows it. */
  async function beginInvited({ req }: Context<RestEnv>, visit: Visit): Promise<Response> {
    refuseForeignSignIn(req.raw, visit)
    const { invite } = parse(Invited, (await readPost(req.raw, new Set())).posted)
    await findInvited(services.store.read.members, invite, now())
    const { url, begun } = await provider.begin(visit.origin + CALLBACK)
    const stateCookie = keptCookie(secret, { ...begun, to: HOME, invite }, visit, now())
    return Response.json(
      { location: url.href },
      { headers: { "Set-Cookie": stateCookie, "Cache-Control": "no-store" } },
    )
  }

  async function finish({ req }: Context<RestEnv>, visit: Visit): Promise<Response> {
    const begun = keptIn(secret, req.raw.headers, now())
    if (!begun)
      throw new AppError("unauthorized", "This sign-in was begun in another browser, or over 10 minutes ago")
    const back = new URL(visit.origin + CALLBACK + new URL(req.url).search)
    const person = personOf(await provider.finish(back, begun), settings)
    const signedIn = await signInFromProvider(contextOf(services, NOBODY, visit), person, begun.invite)
    // The dashboard asks for a session that it does not know of.
    return redirect(`${begun.to}#oidc`, [sessionCookie(signedIn, visit), forgottenCookie(visit)])
  }

  async function admitted(c: Context<RestEnv>, path: string, work: typeof begin): Promise<Response> {
    c.env.trace.route = path
    const visit = visitOf(c.req.raw, c.env, publicUrl)
    await rateLimit.admitVisitor(addressKey(visit.address))
    c.env.keepOpen()
    return work(c, visit)
  }

  const page = (path: string, work: typeof begin) =>
    app.get(path, async (c) => {
      try {
        return await admitted(c, path, work)
      } catch (thrown) {
        const error = asAppError(thrown)
        if (error.status >= 500) log.warn("a sign-in with the provider failed", { reason: reasonOf(thrown) })
        return problemPage(error, visitOf(c.req.raw, c.env, publicUrl))
      }
    })
  page(SIGN_IN, begin)
  page(CALLBACK, finish)
  app.post(SIGN_IN, (c) => admitted(c, SIGN_IN, beginInvited))
}

/** The page that a sign-in leads to: one of the dashboard's, whatever was asked for. */
function pageOf(asked = HOME): string {
  return /^\/app(\/[\w./-]*)?(\?[^#\\]*)?$/.test(asked) ? asked : HOME
}

function redirect(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({
    Location: location,
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
  })
  for (const cookie of cookies) headers.append("Set-Cookie", cookie)
  return new Response(null, { status: 303, headers })
}

function problemPage(error: AppError, visit: Visit): Promise<Response> {
  const title = "Not signed in"
  const body = column(html`<h1>${title}</h1>
<p role="alert">${error.message}.</p>
<p><a class="button" href="${HOME}">Back to the sign-in</a></p>`)
  return respondPage({
    ...{ title, body, status: error.status },
    headers: { ...error.headers, "Set-Cookie": forgottenCookie(visit) },
  })
}

/** The words of an error and of what caused it. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  return thrown.cause === undefined ? thrown.message : `${thrown.message} (${reasonOf(thrown.cause)})`
}

// Claims of a provider as a person of this service.

/** Only an email that the provider has verified counts. */
function personOf(claims: Claims, { issuer, roleClaim }: OidcSettings): ProviderPerson {
  const email = claims.email_verified === true ? textOf(claims.email) : undefined
  const subject = textOf(claims.sub) ?? ""
  const name = [claims.name, claims.preferred_username, email, subject].map(textOf).find(Boolean)
  return {
    subject: `${issuer} ${subject}`,
    email,
    name: name ?? subject,
    role: roleOf(claimAt(claims, roleClaim)),
  }
}

/** The highest of the roles that a claim names; null where it names none of ours, undefined where it is missing. */
function roleOf(claim: unknown): Role | null | undefined {
  if (claim === undefined) return undefined
  const named = (Array.isArray(claim) ? claim : [claim]).map((one) => textOf(one)?.toLowerCase())
  return ROLES.findLast((role) => named.includes(role)) ?? null
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined
}

// The provider of OpenID Connect that people sign in with: discovery, authorization code with PKCE, state and nonce.

interface OidcSettings {
  /** The provider's issuer, such as `https://login.example.com`. */
  issuer: string
  clientId: string
  /** Without one the client is public. */
  clientSecret?: string | undefined
  /** The claim that names the role; dots lead into objects. */
  roleClaim: string
}

/** State that finishes a sign-in; the browser keeps it meanwhile. */
interface BegunSignIn {
  state: string
  nonce: string
  verifier: string
}

type Claims = Readonly<Record<string, unknown>>

interface OidcProvider {
  /** The address at the provider that begins a sign-in. Throws `unavailable`. */
  begin(redirectUri: string): Promise<{ url: URL; begun: BegunSignIn }>
  /** The checked claims of the person who came back to `url`. Throws `unauthorized` and `unavailable`. */
  finish(url: URL, begun: BegunSignIn): Promise<Claims>
}

const SCOPE = "openid email profile"
const TIMEOUT_S = 10
/** Milliseconds for which the provider's description is used. */
const DESCRIPTION_MS = 60 * 60_000

const library = () => import("openid-client")

function createOidcProvider(settings: OidcSettings, now: () => number): OidcProvider {
  let cached: { at: number; description: Promise<Configuration> } | undefined

  function describe(): Promise<Configuration> {
    if (cached && now() - cached.at < DESCRIPTION_MS) return cached.description
    const description = discover(settings)
    cached = { at: now(), description }
    // The next sign-in asks again.
    description.catch(() => (cached = undefined))
    return description
  }

  return {
    async begin(redirectUri) {
      const client = await library()
      const config = await reached(describe())
      const begun = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: SCOPE,
        code_challenge: await client.calculatePKCECodeChallenge(begun.verifier),
        code_challenge_method: "S256",
        state: begun.state,
        nonce: begun.nonce,
      })
      return { url, begun }
    },
    async finish(url, { state, nonce, verifier }) {
      const client = await library()
      const config = await reached(describe())
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
      const tokens = await client
        .authorizationCodeGrant(config, url, { ...checks, idTokenExpected: true })
        .catch((error: unknown) => {
          throw refusedBy(error, client)
        })
      const claims = tokens.claims()
      if (!claims) throw refused("it named nobody")
      return { ...(await moreAbout(config, tokens.access_token, claims, settings)), ...claims }
    },
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const client = await library()
  const url = new URL(issuer)
  const auth = clientSecret === undefined ? client.None() : undefined
  // Settings take http for this machine alone.
  const execute = url.protocol === "http:" ? [client.allowInsecureRequests] : []
  return client.discovery(url, clientId, clientSecret, auth, {
    execute: [...execute, client.enableNonRepudiationChecks],
    timeout: TIMEOUT_S,
  })
}

/** Claims that the provider gives only when it is asked: none where it cannot be, as these are no more than the token's. */
async function moreAbout(
  config: Configuration,
  token: string,
  claims: IDToken,
  { roleClaim }: OidcSettings,
): Promise<Claims> {
  const isComplete = claimAt(claims, roleClaim) !== undefined && claims.email !== undefined
  if (isComplete || config.serverMetadata().userinfo_endpoint === undefined) return {}
  const client = await library()
  return reached(client.fetchUserInfo(config, token, claims.sub))
}

/** A claim by its name, or by the names that lead to it with dots between them. */
function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const part of name.split(".")) {
    if (!isObject(value) || !Object.hasOwn(value, part)) return undefined
    value = value[part]
  }
  return value
}

async function reached<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (cause) {
    const message = "The sign-in provider did not answer as it should: try again in a moment"
    throw new AppError("unavailable", message, { cause })
  }
}

function refusedBy(error: unknown, client: Awaited<ReturnType<typeof library>>): AppError {
  if (error instanceof client.AuthorizationResponseError)
    return refused(error.error === "access_denied" ? "it was cancelled there" : error.error, error)
  if (error instanceof client.ResponseBodyError) return refused(error.error, error)
  return refused("its answer does not belong to this sign-in, or has expired", error)
}

function refused(reason: string, cause?: unknown): AppError {
  return new AppError("unauthorized", `The provider did not sign you in: ${reason}`, { cause })
}
