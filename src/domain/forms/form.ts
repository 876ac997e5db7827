// A form as clients set and read it.

import * as v from "valibot"
import { refuseMovedSecret } from "../../access/kept-secret.ts"
import { named } from "../../lead/described.ts"
import {
  Flag,
  ignored,
  ignoring,
  Line,
  oneOf,
  RequiredLine,
  type Said,
  Secret,
  Tags,
  text,
  whole,
} from "../../lead/fields.ts"
import { CAPTCHAS, type CaptchaProvider, FORM_LANGUAGES, type Form } from "../../store/contract/store.ts"
import { hasUserInfo, isWebAddress } from "../../text/web-address.ts"
import { EARLIER, type ExampleFields } from "../examples.ts"
import type { Context } from "../operation.ts"
import { finder, given } from "../things.ts"
import { askedForm, CAPTCHA_ANSWERS, CONSENT, FormFields, RequiredNames, TOKEN } from "./fields.ts"
import { snippetOf } from "./snippet.ts"

export const FORMS_MAX = 100
/** Posts that a form keeps: spam, as many that the plan had no room for, and those that wait for their confirmation. */
export const SPAM_MAX = 500
export const UNCONFIRMED_MAX = 10_000
/** Posts a minute of one address, and of a form for each that one address may send. */
const LIMIT_DEFAULT = 30
const LIMIT_MAX = 60_000
const ADDRESSES = 20
const HONEYPOT = "fax_number"
/** Seconds that nobody fills a form in faster than. */
const MIN_SECONDS = 2
export const THANKS = "Thank you. We have received your message."

/** Where each provider checks an answer, unless the form says otherwise. */
const VERIFY: Readonly<Record<CaptchaProvider, string>> = {
  turnstile: "https://challenges.cloudflare.com/turnstile/v0/siteverify",
  hcaptcha: "https://api.hcaptcha.com/siteverify",
}

const Text = text(2_000)
const Address = v.pipe(
  Text,
  v.check(isWebAddress, "must be an http or https address such as https://example.com/thanks"),
  v.check((url) => !hasUserInfo(url), "must not hold a user name or password"),
)
const Origin = v.pipe(
  v.string("must be text"),
  v.trim(),
  v.check(
    (text) =>
      text === "*" ||
      (isWebAddress(text) && URL.parse(text)?.origin === text.toLowerCase().replace(/\/$/, "")),
    "must be an origin such as https://www.example.com, without a path, or *",
  ),
  v.transform((text) => (text === "*" ? text : new URL(text).origin)),
)
const Honeypot = v.pipe(
  v.string("must be text"),
  v.regex(/^[a-z][a-z0-9_]{1,39}$/, "must be 2 to 40 lower-case letters, digits and _, a letter first"),
  v.check((name) => ![CONSENT, TOKEN, ...CAPTCHA_ANSWERS].includes(name), `must not be ${CONSENT}`),
)
const CaptchaInput = v.strictObject({
  provider: oneOf(CAPTCHAS),
  site_key: v.pipe(
    v.string("must be text"),
    v.regex(/^[\w.-]{1,200}$/, "must be the site key that the provider gave: letters, digits, _, . and -"),
  ),
  secret: v.nullish(Secret),
  verify_url: v.nullish(Address),
  has_secret: ignored,
})
const Limit = whole(1, LIMIT_MAX)

