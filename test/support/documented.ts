// Answers of the running service held against the OpenAPI document, so that the two cannot drift apart.
import * as v from "valibot"
import { AppError } from "../../src/core/errors.ts"
import { operations } from "../../src/domain/index.ts"
import { openApiDocument } from "../../src/surfaces/openapi/openapi.ts"
import { type Route, routesOf } from "../../src/surfaces/openapi/operation.ts"
import type { Method, OperationObject } from "../../src/surfaces/openapi/types.ts"
import { declaredErrors } from "../../src/surfaces/rest/errors.ts"
import type { Answer } from "./answer.ts"

const DOCUMENT = openApiDocument(operations, { version: "test" })

/** Strict, unlike the document, which lets answers gain fields: what is new must be written down. */
const ErrorBody = v.strictObject({
  error: v.string(),
  message: v.string(),
  code: v.string(),
  details: v.optional(v.array(v.strictObject({ field: v.string(), message: v.string() }))),
})

interface Documented extends Route {
  pattern: RegExp
  object: OperationObject
  /** `409 conflict`: the status and the code of every error that its operation declares. */
  errors: ReadonlySet<string>
}

/** Every documented route; those with more fixed words first. */
const ROUTES: Documented[] = routesOf(operations)
  .map((route) => {
    const object = DOCUMENT.paths[route.path]![route.method.toLowerCase() as Method]!
    const kinds = declaredErrors(route.operation, route.method, object.requestBody !== undefined)
    return {
      ...route,
      pattern: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
      object,
      errors: new Set(kinds.map((kind) => nameOf(new AppError(kind, "")))),
    }
  })
  .toSorted((a, b) => a.path.split("{").length - b.path.split("{").length)

function nameOf(error: AppError): string {
  return `${error.status} ${error.toRest().code}`
}

/** Throws when a documented request was answered with what the document does not say. */
export function checkDocumented(method: string, target: string, answer: Answer): void {
  const path = target.split("?", 1)[0]!
  const route = ROUTES.find((one) => one.method === method && one.pattern.test(path))
  if (!route) return
  const said = route.object.responses[answer.status]
  const what = `${method} ${route.path} answered ${answer.status}`
  if (!said) throw new Error(`${what}, which the OpenAPI document does not know: ${text(answer.body)}`)
  const error = answer.status < 400 ? undefined : `${answer.status} ${answer.body?.code}`
  if (error !== undefined && answer.body?.code !== undefined && !route.errors.has(error))
    throw new Error(`${what} ${answer.body.code}, which its operation does not declare: ${text(answer.body)}`)
  if ("content" in said) checkType(what, answer, Object.keys(said.content ?? {}))
  else if (!("$ref" in said) && answer.body !== undefined) throw new Error(`${what} with a body`)
  // A list with `fields` has leads that lack the others, which the document says in words.
  if (answer.status < 400 && /[?&]fields=/.test(target)) return
  const schema = answer.status < 400 ? route.operation.output : ErrorBody
  if (!schema || !answer.headers.get("content-type")?.includes("json")) return
  const result = v.safeParse(schema, answer.body)
  if (result.success) return
  const [issue] = result.issues
  throw new Error(`${what}, at ${v.getDotPath(issue) ?? "its root"} unlike its schema: ${issue.message}`)
}

function checkType(what: string, { headers }: Answer, types: string[]): void {
  const type = headers.get("content-type")?.split(";")[0] ?? "nothing"
  if (!types.includes(type)) throw new Error(`${what} with ${type}; documented: ${types.join(", ")}`)
}

function text(body: unknown): string {
  return JSON.stringify(body)?.slice(0, 200) ?? "no body"
}
