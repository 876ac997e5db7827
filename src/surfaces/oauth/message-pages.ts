import { html } from "hono/html"
import type { Client } from "./client.ts"
import { column, respondPage } from "./page.ts"
import { describePlace } from "./redirects.ts"

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
