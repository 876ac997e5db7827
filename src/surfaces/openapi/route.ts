import type { Hono } from "hono"
import { BASE_PATH } from "../../runtime/paths.ts"
import { fixedText } from "../http/fixed-text.ts"
import type { RestEnv } from "../ops/observer.ts"
import type { OpenApiDocument } from "./types.ts"

export const OPENAPI_PATH = `${BASE_PATH}/openapi.json`

/** Adds the document, which any web page may read. */
export function mountOpenApi(app: Hono<RestEnv>, document: () => Promise<OpenApiDocument>): void {
  const answer = fixedText(async () => JSON.stringify(await document()), {
    "Content-Type": "application/json",
    "Access-Control-Allow-Origin": "*",
  })
  app.get(OPENAPI_PATH, (c) => {
    c.env.trace.route = OPENAPI_PATH
    return answer(c.req.raw)
  })
}
