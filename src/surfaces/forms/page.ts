// The hosted page of a form, and the short pages after it. They work without scripts; a captcha brings its provider's.
import { html, raw } from "hono/html"
import type { FieldProblem } from "../../core/errors.ts"
import { type AskedField, type AskedForm, labelOf, optionsOf, typeOf } from "../../domain/forms/asked.ts"
import { CONSENT, isTicked, type Posted, TOKEN } from "../../domain/forms/fields.ts"
import { CAPTCHA_WIDGETS, inputKind } from "../../domain/forms/snippet.ts"
import type { CaptchaProvider, Form } from "../../store/contract/store.ts"
import { FORM_STYLE } from "./style.ts"

type Part = ReturnType<typeof html>

const STYLE_HASH = `'sha256-${new Bun.CryptoHasher("sha256").update(FORM_STYLE).digest("base64")}'`

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
export function formPage(form: AskedForm, token: string, refused?: Refused): Promise<Response> {
  const { fields, honeypot, consent_text, captcha } = form
  const values = refused?.values ?? {}
  const problems = new Map(refused?.problems.map(({ field, message }) => [field, message]))
  const loose = [...problems].filter(([name]) => name !== CONSENT && !fields.some((one) => one.name === name))
  const body = html`<h1>${form.name}</h1>
${problems.size > 0 ? html`<p class="notice" role="alert">Please check the marked fields.${loose.map(([name, message]) => html` ${name} ${message}.`)}</p>` : ""}
<form method="post">
${fields.map((field, i) => fieldPart(field, i, values[field.name], problems.get(field.name)))}
${consent_text === null ? "" : checkPart(CONSENT, "consent", consent_text, isTicked(values[CONSENT]), true, problems.get(CONSENT))}
<div class="more" aria-hidden="true"><label>Leave this empty <input name="${honeypot}" tabindex="-1" autocomplete="off"></label></div>
<input type="hidden" name="${TOKEN}" value="${token}">
${captcha === null ? "" : captchaPart(captcha)}
<button type="submit">Send</button>
</form>`
  return respond(form.name, body, refused ? 400 : 200, form)
}

function fieldPart(field: AskedField, place: number, value: unknown, problem?: string): Part {
  const { name, required, definition } = field
  const id = `f${place}`
  const label = labelOf(field)
  if (typeOf(field) === "bool") return checkPart(name, id, label, isTicked(value), required, problem)
  const options = optionsOf(field)
  if (options && typeOf(field) === "list") return choicesPart(field, options, id, value, problem)
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
  return html`<div class="field"><label for="${id}">${label}${optionalPart(required)}</label>
${hintPart(id, hint)}${input}${problemPart(id, problem)}</div>`
}

/** A box for each of the texts that a list may hold. */
function choicesPart(
  field: AskedField,
  options: readonly string[],
  id: string,
  value: unknown,
  problem?: string,
): Part {
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [value]
  const box = (option: string) =>
    html`<label><input type="checkbox" name="${field.name}" value="${option}"${chosen.includes(option) ? raw(" checked") : ""}> <span>${option}</span></label>`
  return html`<fieldset class="check"${problem ? html` aria-describedby="${id}-problem"` : ""}><legend>${labelOf(field)}${optionalPart(field.required)}</legend>
${hintPart(id, field.definition?.description ?? undefined)}${options.map(box)}${problemPart(id, problem)}</fieldset>`
}

function optionalPart(required: boolean): Part | string {
  return required ? "" : html` <span class="optional">(optional)</span>`
}

function hintPart(id: string, hint?: string): Part | string {
  return hint ? html`<p class="hint" id="${id}-hint">${hint}</p>` : ""
}

function checkPart(
  name: string,
  id: string,
  label: string,
  isOn: boolean,
  required: boolean,
  problem?: string,
): Part {
  const more = html`${isOn ? raw(" checked") : ""}${required ? raw(" required") : ""}${problem ? html` aria-invalid="true" aria-describedby="${id}-problem"` : ""}`
  return html`<div class="check"><label for="${id}"><input type="checkbox" id="${id}" name="${name}" value="true"${more}> <span>${label}</span></label>${problemPart(id, problem)}</div>`
}

function problemPart(id: string, problem?: string): Part | string {
  return problem ? html`<p class="problem" id="${id}-problem">This ${problem}.</p>` : ""
}

function captchaPart({ provider, site_key }: NonNullable<Form["captcha"]>): Part {
  const { css, script } = CAPTCHA_WIDGETS[provider]
  return html`<div class="field"><div class="${css}" data-sitekey="${site_key}"></div></div>
<script src="${script}" async defer></script>`
}

/** A page with a sentence: thanks, or what went wrong. */
export function messagePage(title: string, text: string, status = 200, form?: Form): Promise<Response> {
  const words = status < 400 ? html`<p>${text}</p>` : html`<p role="alert">${text}</p>`
  return respond(title, html`<h1>${title}</h1>\n${words}`, status, form)
}

async function respond(title: string, body: Part, status: number, form?: Form): Promise<Response> {
  const document = await html`<!doctype html>
<html lang="en">
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

/** Without scripts but a captcha's; in frames of the form's own origins; posts go here and on to its redirect. */
function headersOf(form?: Form): Record<string, string> {
  const { origins = [], redirect, captcha } = form ?? {}
  const provider = captcha ? CAPTCHA_SOURCES[captcha.provider] : ""
  const target = redirect ? (URL.parse(redirect)?.origin ?? "") : ""
  const policy = [
    "default-src 'none'",
    `style-src ${STYLE_HASH}${provider && ` ${provider}`}`,
    ...(provider ? [`script-src ${provider}`, `frame-src ${provider}`, `connect-src ${provider}`] : []),
    `form-action 'self'${target && ` ${target}`}`,
    `frame-ancestors ${origins.length > 0 ? ["'self'", ...origins].join(" ") : "'none'"}`,
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
