import { html, raw } from "hono/html"
import { STYLE } from "./style.ts"

/** A piece of a page; what is put into it is escaped. */
export type PagePart = ReturnType<typeof html>

/** Nothing but our own style; no scripts, no frame around it, forms to us alone. */
function policyOf(style: string): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${new Bun.CryptoHasher("sha256").update(style).digest("base64")}'`,
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
