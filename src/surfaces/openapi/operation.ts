// One route of one operation as the document shows it.

import { examplePush } from "../../domain/examples.ts"
import type { Operation } from "../../domain/operation.ts"
import type { Json } from "../../lead/lead.ts"
import { inputPlan } from "../rest/input.ts"
import { describe } from "./descriptions.ts"
import { headersOf, IF_MATCH, IF_NONE_MATCH } from "./headers.ts"
import { problemsOf } from "./problems.ts"
import { namedSchema, plain, ref, schemaOf } from "./schemas.ts"
import type { Answered, Media, OperationObject, Parameter, Schema } from "./types.ts"

/** The meaning of a status, unless the operation has its own words. */
const STATUS_WORDS: Readonly<Record<number, string>> = {
  200: "Done.",
  201: "Created.",
  202: "Accepted: a job does it.",
  204: "Deleted.",
  304: "Still as `If-None-Match` names it.",
  207: "Some or all items failed: see each.",
}

/** The answers of an operation that succeeds, by status. */
function answersOf(operation: Operation, method: string): Record<string, Answered> {
  const tags = operation.isTagged ? (["ETag"] as const) : []
  const ownHeaders =
    operation.access === "read" ? headersOf(...tags) : headersOf("Idempotency-Replayed", ...tags)
  const unchanged = operation.isTagged &&
    method === "GET" && { 304: { description: STATUS_WORDS[304]!, headers: ownHeaders } }
  const answers = Object.fromEntries(
    statusesOf(operation).map((status) => [
      String(status),
      {
        description: operation.says?.[status] ?? STATUS_WORDS[status] ?? "Done.",
        headers: operation.files ? headersOf("Content-Disposition") : ownHeaders,
        ...(status !== 204 && { content: contentOf(operation, status) }),
      },
    ]),
  )
  return { ...answers, ...unchanged }
}

/** The statuses of success: the usual one first. */
function statusesOf({ status, otherStatuses = [], output }: Operation): number[] {
  return [status ?? (output ? 200 : 204), ...otherStatuses]
}

function contentOf(operation: Operation, status: number): Record<string, Media> {
  const { output, files = ["application/json"], example: { answers, text } = {} } = operation
  return Object.fromEntries(
    files.map((type): [string, Media] => {
      const isJson = type.includes("json")
      const example: Json | undefined = isJson
        ? answers?.[status]
        : type.startsWith("text/")
          ? text
          : undefined
      const schema = isJson && output ? schemaOf(output, "output") : fileSchema(type)
      return [type.split(";")[0]!, { schema, ...(example !== undefined && { example }) }]
    }),
  )
}

function fileSchema(type: string) {
  return type.startsWith("text/") ? { type: "string" } : { type: "string", format: "binary" }
}

export interface Route {
  operation: Operation
  /** In capitals. */
  method: string
  /** `/leads/{id}` */
  path: string
  /** One of several methods of its operation, and not the first. */
  isAlias: boolean
}

/** Every route there is, in the order of the operations. */
export function routesOf(operations: readonly Operation[]): Route[] {
  return operations.flatMap((operation) =>
    [operation.http ?? []].flat().map((route, i) => {
      const [method = "", path = ""] = route.split(" ")
      return { operation, method, path: path.replaceAll(/:(\w+)/g, "{$1}"), isAlias: i > 0 }
    }),
  )
}

export function operationObject({ operation, method, path, isAlias }: Route): OperationObject {
  const { name, about, tag, note } = operation
  const pathNames = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
  const plan = inputPlan(operation, method, pathNames)
  const input = inputOf(operation)
  const parameters = [
    ...pathParameters(path),
    ...queryParameters(input, [...plan.query.keys()]),
    ...conditions(operation, method),
  ]
  const body = plan.hasBody
    ? bodyOf(input, [...plan.query.keys()], pathNames, {
        isUpdate: method !== "POST",
        agree: plan.pathNamesAgree,
      })
    : undefined
  const description = [note, rights(operation)].filter(Boolean).join("\n\n")
  const example = operation.example?.body
  return {
    operationId: isAlias ? name.replace(/^[a-z]+/, method.toLowerCase()) : name,
    tags: [tag],
    summary: about,
    ...(description && { description }),
    ...(operation.access === "open" && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: body.required !== undefined,
        content: operation.upload
          ? uploadContent(operation)
          : {
              "application/json": {
                schema: namedSchema(body),
                ...(example !== undefined && { example }),
              },
            },
      },
    }),
    responses: { ...answersOf(operation, method), ...problemsOf(operation, method, body !== undefined) },
  }
}