/** Settings for owners and editors, all optional. */
export const formEntries = {
  active: v.optional(Flag),
  fields: v.optional(FormFields),
  required: v.optional(RequiredNames),
  source: v.optional(RequiredLine),
  tags: v.nullish(Tags),
  thanks: v.nullish(Text),
  redirect: v.nullish(Address),
  origins: v.nullish(
    v.pipe(v.array(Origin, "must be a list of origins"), v.maxLength(50, "must hold at most 50 origins")),
  ),
  honeypot: v.nullish(Honeypot),
  min_seconds: v.nullish(whole(0, 60)),
  limit_per_address: v.nullish(Limit),
  limit_per_form: v.nullish(whole(1, 20 * LIMIT_MAX)),
  consent_text: v.nullish(Line),
  double_opt_in: v.nullish(Flag),
  language: v.nullish(oneOf(FORM_LANGUAGES)),
  captcha: v.nullish(CaptchaInput),
}
/** Accepted and ignored, so that a form can be sent back as it was read. */
export const formReadOnly = ignoring("id", "url", "snippet", "spam", "created_at", "updated_at")
export const formWords = {
  url: "Its public address: a page with the form, and where posts go.",
  snippet: "HTML with the form to paste into a page of one of its origins.",
  spam: "Posts that are kept apart for 7 days: at most 500 as spam, and 500 that the plan had no room for.",
  name: "For the account's own people.",
  active: "When off, the address answers 404.",
  fields:
    "Names, or objects `{name, label, required, type}`. A name is that of a lead field that people say of themselves, or `attr:NAME`; `type` is that of the attribute: `text` (default), `number`, `bool`; an attribute with a definition is asked for as that says.",
  required: "Names of fields that must be filled in, besides those that say so themselves.",
  source: "The `source` of its leads; the form's name by default.",
  tags: "Tags of its leads.",
  thanks: "Shown after a post.",
  redirect: "An http or https address that the browser goes to after a post instead.",
  origins: "Origins whose pages may post to it from a script, such as `https://www.example.com`; `*` is any.",
  honeypot: "Name of the field that people do not see: a post that fills it is spam.",
  min_seconds: "A post of the hosted page that comes faster is spam.",
  limit_per_address: "Posts a minute from one address.",
  limit_per_form: "Posts a minute from all addresses; null is 20 times as many as from one.",
  consent_text: "What people agree to by ticking a box: `consent` of the lead, with `consent_at`.",
  double_opt_in:
    "Keeps a post apart until a signed link is opened, which the event `form.confirmation_requested` carries.",
  language: "Of its page, answers and snippet; `auto`, the default, is what the browser asks for.",
  captcha: "A check by Turnstile or hCaptcha: `{provider, site_key, secret, verify_url}`.",
  "fields[].label": "What people read beside it.",
  "fields[].required": "Whether it must be filled in.",
  "fields[].type": "Type of the attribute; null for a lead field.",
  "captcha.provider": "Who checks.",
  "captcha.site_key": "The provider's public key of the page.",
  "captcha.secret":
    "The provider's secret key, never shown; left out, it stays as it is. Another `verify_url` or provider needs it again.",
  "captcha.verify_url": "Where answers are checked; the provider's own address by default.",
  "captcha.has_secret": "Whether there is a secret.",
}

export const FormOutput = named(
  "Form",
  v.strictObject({
    ...{ id: v.string(), name: v.string(), url: v.string(), active: v.boolean() },
    fields: v.array(
      v.strictObject({
        ...{ name: v.string(), label: v.string(), required: v.boolean() },
        type: v.nullable(v.picklist(["text", "number", "bool"])),
      }),
    ),
    ...{ source: v.string(), tags: v.array(v.string()), thanks: v.string() },
    ...{ redirect: v.nullable(v.string()), origins: v.array(v.string()), honeypot: v.string() },
    ...{ min_seconds: whole(0), limit_per_address: whole(1), limit_per_form: v.nullable(whole(1)) },
    ...{ consent_text: v.nullable(v.string()), double_opt_in: v.boolean() },
    language: v.picklist(FORM_LANGUAGES),
    captcha: v.nullable(
      v.strictObject({
        ...{ provider: v.picklist(CAPTCHAS), site_key: v.string() },
        ...{ verify_url: v.string(), has_secret: v.boolean() },
      }),
    ),
    ...{ snippet: v.string(), spam: whole(0), created_at: whole(0), updated_at: whole(0) },
  }),
  {
    ...formWords,
    id: "`form_` and a UUID; with it anybody can post, and nothing else.",
  },
)

