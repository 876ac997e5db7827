import { html } from "hono/html"
import { hashSource } from "../oauth/page.ts"

/** A piece of a page; what is put into it is escaped. */
export type Html = ReturnType<typeof html>

export { html }

/** The icon of the pages, so that browsers do not ask for one. */
export const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%231f5fd0'/%3E%3Cpath d='M4.5 4v8M8 12h3.5V7.5H8z' fill='none' stroke='%23fff' stroke-width='1.8'/%3E%3C/svg%3E"

/** The headers of a page that may use this style and this script, talk to this service, and nothing else. */
export function pageHeaders(style: string, script: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `style-src ${hashSource(style)}`,
    `script-src ${hashSource(script)}`,
    "connect-src 'self'",
    "img-src data:",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  return {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy.join("; "),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
  }
}