/** Headers for which an operation asks about the state that a client knows. */
function conditions({ isTagged, errors }: Operation, method: string): Parameter[] {
  if (errors?.includes("precondition_failed")) return [IF_MATCH]
  return isTagged && method === "GET" ? [IF_NONE_MATCH] : []
}

function rights({ access }: Operation): string | undefined {
  if (access === "open") return "Takes no key."
  if (access === "owner") return "Owners only."
  return access === "write" ? "Editors and owners." : undefined
}

/** The input of an operation, with the tool's schema where that is more precise. */
function inputOf({ input, toolInput }: Operation): Schema {
  const whole = plain(input, "input")
  const precise = toolInput && plain(toolInput, "input")
  return { ...whole, properties: { ...whole.properties, ...precise?.properties } }
}

/** The path parameters: after a word of the same name a value, else the id of the noun before it. */
function pathParameters(path: string): Parameter[] {
  return [...path.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, collection = "", name = ""]) => {
    const thing = collection.replace("api-keys", "API key").replace(/s$/, "").replaceAll("-", " ")
    return {
      name,
      in: "path",
      required: true,
      description: collection === name ? `The ${name} of the lead.` : `Id of the ${thing}.`,
      schema: { type: "string" },
    }
  })
}

function queryParameters(input: Schema, names: string[]): Parameter[] {
  const { properties = {} } = describe(input)
  return names.map((name) => {
    const { description = "", ...schema } = properties[name] ?? {}
    const required = input.required?.includes(name)
    const isList = schema.type === "array"
    return {
      name,
      in: "query",
      ...(required && { required }),
      description,
      ...(isList && { style: "form", explode: true }),
      schema,
    }
  })
}

/**
 * The part of the input that is the body. What is in the path may stand in the body of an update too, so that a thing
 * that was read can be sent back: it is passed over.
 */
function bodyOf(
  input: Schema,
  query: string[],
  path: string[],
  { isUpdate, agree }: { isUpdate: boolean; agree: boolean },
): Schema {
  const { type, properties: all = {}, required: needed = [], ...rest } = input
  const isReadBack = isUpdate && Object.values(all).some((schema) => schema.readOnly)
  const properties = Object.entries(all).flatMap(([name, schema]): [string, Schema][] => {
    if (query.includes(name)) return []
    if (!path.includes(name)) return [[name, schema]]
    if (!isReadBack) return []
    return [
      [name, agree ? { type: "string", description: "As in the path, or left out." } : { readOnly: true }],
    ]
  })
  const required = needed.filter((name) => !path.includes(name) && !query.includes(name))
  return {
    ...(type && { type }),
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    ...rest,
  }
}

// The body of an operation that takes a file.

/** The file as the body, in each of its content types, or in a form. */
function uploadContent({ upload, example: whole }: Operation): Record<string, Media> {
  const types = (upload?.types ?? []).map((type): [string, Media] => {
    const example = exampleOf(type, whole?.body)
    return [type, { schema: schemaOfType(type), ...(example !== undefined && { example }) }]
  })
  const file: Schema = {
    type: "string",
    format: "binary",
    description: "The file; its name tells the format.",
  }
  const form: Schema = { type: "object", properties: { file }, required: ["file"] }
  return { ...Object.fromEntries(types), "multipart/form-data": { schema: form } }
}

/** None of what is binary. */
function exampleOf(type: string, text: Json | undefined): Json | undefined {
  if (type === "application/json") return [examplePush]
  if (type === "application/x-ndjson") return `${JSON.stringify(examplePush)}\n`
  return type.startsWith("text/") ? text : undefined
}

function schemaOfType(type: string): Schema {
  if (type.startsWith("text/") || type.includes("ndjson")) return { type: "string" }
  if (type === "application/json") return { type: "array", items: ref("LeadInput") }
  return { type: "string", format: "binary" }
}
