// The public addresses of forms: `/f/ID` shows a form and takes posts to it, `/f/ID/confirm/TOKEN` confirms one.
import type { Hono, Context as HonoContext } from "hono"
import {
  type AskedForm,
  askedForm,
  leadOf,
  listNames,
  type Posted,
  TOKEN,
} from "../../domain/forms/fields.ts"
import { limitPerForm, THANKS } from "../../domain/forms/form.ts"
import { CAPTCHA_WIDGETS } from "../../domain/forms/snippet.ts"
import {
  CLOSED_FOR_NOW,
  confirmPost,
  formCaller,
  type SpamReason,
  submitPost,
} from "../../domain/forms/submit.ts"
import { type Spoken, spokenIn } from "../../domain/forms/texts.ts"
import { secondsOpen, senderOf, signOpened } from "../../domain/forms/tokens.ts"
import { type Context, contextOf, type Services } from "../../domain/operation.ts"
import type { Clock } from "../../runtime/clock.ts"
import { AppError } from "../../runtime/errors.ts"
import type { Log } from "../../runtime/log.ts"
import { Tally } from "../../runtime/tally.ts"
import type { Form, RequestCounts } from "../../store/contract/store.ts"
import { grouped } from "../../text/text.ts"
import { send } from "../../worker/deliveries/send.ts"
import type { AddressPolicy } from "../../worker/net/address-guard.ts"
import { visitOf } from "../http/auth.ts"
import { forStrangers } from "../http/for-strangers.ts"
import { createWindows, tooMany } from "../http/limits.ts"
import { addressKey, changeable, languageOf, methodNotAllowed } from "../http/request.ts"
import type { RestEnv } from "../ops/observer.ts"
import { refusal, reply } from "../rest/answer.ts"
import { isFormPost, readPost } from "./body.ts"
import { formPage, messagePage } from "./page.ts"

// Limits of posts to forms, by the sender's address and by the form.

const MINUTE = 60_000

/** Counts a post. Throws `rate_limit_exceeded`. */
type AdmitPost = (form: Form, address: string) => Promise<void>

/** Where `counts` are given, they are those of all processes together. */
function createPostLimits(clock: Clock, counts?: RequestCounts): AdmitPost {
  const addresses = createWindows<string>(clock, "form-address", MINUTE, counts)
  const forms = createWindows<string>(clock, "form", MINUTE, counts)
  return async (form, address) => {
    const ofAddress = await addresses.take(`${form.id}/${addressKey(address)}`, form.limit_per_address)
    if (!ofAddress.allowed)
      throw tooMany(
        `This form takes ${grouped(form.limit_per_address)} posts a minute from one address`,
        ofAddress.headers,
      )
    const limit = limitPerForm(form)
    const all = await forms.take(form.id, limit)
    if (!all.allowed) throw tooMany(`This form takes ${grouped(limit)} posts a minute`, all.headers)
  }
}

const ROUTE = "/f/:id"
const CONFIRM = "/f/:id/confirm/:token"
const CONFIRM_FIRST = "Please confirm your address: open the link in the message that we have sent to you."

/** Sentences of the form's answers in German. */
const MORE = {
  [CONFIRM_FIRST]:
    "Bitte bestätigen Sie Ihre Adresse: öffnen Sie den Link in der Nachricht, die wir Ihnen gesendet haben.",
  [THANKS]: "Vielen Dank. Ihre Nachricht ist angekommen.",
  [`${CLOSED_FOR_NOW}.`]: "Dieses Formular nimmt gerade nichts an; versuchen Sie es später noch einmal.",
}

/** The form's language, else the one that the browser asks for. */
const spokenFor = ({ headers }: Request, language = "auto"): Spoken =>
  spokenIn(language === "auto" ? languageOf(headers, ["de"]) : language, MORE)

export interface FormParts {
  services: Services
  policy: AddressPolicy
  publicUrl?: string | undefined
  log: Log
}

/** A request for a form that is there. */
interface Asked {
  form: AskedForm
  ctx: Context
  /** The origin whose page asks, where that may read the answer. */
  origin: string | undefined
}

type Work = (c: HonoContext<RestEnv>, asked: Asked) => Promise<Response>

