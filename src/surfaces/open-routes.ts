// Routes of the REST listener that need no key: health and metrics, the OpenAPI document, the pages for people, public
// forms, the links in mails.
import type { Hono } from "hono"
import type { Operation } from "../domain/operation.ts"
import type { ListStyle } from "../lead/list-style.ts"
import { lazy } from "../runtime/memoize.ts"
import { mountDashboard } from "./dashboard/route.ts"
import { type Addresses, mountDocs } from "./docs/reference.ts"
import { type FormParts, mountForms } from "./forms/route.ts"
import { type LinkParts, mountLinks } from "./links/route.ts"
import { mountOidc, type OidcParts } from "./oidc/routes.ts"
import { mountOpenApi } from "./openapi/route.ts"
import type { RestEnv } from "./ops/observer.ts"
import { mountOps, type OpsParts } from "./ops/ops.ts"
import { mountUnsubscribe } from "./unsubscribe.ts"

interface OpenParts extends OpsParts, LinkParts {
  operations: readonly Operation[]
  listStyle?: ListStyle | undefined
  addresses: () => Addresses
  forms: FormParts
  /** The provider that people sign in with, if there is one. */
  oidc?: OidcParts | undefined
}

/** Adds the routes that take no key. The document is made when it is first asked for. */
export function openRoutes({
  operations,
  publicUrl,
  listStyle,
  addresses,
  forms,
  oidc,
  ...parts
}: OpenParts): (app: Hono<RestEnv>) => void {
  const { version } = parts.facts
  const document = lazy(async () => {
    const { openApiDocument } = await import("./openapi/openapi.ts")
    return openApiDocument(operations, { version, publicUrl, listStyle })
  }).get
  return (app) => {
    mountOps(app, parts)
    mountOpenApi(app, document)
    mountForms(app, forms)
    mountUnsubscribe(app, parts.services, parts.log)
    mountDashboard(app, oidc?.settings.issuer)
    if (oidc) mountOidc(app, oidc)
    mountLinks(app, { ...parts, publicUrl })
    mountDocs(app, { document, addresses, version })
  }
}
