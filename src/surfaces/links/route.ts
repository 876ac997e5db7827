// Public addresses of segments: /l/TOKEN is a page, /l/TOKEN.csv the list as CSV.
import type { Context, Hono } from "hono"
import { parse, serialize } from "hono/utils/cookie"
import {
  isPassOf,
  isPasswordOf,
  LINK_PATH,
  openSharedList,
  PASS_LIFETIME,
  passOf,
  readSharedCsv,
  readSharedRows,
  type SharedList,
} from "../../domain/links/shared-list.ts"
import type { Services, Visit } from "../../domain/operation.ts"
import { AppError } from "../../runtime/errors.ts"
import type { Log } from "../../runtime/log.ts"
import { visitOf } from "../http/auth.ts"
import { forStrangers } from "../http/for-strangers.ts"
import type { RateLimit } from "../http/limits.ts"
import { addressKey } from "../http/request.ts"
import type { RestEnv } from "../ops/observer.ts"

export interface LinkParts {
  services: Services
  rateLimit: RateLimit
  log: Log
  publicUrl?: string | undefined
}

type Ask = Context<RestEnv, "/l/:token">
type Answer = Response | Promise<Response>

/** One text for an unknown, expired and revoked address: they cannot be told from each other. */
const GONE = "This list is not shared here: the address is wrong, has expired or was revoked"

const CLOSED_FOR_NOW = "This list cannot be shown at the moment; try again later"

/** Adds the public lists. Their pages are loaded with the first request. */
export function mountLinks(app: Hono<RestEnv>, parts: LinkParts): void {
  const path = `${LINK_PATH}/:token` as const
  app.get(path, (c) => withSharedList(c, parts, (list) => show(c, list)))
  app.post(path, (c) => withSharedList(c, parts, (list, visit) => takePassword(c, list, visit, parts)))
}

/** Opens the list of the request and answers errors as pages. */
async function withSharedList(
  c: Ask,
  { services, rateLimit, log, publicUrl }: LinkParts,
  answer: (list: SharedList, visit: Visit) => Answer,
): Promise<Response> {
  const { trace, address } = c.env
  trace.route = `${LINK_PATH}/:token`
  try {
    const visit = visitOf(c.req.raw, c.env, publicUrl)
    await rateLimit.admitReader(addressKey(address))
    const list = await openSharedList(services, tokenOf(c), visit)
    if (!list) throw new AppError("not_found", GONE)
    // Visitors without the password must not use up the limit of those who know it.
    if (isLetIn(c, list)) await rateLimit.admitShared(list.link.id)
    trace.account = list.ctx.caller.account.id
    return await answer(list, visit)
  } catch (thrown) {
    const error = forStrangers(thrown, CLOSED_FOR_NOW, trace, log)
    // The list is sorted or filtered otherwise by now: it begins anew.
    if (error.kind === "cursor_expired") return redirect(`${LINK_PATH}/${tokenOf(c)}`)
    return refuse(c, error)
  }
}

const CSV_NAME = /\.csv$/
const tokenOf = (c: Ask) => c.req.param("token").replace(CSV_NAME, "")
const isCsv = (c: Ask) => CSV_NAME.test(c.req.param("token")) || c.req.query("format") === "csv"

/** Keeps search engines away from what is not a page. */
const NOT_INDEXED = { "X-Robots-Tag": "noindex, nofollow", "Cache-Control": "no-store" }

async function refuse(c: Ask, { message, status, headers }: AppError): Promise<Response> {
  if (isCsv(c)) {
    const plain = { "Content-Type": "text/plain; charset=utf-8", ...NOT_INDEXED, ...headers }
    return new Response(`${message}\n`, { status, headers: plain })
  }
  const { linkProblemPage } = await import("./pages.ts")
  return linkProblemPage(message, status, headers)
}

async function show(c: Ask, list: SharedList): Promise<Response> {
  if (!isLetIn(c, list)) {
    if (isCsv(c))
      throw new AppError("unauthorized", "This list has a password: open its page in this browser first")
    const { passwordPage } = await import("./pages.ts")
    return passwordPage(list)
  }
  c.env.keepOpen()
  if (isCsv(c)) {
    c.env.expectFile()
    const { contentType, fileName, stream } = await readSharedCsv(list)
    const headers = {
      "Content-Type": contentType,
      "Content-Disposition": `attachment; filename="${fileName}"`,
    }
    return new Response(stream, { headers: { ...NOT_INDEXED, ...headers } })
  }
  const rows = await readSharedRows(list, c.req.query("cursor") || undefined)
  const { sharedListPage } = await import("./pages.ts")
  return sharedListPage(list, rows, new URL(c.req.url).pathname)
}

const cookieName = ({ link }: SharedList) => `leaddb-${link.id}`

function isLetIn(c: Ask, list: SharedList): boolean {
  if (list.link.password === null) return true
  const name = cookieName(list)
  const pass = parse(c.req.header("cookie") ?? "", name)[name]
  return pass !== undefined && isPassOf(list, pass)
}

/** Checks the password of the form, and sends the browser back to the page with a pass in a cookie. */
async function takePassword(
  c: Ask,
  list: SharedList,
  visit: Visit,
  { rateLimit }: LinkParts,
): Promise<Response> {
  const { readForm } = await import("../oauth/parameters.ts")
  const password = (await readForm(c.req.raw))?.get("password") ?? ""
  const passed = rateLimit.admitGuess(addressKey(c.env.address), list.link.id)
  if (!(await isPasswordOf(list, password))) {
    const { passwordPage } = await import("./pages.ts")
    return passwordPage(list, "That is not the password.")
  }
  passed()
  const cookie = serialize(cookieName(list), passOf(list), {
    path: LINK_PATH,
    httpOnly: true,
    sameSite: "Lax",
    secure: visit.origin.startsWith("https:"),
    maxAge: PASS_LIFETIME,
  })
  return redirect(`${LINK_PATH}/${tokenOf(c)}`, { "Set-Cookie": cookie })
}

function redirect(location: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 303, headers: { ...NOT_INDEXED, Location: location, ...headers } })
}
