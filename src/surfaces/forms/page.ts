// The hosted page of a form, and the short pages after it. They work without scripts; a captcha brings its provider's.
import { html, raw } from "hono/html"
import {
  type AskedField,
  type AskedForm,
  CONSENT,
  isTicked,
  labelOf,
  optionsOf,
  type Posted,
  TOKEN,
  typeOf,
} from "../../domain/forms/fields.ts"
import { CAPTCHA_WIDGETS, inputKind } from "../../domain/forms/snippet.ts"
import type { Spoken } from "../../domain/forms/texts.ts"
import type { FieldProblem } from "../../runtime/errors.ts"
import type { CaptchaProvider, Form } from "../../store/contract/store.ts"
import { hashSource, type PagePart as Part } from "../oauth/page.ts"
import { STYLE as PAGE } from "../oauth/style.ts"

/** The look of public forms: that of the sign-in pages, with fields. */
const FORM_STYLE = `${PAGE}
form { margin: 0; }
.field { margin: 0 0 1rem; }
.field label, .check label { display: block; }
.field input, textarea, select {
  display: block; width: 100%; margin-top: .375rem; padding: .625rem .75rem; font: inherit; color: inherit;
  background: var(--card); border: 1px solid var(--edge); border-radius: .5rem;
}
textarea { resize: vertical; }
[aria-invalid=true] { border-color: var(--bad); outline-color: var(--bad); }
.check { margin: 0 0 1rem; }
.check label { display: grid; grid-template-columns: auto 1fr; gap: .625rem; font-weight: 400; }
.check input { width: 1.05rem; height: 1.05rem; margin: .25rem 0 0; accent-color: var(--accent); }
.more { position: absolute; left: -9999px; width: 1px; height: 1px; overflow: hidden; }
.optional { font-weight: 400; color: var(--soft); }
form button { width: 100%; color: var(--accent-ink); background: var(--accent); border-color: var(--accent); }
`

const STYLE_SOURCE = hashSource(FORM_STYLE)

/** Origins that a page may load from and talk to for a captcha. */
const CAPTCHA_SOURCES: Readonly<Record<CaptchaProvider, string>> = {
  turnstile: "https://challenges.cloudflare.com",
  hcaptcha: "https://hcaptcha.com https://*.hcaptcha.com",
}

/** Page for a post that was refused. */
interface Refused {
  values: Posted
  problems: readonly FieldProblem[]
}

/** The hosted page. `token` says when it was opened. */
export function formPage(
  spoken: Spoken,
  form: AskedForm,
  token: string,
  refused?: Refused,
): Promise<Response> {
  const { t } = spoken
  const { fields, honeypot, consent_text, captcha } = form
  const values = refused?.values ?? {}
  const problems = new Map(refused?.problems.map(({ field, message }) => [field, message]))
  const loose = [...problems].filter(([name]) => name !== CONSENT && !fields.some((one) => one.name === name))
  const body = html`<h1>${form.name}</h1>
${problems.size > 0 ? html`<p class="notice" role="alert">${t("Please check the marked fields.")}${loose.map(([name, message]) => html` ${t(name)} ${t(message)}.`)}</p>` : ""}
<form method="post">
${fields.map((field, i) => fieldPart(spoken, field, i, values[field.name], problems.get(field.name)))}
${consent_text === null ? "" : checkPart(spoken, CONSENT, "consent", consent_text, isTicked(values[CONSENT]), true, problems.get(CONSENT))}
<div class="more" aria-hidden="true"><label>${t("Leave this empty")} <input name="${honeypot}" tabindex="-1" autocomplete="off"></label></div>
<input type="hidden" name="${TOKEN}" value="${token}">
${captcha === null ? "" : captchaPart(captcha)}
<button type="submit">${t("Send")}</button>
</form>`
  return respond(spoken, form.name, body, refused ? 400 : 200, form)
}