/** Adds the public addresses. */
export function mountForms(app: Hono<RestEnv>, { services, policy, publicUrl, log }: FormParts): void {
  const { store, clock } = services
  const admit = createPostLimits(clock, store.requests)
  const checkCaptcha = createCaptchaCheck(policy, clock)

  /** Finds the form. Throws `not_found`, and `forbidden` for a page that may not post to it. */
  async function find({ req, env }: HonoContext<RestEnv>): Promise<Asked> {
    const holder = await store.read.forms.findPublic(req.param("id") ?? "")
    if (!holder?.form.active) throw new AppError("not_found", "There is no such form, or it is closed")
    const { form, account } = holder
    env.trace.account = account.id
    const { headers } = req.raw
    const origin = headers.get("origin") ?? undefined
    const ctx = contextOf(services, formCaller(form, account), visitOf(req.raw, env, publicUrl))
    const isOwn = origin === undefined || URL.parse(origin)?.host === headers.get("host")
    if (isOwn || form.origins.includes("*") || form.origins.includes(origin))
      return { form: await askedForm(ctx, form), ctx, origin: isOwn ? undefined : origin }
    throw new AppError(
      "forbidden",
      "Pages of this origin may not post to this form; its owner names them in origins",
    )
  }

  async function take(c: HonoContext<RestEnv>, { form, ctx }: Asked): Promise<Response> {
    await admit(form, c.env.address)
    const { posted, isJson } = await readPost(c.req.raw, listNames(form))
    const reason = trapOf(form, posted, ctx, isJson)
    const lead = readLead(form, posted, ctx, isJson, reason)
    const from = { account: ctx.caller.account.key, address: c.env.address }
    const verdict = reason ?? (lead && (await checkCaptcha(form, posted, from)))
    const sender = senderOf(ctx.secret, form.id, addressKey(c.env.address))
    const outcome = lead
      ? await submitPost(ctx, form, { lead, sender }, verdict)
      : form.double_opt_in
        ? "waiting"
        : "received"
    if (!wantsPage(c.req.raw)) {
      const { t } = spokenFor(c.req.raw, form.language)
      const message = t(outcome === "waiting" ? CONFIRM_FIRST : form.thanks)
      const body = { message, ...(form.redirect !== null && { redirect: form.redirect }) }
      return Response.json(body, { status: outcome === "waiting" ? 202 : 201 })
    }
    const next = outcome === "waiting" ? "?sent=confirm" : (form.redirect ?? "?sent=1")
    return new Response(null, { status: 303, headers: { Location: next, "Cache-Control": "no-store" } })
  }

  function show({ req }: HonoContext<RestEnv>, { form, ctx }: Asked): Promise<Response> {
    const spoken = spokenFor(req.raw, form.language)
    const sent = req.query("sent")
    if (sent === "confirm") return messagePage(spoken, "Almost done", CONFIRM_FIRST, 200, form)
    if (sent !== undefined) return messagePage(spoken, form.name, form.thanks, 200, form)
    return formPage(spoken, form, signOpened(ctx.secret, form.id, ctx.now))
  }

  async function confirm({ req }: HonoContext<RestEnv>, { form, ctx }: Asked): Promise<Response> {
    const spoken = spokenFor(req.raw, form.language)
    const outcome = await confirmPost(ctx, form, req.param("token") ?? "")
    if (outcome === undefined)
      return messagePage(spoken, "Nothing to confirm", "This link is too old, or not complete.", 404, form)
    if (form.redirect !== null)
      return new Response(null, { status: 303, headers: { Location: form.redirect } })
    return messagePage(spoken, "Confirmed", form.thanks, 200, form)
  }

  /** Finds the form, does the work and opens its answer for the page that asks; what fails is shown as a page or JSON. */
  const answering = (route: string, work: Work) => async (c: HonoContext<RestEnv>) => {
    const { trace } = c.env
    trace.route = route
    let asked: Asked | undefined
    try {
      asked = await find(c)
      return withOrigin(await work(c, asked), asked.origin)
    } catch (thrown) {
      const error = forStrangers(thrown, CLOSED_FOR_NOW, trace, log)
      const isShown = route === CONFIRM || wantsPage(c.req.raw)
      const response = isShown
        ? await problemPage(spokenFor(c.req.raw, asked?.form.language), error, services.secret, asked?.form)
        : undefined
      return withOrigin(response ?? refusal(trace, error), asked?.origin)
    }
  }

  app.get(ROUTE, answering(ROUTE, show))
  app.post(ROUTE, answering(ROUTE, take))
  app.options(ROUTE, answering(ROUTE, preflight))
  app.on(["PUT", "PATCH", "DELETE"], ROUTE, answering(ROUTE, refuseMethod))
  app.get(CONFIRM, answering(CONFIRM, confirm))
}

/** A refusal as a page: the form with what is wrong with it, or a sentence. Undefined for a defect. */
async function problemPage(
  spoken: Spoken,
  error: AppError,
  secret: Uint8Array,
  form: AskedForm | undefined,
): Promise<Response | undefined> {
  if (error.kind === "internal_error") return undefined
  if (error instanceof RefusedPost && form)
    return formPage(spoken, form, signOpened(secret, form.id, error.opened), error)
  const page = await messagePage(
    spoken,
    form?.name ?? "This form is closed",
    `${error.message}.`,
    error.status,
    form,
  )
  for (const [name, value] of Object.entries(error.headers)) page.headers.set(name, value)
  return page
}

