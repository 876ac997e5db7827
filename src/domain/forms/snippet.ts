// The form as HTML to paste into a page of one's own. Its script posts JSON, as the page's origin is named on the form.

import type { CaptchaProvider } from "../../store/contract/store.ts"
import { escapeHtml } from "../../text/html-text.ts"
import { type AskedField, type AskedForm, CONSENT, labelOf, optionsOf, typeOf } from "./fields.ts"
import { spokenIn } from "./texts.ts"

/** Each provider's box by its class, and the script that fills it in. */
export const CAPTCHA_WIDGETS: Readonly<
  Record<CaptchaProvider, { css: string; script: string; answer: string }>
> = {
  turnstile: {
    css: "cf-turnstile",
    script: "https://challenges.cloudflare.com/turnstile/v0/api.js",
    answer: "cf-turnstile-response",
  },
  hcaptcha: { css: "h-captcha", script: "https://js.hcaptcha.com/1/api.js", answer: "h-captcha-response" },
}

const KINDS: Readonly<Record<string, string>> = {
  email: 'type="email" autocomplete="email"',
  phone: 'type="tel" autocomplete="tel"',
  name: 'autocomplete="name"',
  company: 'autocomplete="organization"',
  job_title: 'autocomplete="organization-title"',
  website: 'inputmode="url"',
  linkedin_url: 'inputmode="url"',
  address: 'autocomplete="street-address"',
  city: 'autocomplete="address-level2"',
  postal_code: 'autocomplete="postal-code"',
  country: 'autocomplete="country-name"',
}

/** The attributes of a field's input but for its name; undefined for a long text. */
export function inputKind(field: AskedField): string | undefined {
  const { name } = field
  const type = typeOf(field)
  if (name === "description") return undefined
  if (type === "date") return 'type="date"'
  if (type === "bool") return 'type="checkbox"'
  if (type === "number") return 'inputmode="decimal"'
  return KINDS[name] ?? ""
}

const FAILED = "This did not work. Please try again."
const SCRIPT = `(() => {
  const form = document.currentScript.previousElementSibling
  const status = form.querySelector("[role=status]")
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    status.textContent = ""
    const sent = {}
    for (const [name, value] of new FormData(form)) sent[name] = name in sent ? [sent[name], value].flat() : value
    try {
      const answer = await fetch(form.action, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(sent),
      })
      const { message, redirect } = await answer.json()
      status.textContent = message
      if (!answer.ok) return
      form.reset()
      if (redirect) location.assign(redirect)
    } catch {
      status.textContent = "${FAILED}"
    }
  })
})()`

/** The form as HTML; `url` is its public address. */
export function snippetOf(form: AskedForm, url: string): string {
  const { t } = spokenIn(form.language)
  const { fields, honeypot, consent_text, captcha } = form
  const lines = [
    `<form action="${escapeHtml(url)}" method="post">`,
    ...fields.map((field) => fieldHtml(field, t(labelOf(field)))),
    ...(consent_text === null
      ? []
      : [
          `  <p><label><input type="checkbox" name="${CONSENT}" required> ${escapeHtml(consent_text)}</label></p>`,
        ]),
    `  <p style="position:absolute;left:-9999px" aria-hidden="true"><label>${t("Leave this empty")} <input name="${honeypot}" tabindex="-1" autocomplete="off"></label></p>`,
    ...(captcha === null ? [] : captchaHtml(captcha)),
    `  <p><button type="submit">${t("Send")}</button></p>`,
    '  <p role="status"></p>',
    `  <noscript><p><a href="${escapeHtml(url)}">${t("Open the form")}</a></p></noscript>`,
    "</form>",
    `<script>\n${SCRIPT.replace(FAILED, t(FAILED))}\n</script>`,
  ]
  return `${lines.join("\n")}\n`
}

function fieldHtml(field: AskedField, text: string): string {
  const [name, label] = [escapeHtml(field.name), escapeHtml(text)]
  const required = field.required ? " required" : ""
  const kind = inputKind(field)
  const options = optionsOf(field)
  if (options && typeOf(field) === "list") return choicesHtml(field, label, options)
  if (options) {
    const all = options.map((option) => `<option>${escapeHtml(option)}</option>`).join("")
    return `  <p><label>${label}<br><select name="${name}"${required}><option value=""></option>${all}</select></label></p>`
  }
  if (kind === undefined)
    return `  <p><label>${label}<br><textarea name="${name}" rows="5"${required}></textarea></label></p>`
  if (typeOf(field) === "bool")
    return `  <p><label><input ${kind} name="${name}" value="true"${required}> ${label}</label></p>`
  return `  <p><label>${label}<br><input name="${name}"${kind && ` ${kind}`}${required}></label></p>`
}

function choicesHtml(field: AskedField, label: string, options: readonly string[]): string {
  const boxes = options.map(
    (option) =>
      `    <label><input type="checkbox" name="${escapeHtml(field.name)}" value="${escapeHtml(option)}"> ${escapeHtml(option)}</label>`,
  )
  return ["  <fieldset>", `    <legend>${label}</legend>`, ...boxes, "  </fieldset>"].join("\n")
}

function captchaHtml({ provider, site_key }: NonNullable<AskedForm["captcha"]>): string[] {
  const { css, script } = CAPTCHA_WIDGETS[provider]
  return [
    `  <div class="${css}" data-sitekey="${escapeHtml(site_key)}"></div>`,
    `  <script src="${script}" async defer></script>`,
  ]
}
