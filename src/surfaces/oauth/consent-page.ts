import { html } from "hono/html"
import { isAtLeast, type Role } from "../../access/rights.ts"
import type { AppApproval } from "../../domain/access/app-sign-in.ts"
import { type AuthorizeRequest, requestFields } from "./authorize-request.ts"
import { describePlace } from "./client.ts"
import { column, type PagePart, respondPage } from "./page.ts"

/** The page's contents besides the client's request. */
export interface ConsentForm {
  asked: AuthorizeRequest
  /** Our own address. */
  origin: string
  /** Proves that the form was on this page. */
  token: string
  role: Role
  /** The dashboard session that was proved, and the text that proves it. */
  approval?: (AppApproval & { text: string }) | undefined
  /** Where a person signs in to the dashboard and comes back. */
  dashboard?: string | undefined
  /** Problems by the field that has them. */
  problems: { page?: string; key?: string; role?: string }
}

const ROLE_TEXT: readonly [Role, string, string][] = [
  ["viewer", "Viewer", "Reads leads, notes, scores and statistics"],
  ["editor", "Editor", "Also creates, changes, scores and deletes leads"],
  ["owner", "Owner", "Also creates and revokes API keys"],
]

/** The page on which a person lets a client in, or not. Works without scripts; never shows what was typed. */
export function consentPage(form: ConsentForm, more: { status: number; headers: Record<string, string> }) {
  const { name } = form.asked.client
  const hasProblem = Object.keys(form.problems).length > 0
  const title = `${hasProblem ? "Problem: " : ""}Connect ${name}`
  const body = html`${column(html`<h1>Connect ${name} to leaddb?</h1>
<p class="soft">It asks to work with the leads of your account.</p>
${notice(form.problems.page)}${facts(form)}
<form method="post" action="/authorize" autocomplete="off">
${hiddenFields(form)}${signerFields(form)}${roleFields(form)}
<div class="buttons">
<button class="main" name="decision" value="allow">Connect</button>
<button name="decision" value="deny" formnovalidate>Cancel</button>
</div>
</form>`)}
<footer>The app gets an API key of its own. It is listed with your other keys, and you can revoke it at any time.</footer>`
  return respondPage({ title, body, ...more })
}

function notice(problem: string | undefined): PagePart | string {
  return problem === undefined ? "" : html`<p class="notice" role="alert">${problem}</p>`
}

function facts({ asked: { client, redirectUri }, origin }: ConsentForm): PagePart {
  const { place, meaning } = describePlace(redirectUri)
  const vouched = client.vouchedBy
    ? html`<span>as ${client.vouchedBy} says</span>`
    : html`<span>as it calls itself; anyone can use any name</span>`
  return html`<dl>
<div><dt>App</dt><dd>${client.name}${vouched}</dd></div>
<div><dt>Returns to</dt><dd>${place}<span>${meaning}</span></dd></div>
<div><dt>Server</dt><dd>${new URL(origin).host}</dd></div>
</dl>
<p class="soft">Continue only if you started this just now.</p>`
}

/** The request goes with the form: nothing about it is kept here meanwhile. */
function hiddenFields({ asked, token, approval }: ConsentForm): PagePart[] {
  const fields = { ...requestFields(asked), token, ...(approval && { signed_in: approval.text }) }
  return Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  )
}

/** Who lets the app in: the person of a dashboard session, or whoever has a key or a code. */
function signerFields(form: ConsentForm): PagePart {
  const { approval, dashboard, asked, problems } = form
  if (approval) {
    return html`<p class="signer">Signed in to <b>${approval.accountName}</b> as <b>${approval.name}</b>. <a href="/authorize?${new URLSearchParams(requestFields(asked)).toString()}">Use something else</a></p>`
  }
  const button = html`<a class="button" href="${dashboard}">Sign in to the dashboard</a>
<p class="or">or</p>`
  return html`${dashboard === undefined ? "" : button}${keyField(problems.key)}`
}

function keyField(problem: string | undefined): PagePart {
  const isWrong = problem !== undefined
  return html`<label for="key">API key or one-time code</label>
<input type="password" id="key" name="key" required ${isWrong ? "autofocus" : ""} autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="200" aria-invalid="${String(isWrong)}" aria-describedby="${isWrong ? "key-problem " : ""}key-hint">
${isWrong ? html`<p class="problem" id="key-problem" role="alert">${problem}</p>` : ""}
<p class="hint" id="key-hint">A key of your account begins with <code>ldb_</code>. Without one, run <code>leaddb login</code> on the server: it prints a code such as K7QM-2XVP-9RTW.</p>`
}

function roleFields({ role, problems, approval }: ConsentForm): PagePart {
  const isWrong = problems.role !== undefined
  const allowed = ROLE_TEXT.filter(([value]) => approval === undefined || isAtLeast(approval.role, value))
  const options = allowed.map(
    ([value, name, about]) => html`<label class="role">
<input type="radio" name="role" value="${value}" ${value === role ? "checked" : ""} ${isWrong ? html`aria-invalid="true"` : ""}>
<div><b>${name}</b><span>${about}</span></div>
</label>`,
  )
  return html`<fieldset${isWrong ? html` aria-describedby="role-problem"` : ""}>
<legend>What the app may do</legend>
${options}
${isWrong ? html`<p class="problem" id="role-problem" role="alert">${problems.role}</p>` : ""}
</fieldset>`
}