/** A form with every setting at its default. */
export function blankForm(name: string) {
  return {
    ...{ name, active: true, source: name, tags: [], thanks: THANKS, redirect: null, origins: [] },
    ...{
      honeypot: HONEYPOT,
      min_seconds: MIN_SECONDS,
      limit_per_address: LIMIT_DEFAULT,
      limit_per_form: null,
    },
    ...{ consent_text: null, double_opt_in: false, language: "auto", captcha: null, secret: null },
  } satisfies Partial<Form>
}

/** The settings that an input changes; null gives one its default. Fields and the captcha are the caller's. */
export function formSettings(
  before: Form,
  sent: Omit<Said<typeof formEntries>, "fields" | "required" | "captcha">,
): Form {
  const blank = blankForm(before.name)
  const { thanks, origins, consent_text } = sent
  const settings = given({
    ...sent,
    ...{ thanks: thanks === "" ? null : thanks, consent_text: consent_text === "" ? null : consent_text },
    origins: origins && [...new Set(origins)],
  })
  // Not what a form that is sent back as it was read has besides them.
  const names = (Object.keys(settings) as (keyof typeof settings)[]).filter((name) => name in formEntries)
  return { ...before, ...Object.fromEntries(names.map((name) => [name, settings[name] ?? blank[name]])) }
}

/**
 * The captcha of a form and its secret; a secret that is not sent stays as it is for the same provider and address. Throws
 * `bad_request` for another address without a secret.
 */
export function captchaOf(
  before: Form,
  { provider, site_key, secret, verify_url }: v.InferOutput<typeof CaptchaInput>,
): Pick<Form, "captcha" | "secret"> {
  const address = verify_url ?? VERIFY[provider]
  const current = before.captcha?.provider === provider ? before.captcha : undefined
  if (current)
    refuseMovedSecret({
      names: { address: "captcha.verify_url", secret: "captcha.secret" },
      before: { address: current.verify_url, secret: before.secret },
      address,
      sent: secret ?? undefined,
    })
  return {
    captcha: { provider, site_key, verify_url: address },
    secret: secret ?? (current ? before.secret : null),
  }
}

/** Posts a minute that a form takes in all. */
export function limitPerForm({ limit_per_address, limit_per_form }: Form): number {
  return limit_per_form ?? ADDRESSES * limit_per_address
}

/** The address of a form at this origin. */
export function formAddress(origin: string, id: string): string {
  return `${origin}/f/${id}`
}

/** The form in answers. */
export async function formOutput(ctx: Context, form: Form): Promise<object> {
  const { secret, unreadable: _, created_at, updated_at, captcha, id, name, ...settings } = form
  const url = formAddress(ctx.visit?.origin ?? ctx.origin() ?? "", id)
  const spam = { state: "spam", limit: 2 * SPAM_MAX } as const
  return {
    ...{ id, name, url, ...settings },
    captcha: captcha && { ...captcha, has_secret: secret !== null },
    snippet: snippetOf(await askedForm(ctx, form), url),
    spam: await ctx.store.read.forms.countPosts(ctx.caller.account.key, id, spam),
    ...{ created_at, updated_at },
  }
}

export const getFormRow = finder<Form>("Form")

export const FORM_ID = "form_019aa6f6-9a34-7b21-8c05-1d7e2f6b4a90"
const URL_OF_EXAMPLE = formAddress("https://leads.example.com", FORM_ID)
const example = {
  ...blankForm("Contact"),
  id: FORM_ID,
  fields: [
    { name: "name", label: "Name", required: false, type: null },
    { name: "email", label: "Email", required: true, type: null },
    { name: "attr:budget", label: "Budget", required: false, type: "number" },
  ],
  source: "website",
  tags: ["inbound"],
  origins: ["https://www.example.com"],
  ...{ created_at: EARLIER, updated_at: EARLIER },
} satisfies Form
const { secret: _, ...shown } = example
export const exampleForm: ExampleFields = {
  ...shown,
  url: URL_OF_EXAMPLE,
  snippet: "<form …>",
  spam: 3,
}
