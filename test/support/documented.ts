// Answers of the running service held against the OpenAPI document, so that the two cannot drift apart.
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import * as v from "valibot"
import { operations } from "../../src/domain/operations/index.ts"
import { AppError } from "../../src/runtime/errors.ts"
import { openApiDocument } from "../../src/surfaces/openapi/openapi.ts"
import { type Route, routesOf } from "../../src/surfaces/openapi/operation.ts"
import type { Method, OperationObject } from "../../src/surfaces/openapi/types.ts"
import { declaredErrors } from "../../src/surfaces/rest/answer.ts"
import type { Answer } from "./answer.ts"

const DOCUMENT = openApiDocument(operations, { version: "test" })

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
ajv.addSchema(DOCUMENT, "document")
const validators = new Map<string, ValidateFunction>()

/** Throws when a body is unlike the document's own schema, which is converted from the one that answers are made of. */
function checkSchema(what: string, place: string, body: unknown): void {
  const validate = validators.get(place) ?? ajv.compile({ $ref: `document#${place}` })
  validators.set(place, validate)
  if (validate(body)) return
  const [error] = validate.errors ?? []
  throw new Error(
    `${what}, at "${error?.instancePath}" unlike the document, which ${error?.message}: ${text(body)}`,
  )
}

/** Part of a JSON pointer. */
const pointed = (part: string) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))

/** Strict, unlike the document, which lets answers gain fields: what is new must be written down. */
const ErrorBody = v.strictObject({
  error: v.string(),
  message: v.string(),
  code: v.string(),
  merged_into: v.optional(v.string()),
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
  // Words in the place of an id: the path takes other methods.
  if (answer.status === 405 && ROUTES.some((one) => one.path === path)) return
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
  if (!answer.headers.get("content-type")?.includes("json")) return
  const schema = answer.status < 400 ? route.operation.output : ErrorBody
  checkShape(what, schema, answer.body)
  const own = `/paths/${pointed(route.path)}/${method.toLowerCase()}/responses/${answer.status}`
  checkSchema(
    what,
    `${"$ref" in said ? said.$ref.slice(1) : own}/content/application~1json/schema`,
    answer.body,
  )
}

/** Throws when a body is unlike the schema that the operation declares. */
function checkShape(what: string, schema: v.GenericSchema | undefined, body: unknown): void {
  const result = schema && v.safeParse(schema, body)
  if (!result || result.success) return
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