const preflight: Work = async ({ env }, { origin }) => {
  const headers = {
    "Access-Control-Allow-Methods": "POST",
    "Access-Control-Allow-Headers": "Accept, Content-Type",
    "Access-Control-Max-Age": "600",
    Allow: "GET, HEAD, POST, OPTIONS",
  }
  return reply(env.trace, null, 204, origin === undefined ? { Allow: headers.Allow } : headers)
}

async function refuseMethod(c: HonoContext<RestEnv>): Promise<Response> {
  throw methodNotAllowed(c.req.method, "GET, HEAD, POST")
}

/** A post of a browser that is shown its form again. */
class RefusedPost extends AppError {
  constructor(
    error: AppError,
    readonly values: Posted,
    /** When the page was opened: it counts from there, also behind a mistake. */
    readonly opened: number,
  ) {
    super(error.kind, error.message, { details: [...error.details] })
  }

  get problems() {
    return this.details
  }
}

/** The trap that a post went into. Scripts of named origins need not have opened the page. */
function trapOf(form: AskedForm, posted: Posted, ctx: Context, isJson: boolean): SpamReason | undefined {
  if (posted[form.honeypot]) return "honeypot"
  if (isJson && posted[TOKEN] === undefined) return undefined
  const seconds = secondsOpen(ctx.secret, form.id, posted[TOKEN], ctx.now)
  return seconds === undefined || seconds < form.min_seconds ? "time_trap" : undefined
}

/** The lead of a post; undefined for spam that would be none. Throws `bad_request`. */
function readLead(form: AskedForm, posted: Posted, ctx: Context, isJson: boolean, reason?: SpamReason) {
  try {
    return leadOf(form, posted, ctx.now, isJson && reason === undefined)
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    if (reason) return undefined
    const seconds = isJson ? undefined : secondsOpen(ctx.secret, form.id, posted[TOKEN], ctx.now)
    throw seconds === undefined ? thrown : new RefusedPost(thrown, posted, ctx.now - seconds)
  }
}

/** Whether the answer is read by a person: that of browsers' forms, unless JSON is asked for. */
function wantsPage({ method, headers }: Request): boolean {
  const accepted = headers.get("accept") ?? ""
  if (accepted.includes("text/html")) return true
  if (accepted.includes("application/json")) return false
  return method === "GET" || isFormPost(headers)
}

/** Lets the page of a named origin read the answer. */
function withOrigin(response: Response, origin: string | undefined): Response {
  if (origin === undefined) return response
  const open = changeable(response)
  open.headers.append("Vary", "Origin")
  open.headers.set("Access-Control-Allow-Origin", origin)
  return open
}

// Asks a captcha's provider whether an answer is right, as webhooks are sent: to checked addresses, within five seconds.

/** Questions under way of all forms, and of one account. */
const AT_ONCE = 128
const OF_ACCOUNT = 32

type CaptchaVerdict = "captcha" | "captcha_unavailable" | undefined

/** Checks the answer in a post; undefined where it is right, or the form asks for none. `address` is that of its sender. */
type CheckCaptcha = (
  form: Form,
  posted: Posted,
  from: { account: number; address: string },
) => Promise<CaptchaVerdict>

function createCaptchaCheck(policy: AddressPolicy, clock: Clock): CheckCaptcha {
  const busy = new Tally<number>()

  async function ask(url: string, form: Form, answer: string, address: string): Promise<CaptchaVerdict> {
    const outcome = await send({
      url,
      headers: { "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json" },
      body: new URLSearchParams({ secret: form.secret!, response: answer, remoteip: address }).toString(),
      policy,
      clock,
    })
    if (!outcome.ok) return "captcha_unavailable"
    return /"success"\s*:\s*true\b/.test(outcome.answer) ? undefined : "captcha"
  }

  return async (form, posted, { account, address }) => {
    if (!form.captcha) return undefined
    const { provider, verify_url } = form.captcha
    const answer = posted[CAPTCHA_WIDGETS[provider].answer]
    if (typeof answer !== "string" || answer === "" || answer.length > 4_096) return "captcha"
    if (!form.secret || busy.total() >= AT_ONCE || busy.of(account) >= OF_ACCOUNT)
      return "captcha_unavailable"
    busy.enter(account)
    try {
      return await ask(verify_url, form, answer, address)
    } finally {
      busy.leave(account)
    }
  }
}