function fieldPart(spoken: Spoken, field: AskedField, place: number, value: unknown, problem?: string): Part {
  const { name, required, definition } = field
  const id = `f${place}`
  const label = spoken.t(labelOf(field))
  if (typeOf(field) === "bool") return checkPart(spoken, name, id, label, isTicked(value), required, problem)
  const options = optionsOf(field)
  if (options && typeOf(field) === "list") return choicesPart(spoken, field, options, id, value, problem)
  const hint = definition?.description ?? undefined
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ")
  const text = typeof value === "string" || typeof value === "number" ? String(value) : ""
  const more = html`${required ? raw(" required") : ""}${problem ? raw(' aria-invalid="true"') : ""}${described && html` aria-describedby="${described}"`}`
  const kind = inputKind(field)
  const input = options
    ? html`<select id="${id}" name="${name}"${more}><option value=""></option>${options.map((option) => html`<option${option === text ? raw(" selected") : ""}>${option}</option>`)}</select>`
    : kind === undefined
      ? html`<textarea id="${id}" name="${name}" rows="5"${more}>${text}</textarea>`
      : html`<input id="${id}" name="${name}" ${raw(kind)} value="${text}"${more}>`
  return html`<div class="field"><label for="${id}">${label}${optionalPart(spoken, required)}</label>
${hintPart(id, hint)}${input}${problemPart(spoken, id, problem)}</div>`
}

/** A box for each of the texts that a list may hold. */
function choicesPart(
  spoken: Spoken,
  field: AskedField,
  options: readonly string[],
  id: string,
  value: unknown,
  problem?: string,
): Part {
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [value]
  const box = (option: string) =>
    html`<label><input type="checkbox" name="${field.name}" value="${option}"${chosen.includes(option) ? raw(" checked") : ""}> <span>${option}</span></label>`
  return html`<fieldset class="check"${problem ? html` aria-describedby="${id}-problem"` : ""}><legend>${spoken.t(labelOf(field))}${optionalPart(spoken, field.required)}</legend>
${hintPart(id, field.definition?.description ?? undefined)}${options.map(box)}${problemPart(spoken, id, problem)}</fieldset>`
}

function optionalPart({ t }: Spoken, required: boolean): Part | string {
  return required ? "" : html` <span class="optional">(${t("optional")})</span>`
}

function hintPart(id: string, hint?: string): Part | string {
  return hint ? html`<p class="hint" id="${id}-hint">${hint}</p>` : ""
}

function checkPart(
  spoken: Spoken,
  name: string,
  id: string,
  label: string,
  isOn: boolean,
  required: boolean,
  problem?: string,
): Part {
  const more = html`${isOn ? raw(" checked") : ""}${required ? raw(" required") : ""}${problem ? html` aria-invalid="true" aria-describedby="${id}-problem"` : ""}`
  return html`<div class="check"><label for="${id}"><input type="checkbox" id="${id}" name="${name}" value="true"${more}> <span>${label}</span></label>${problemPart(spoken, id, problem)}</div>`
}

function problemPart({ t }: Spoken, id: string, problem?: string): Part | string {
  return problem ? html`<p class="problem" id="${id}-problem">${t("This")} ${t(problem)}.</p>` : ""
}

function captchaPart({ provider, site_key }: NonNullable<Form["captcha"]>): Part {
  const { css, script } = CAPTCHA_WIDGETS[provider]
  return html`<div class="field"><div class="${css}" data-sitekey="${site_key}"></div></div>
<script src="${script}" async defer></script>`
}

/** A page with a sentence: thanks, or what went wrong. */
export function messagePage(
  spoken: Spoken,
  title: string,
  text: string,
  status = 200,
  form?: Form,
): Promise<Response> {
  const said = spoken.t(text)
  const words = status < 400 ? html`<p>${said}</p>` : html`<p role="alert">${said}</p>`
  const named = spoken.t(title)
  return respond(spoken, named, html`<h1>${named}</h1>\n${words}`, status, form)
}

async function respond(
  { language }: Spoken,
  title: string,
  body: Part,
  status: number,
  form?: Form,
): Promise<Response> {
  const document = await html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${raw(FORM_STYLE)}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`
  return new Response(document.toString(), { status, headers: headersOf(form) })
}

/** Without scripts but a captcha's; in frames of the form's own origins and of the dashboard; posts go here and on to its redirect. */
function headersOf(form?: Form): Record<string, string> {
  const { origins = [], redirect, captcha } = form ?? {}
  const provider = captcha ? CAPTCHA_SOURCES[captcha.provider] : ""
  const target = redirect ? (URL.parse(redirect)?.origin ?? "") : ""
  const policy = [
    "default-src 'none'",
    `style-src ${STYLE_SOURCE}${provider && ` ${provider}`}`,
    ...(provider ? [`script-src ${provider}`, `frame-src ${provider}`, `connect-src ${provider}`] : []),
    `form-action 'self'${target && ` ${target}`}`,
    `frame-ancestors ${["'self'", ...origins].join(" ")}`,
    "base-uri 'none'",
  ]
  return {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy.join("; "),
    "X-Content-Type-Options": "nosniff",
    // A stricter one makes browsers post with the origin "null".
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
  }
}
