// The public page of unsubscribe links at /u/TOKEN. Programs that look into mails open links: only a POST unsubscribes.
import type { Context, Hono } from "hono"
import { html } from "hono/html"
import type { Services } from "../domain/operation.ts"
import { readUnsubscribeToken, unsubscribe } from "../domain/suppressions/unsubscribe.ts"
import type { Log } from "../runtime/log.ts"
import { forStrangers } from "./http/for-strangers.ts"
import { column, type PagePart, respondPage } from "./oauth/page.ts"
import type { RestEnv } from "./ops/observer.ts"

const ROUTE = "/u/:token"
const NOT_NOW = "This cannot be saved at the moment; try again later"
/** The origin of the form is what shows that it comes from this page. */
const HEADERS = { "Referrer-Policy": "same-origin", "X-Robots-Tag": "noindex" }

export function mountUnsubscribe(app: Hono<RestEnv>, services: Services, log: Log): void {
  const answer = (c: Context<RestEnv>, title: string, content: PagePart, status = 200) => {
    c.env.trace.route = ROUTE
    return respondPage({ title, status, headers: HEADERS, body: column(html`<h1>${title}</h1>\n${content}`) })
  }
  const invalid = (c: Context<RestEnv>) =>
    answer(
      c,
      "This link is not valid",
      html`<p role="alert">It may have been cut off: open it again from the mail.</p>`,
      404,
    )

  app.get(ROUTE, (c) => {
    const read = readUnsubscribeToken(services, c.req.param("token"))
    if (!read) return invalid(c)
    const form = html`<p>${read.email} will get no more messages.</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click">
<button class="button" type="submit">Unsubscribe</button></form>`
    return answer(c, "Unsubscribe", form)
  })
  app.post(ROUTE, async (c) => {
    try {
      if (!(await unsubscribe(services, c.req.param("token")))) return invalid(c)
    } catch (thrown) {
      const { message, status } = forStrangers(thrown, NOT_NOW, c.env.trace, log)
      return answer(c, "You are not unsubscribed yet", html`<p role="alert">${message}.</p>`, status)
    }
    return answer(c, "You are unsubscribed", html`<p class="soft">You can close this page.</p>`)
  })
}
