import { html, raw } from "hono/html"
import { type Client, describePlace } from "./client.ts"
import { STYLE } from "./style.ts"

/** A piece of a page; what is put into it is escaped. */
export type PagePart = ReturnType<typeof html>

/** How a policy names a style or script within the page. */
export function hashSource(text: string): string {
  return `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`
}

/** Nothing but our own style; no scripts, no frame around it, forms to us alone. */
function policyOf(style: string): string {
  return [
    "default-src 'none'",
    `style-src ${hashSource(style)}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ")
}
const POLICY = policyOf(STYLE)

/** Without Cross-Origin-Opener-Policy: clients that open these pages in a window of theirs wait for it. */
const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": POLICY,
  "X-Frame-Options": "DENY",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
}

export interface HtmlPage {
  title: string
  body: PagePart
  /** Rules behind those of every page. */
  style?: string
  /** Where the browser goes from here by itself. */
  next?: string
  status?: number
  headers?: Readonly<Record<string, string>>
}

export async function respondPage({
  title,
  body,
  style = "",
  next,
  status = 200,
  headers,
}: HtmlPage): Promise<Response> {
  const document = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${next === undefined ? "" : html`<meta http-equiv="refresh" content="0;url=${next}">`}
<title>${title} · leaddb</title>
<style>${raw(STYLE + style)}</style>
</head>
<body>
${body}
</body>
</html>
`
  const policy = style === "" ? undefined : { "Content-Security-Policy": policyOf(STYLE + style) }
  return new Response(document.toString(), { status, headers: { ...HEADERS, ...policy, ...headers } })
}

/** The column that every page is, with the name of the product above. */
export function column(content: PagePart): PagePart {
  return html`<main>
<p class="brand">lead<b>db</b></p>
${content}
</main>`
}

/** A page that explains a problem to a person; nothing goes back to the client. */
export function problemPage(problem: string, status = 400): Promise<Response> {
  const title = "Cannot connect"
  return respondPage({ title, status, body: column(html`<h1>${title}</h1>\n<p role="alert">${problem}</p>`) })
}

/**
 * Sends the browser back to the client. Not by a redirect: Chromium holds every further hop behind a posted form
 * against form-action, and nobody knows where clients lead on to. An app's own scheme leaves the page standing.
 */
export function returnPage({ name }: Client, url: string, isAllowed: boolean): Promise<Response> {
  const title = isAllowed ? `${name} may connect` : `${name} was not connected`
  const body = column(html`<h1>${title}</h1>
<p class="soft">You are being taken back to ${name}. When you are there, this page can be closed.</p>
<a class="button" href="${url}" rel="noreferrer">Go back now</a>`)
  return respondPage({ title, body, next: url })
}

/**
 * Offers the way back to the client instead of taking it: anyone can register a client, and an automatic redirect
 * of a request that nobody agreed to would be an open redirector (RFC 9700, 4.11.2).
 */
export function mistakePage({ name }: Client, url: string, description: string): Promise<Response> {
  const { place, meaning } = describePlace(url)
  const title = "Cannot connect"
  const body = column(html`<h1>${title}</h1>
<p role="alert">${name} sent a request that is not accepted here: ${description}.</p>
<p class="soft"><a href="${url}" rel="noreferrer">Go back to ${place}</a> (${meaning}), if you came from there.</p>`)
  return respondPage({ title, body, status: 400 })
}
