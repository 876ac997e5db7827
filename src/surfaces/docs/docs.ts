import type { Context, Hono } from "hono"
import { fixedText } from "../http/fixed-text.ts"
import { OPENAPI_PATH } from "../openapi/route.ts"
import type { OpenApiDocument } from "../openapi/types.ts"
import type { RestEnv } from "../ops/bindings.ts"
import type { Addresses } from "./addresses.ts"
import BASE from "./base.css" with { type: "text" }
import SCRIPT from "./docs.client.js" with { type: "text" }
import { pageHeaders } from "./html.ts"
import REFERENCE from "./reference.css" with { type: "text" }
import { referencePage } from "./reference.ts"

const STYLE = BASE + REFERENCE

interface DocsParts {
  document: () => Promise<OpenApiDocument>
  /** Where the service is; asked when the first page is. */
  addresses: () => Addresses
  version: string
}

/** Adds the API reference at /docs; the root leads people to the dashboard and tells programs where everything is. */
export function mountDocs(app: Hono<RestEnv>, { document, addresses, version }: DocsParts): void {
  const reference = fixedText(
    async () => String(await referencePage(await document(), STYLE, SCRIPT)),
    pageHeaders(STYLE, SCRIPT),
  )
  const at = (path: string, answer: (c: Context<RestEnv>) => Response | Promise<Response>) =>
    app.get(path, (c) => {
      c.env.trace.route = path
      return answer(c)
    })
  at("/docs", (c) => reference(c.req.raw))
  at("/docs/", (c) => c.redirect("../docs", 308))
  at("/", (c) => {
    if (c.req.header("accept")?.includes("text/html")) return c.redirect("/app", 302)
    const { url, mcpUrl } = addresses()
    return c.json({ name: "leaddb", version, api: url, mcp: mcpUrl, docs: "/docs", openapi: OPENAPI_PATH })
  })
}
