// Signing in to the dashboard with a provider: `/oidc/sign-in` leads there, `/oidc/callback` comes back with a session.

import type { Context, Hono } from "hono"
import { html } from "hono/html"
import * as v from "valibot"
import { unixSeconds } from "../../core/clock.ts"
import { AppError, asAppError } from "../../core/errors.ts"
import type { Log } from "../../core/log.ts"
import { parse } from "../../core/parse.ts"
import { findInvited } from "../../domain/access/members.ts"
import { signInFromProvider } from "../../domain/access/provider-sign-in.ts"
import { contextOf, NOBODY, type Services, type Visit } from "../../domain/operation.ts"
import { readPost } from "../forms/body.ts"
import { refuseForeignSignIn, sessionCookie, visitOf } from "../http/browser-session.ts"
import { addressKey } from "../http/client-address.ts"
import type { RateLimit } from "../http/rate-limit.ts"
import { column, respondPage } from "../oauth/page.ts"
import type { RestEnv } from "../ops/bindings.ts"
import { forgottenCookie, keptCookie, keptIn, OIDC_PATH } from "./begun.ts"
import { personOf } from "./person.ts"
import { createOidcProvider, type OidcSettings } from "./provider.ts"

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
    const kept = keptCookie(secret, { ...begun, to: pageOf(req.query("to")) }, visit, now())
    return redirect(url.href, [kept])
  }

  /** Begins by an invitation. Only the page that shows whose it is can: a mere link would bind who follows it. */
  async function beginInvited({ req }: Context<RestEnv>, visit: Visit): Promise<Response> {
    refuseForeignSignIn(req.raw, visit)
    const { invite } = parse(Invited, (await readPost(req.raw, new Set())).posted)
    await findInvited(services.store.read.members, invite, now())
    const { url, begun } = await provider.begin(visit.origin + CALLBACK)
    const kept = keptCookie(secret, { ...begun, to: HOME, invite }, visit, now())
    return Response.json(
      { location: url.href },
      { headers: { "Set-Cookie": kept, "Cache-Control": "no-store" } },
    )
  }

  async function finish({ req }: Context<RestEnv>, visit: Visit): Promise<Response> {
    const kept = keptIn(secret, req.raw.headers, now())
    if (!kept)
      throw new AppError("unauthorized", "This sign-in was begun in another browser, or over 10 minutes ago")
    const back = new URL(visit.origin + CALLBACK + new URL(req.url).search)
    const person = personOf(await provider.finish(back, kept), settings)
    const signedIn = await signInFromProvider(contextOf(services, NOBODY, visit), person, kept.invite)
    // The dashboard asks for a session that it does not know of.
    return redirect(`${kept.to}#oidc`, [sessionCookie(signedIn, visit), forgottenCookie(visit)])
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
