import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import type * as v from "valibot"
import type { Operation } from "../../domain/operation.ts"
import { isObject } from "../../lead/parse.ts"
import { AppError, badRequest } from "../../runtime/errors.ts"
import { parseHolding } from "../../text/json-text.ts"
import { closest, excerpt } from "../../text/text.ts"
import { readBody } from "../http/request.ts"
import { readUpload } from "./upload.ts"

const BODY_MAX = 1024 * 1024

type Kind = "string" | "number" | "boolean" | "array"

/** How an operation's input is gathered from a request: worked out once per route. */
interface InputPlan {
  /** Names in the path, in their order. */
  pathNames: readonly string[]
  /** Names that the query string may hold, with what they are made into. */
  query: ReadonlyMap<string, Kind>
  hasBody: boolean
  bodyMax: number
  pathNamesAgree: boolean
  takesFilters: boolean
  /** The input that the body is, as it comes. */
  upload: string | undefined
  /** The input that a body becomes which is a bare list. */
  bodyList: string | undefined
}

export function inputPlan(operation: Operation, method: string, pathNames: readonly string[]): InputPlan {
  const entries = entriesOf(operation.input)
  const takesBody = method !== "GET"
  const names = takesBody
    ? (operation.query ?? [])
    : Object.keys(entries).filter((name) => !pathNames.includes(name))
  return {
    pathNames,
    query: new Map(names.map((name) => [name, kindOf(entries[name])])),
    hasBody:
      takesBody && Object.keys(entries).some((name) => !pathNames.includes(name) && !names.includes(name)),
    bodyMax: operation.bodyMax ?? BODY_MAX,
    pathNamesAgree: operation.pathNamesAgree === true,
    takesFilters: kindOf(entries.filter) === "array",
    upload: operation.upload?.name,
    bodyList: operation.bodyList,
  }
}

type Node = { type?: string; entries?: Record<string, Node>; wrapped?: Node; pipe?: Node[] }

function entriesOf(schema: v.GenericSchema): Record<string, Node> {
  return (schema as Node).entries ?? {}
}

function kindOf(node: Node | undefined): Kind {
  if (node?.wrapped) return kindOf(node.wrapped)
  return node?.type === "number" || node?.type === "boolean" || node?.type === "array" ? node.type : "string"
}

/** The values of the path, query and body of a request as one input. `unstyled` turns a body into the API's style. Throws `bad_request` and `too_large`. */
export function readInput(
  plan: InputPlan,
  request: Request,
  values: readonly string[],
  unstyled?: (body: unknown) => unknown,
): Record<string, unknown> | Promise<unknown> {
  const path: Record<string, string> = {}
  for (const [i, name] of plan.pathNames.entries()) path[name] = values[i]!
  const query = readQuery(plan, request.url)
  return plan.hasBody ? withBody(plan, request, { path, query }, unstyled) : Object.assign(query, path)
}

async function withBody(
  plan: InputPlan,
  request: Request,
  { path, query }: { path: Record<string, string>; query: Record<string, unknown> },
  unstyled?: (body: unknown) => unknown,
): Promise<unknown> {
  if (plan.upload) return { ...query, ...path, [plan.upload]: await readUpload(request, plan.bodyMax) }
  const sent = await readJson(request, plan.bodyMax)
  const plain = unstyled ? unstyled(sent) : sent
  const body = plan.bodyList !== undefined && Array.isArray(plain) ? { [plan.bodyList]: plain } : plain
  if (body === undefined) return { ...query, ...path }
  if (!isObject(body)) throw badRequest("The body must be a JSON object")
  if (plan.pathNamesAgree) refuseOther(path, body)
  // A single filter comes without the list around it as well, as it does in a query.
  const isAlone = plan.takesFilters && typeof body.filter === "string"
  return { ...body, ...(isAlone && { filter: [body.filter] }), ...query, ...path }
}

function refuseOther(path: Record<string, string>, body: Record<string, unknown>): void {
  for (const name of Object.keys(path)) {
    if (Object.hasOwn(body, name) && body[name] !== path[name])
      throw badRequest(`${name} in the body is another one than in the path`)
  }
}

function readQuery(plan: InputPlan, url: string): Record<string, unknown> {
  const start = url.indexOf("?")
  if (start < 0) return {}
  const input: Record<string, unknown> = {}
  for (const [said, value] of pairsOf(url.slice(start + 1))) {
    // Libraries of HTTP write the items of a list so.
    const name =
      said.endsWith("[]") && plan.query.get(said.slice(0, -2)) === "array" ? said.slice(0, -2) : said
    const kind = plan.query.get(name)
    if (kind === undefined) throw unknownParameter(plan, name)
    if (kind === "array") {
      input[name] = [...((input[name] as string[] | undefined) ?? []), value]
    } else if (Object.hasOwn(input, name)) {
      throw badRequest(`query parameter ${name} is given more than once`)
    } else {
      input[name] = convert(kind, value)
    }
  }
  return input
}

/** Names and values of a query. What needs no decoding is split here, at a fifth of the time. */
function pairsOf(query: string): Iterable<[string, string]> {
  if (/[%+]|^\?/.test(query)) return new URLSearchParams(query)
  return query.split("&").flatMap((pair) => {
    const at = pair.indexOf("=")
    return pair === "" ? [] : [[at < 0 ? pair : pair.slice(0, at), at < 0 ? "" : pair.slice(at + 1)]]
  })
}

function unknownParameter(plan: InputPlan, name: string): AppError {
  const valid = [...plan.query.keys()]
  if (valid.length === 0) return badRequest(`unknown query parameter "${excerpt(name)}": none are taken here`)
  const near = closest(name, valid)
  return badRequest(
    `unknown query parameter "${excerpt(name)}". ${near ? `Did you mean ${near}? ` : ""}Valid: ${valid.join(", ")}`,
  )
}

/** Converts a text; one that does not convert stays text, and the schema reports it. */
function convert(kind: Kind, value: string): unknown {
  if (kind === "number" && /^[+-]?\d+(\.\d+)?$/.test(value)) return Number(value)
  if (kind === "boolean" && (value === "" || value === "true" || value === "1")) return true
  if (kind === "boolean" && (value === "false" || value === "0")) return false
  return value
}

/** Undefined when there is no body. */
async function readJson(request: Request, most: number): Promise<unknown> {
  const bytes = await readBody(request, most, () => tooLarge(most))
  if (bytes.length === 0) return undefined
  let text: string
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await decoded(request.headers, bytes, most))
  } catch (error) {
    if (error instanceof AppError) throw error
    // The first two bytes of gzip.
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b && !request.headers.has("content-encoding")
    throw badRequest(
      isGzip ? "The body is gzip: say so by Content-Encoding: gzip" : "The body is not valid UTF-8",
    )
  }
  try {
    return parseHolding(text)
  } catch (error) {
    if (error instanceof AppError) throw error
    const reason =
      error instanceof SyntaxError ? error.message.replace("JSON Parse error: ", "") : "it is nested too deep"
    throw badRequest(`The body is not valid JSON: ${reason}`)
  }
}

const unzip = promisify(gunzip)

/** The bytes of a compressed body, at most as many as a plain one may have. Throws `bad_request` and `too_large`. */
async function decoded(headers: Headers, bytes: Uint8Array, most: number): Promise<Uint8Array> {
  const coding = headers.get("content-encoding")?.trim().toLowerCase() ?? "identity"
  if (coding === "identity" || coding === "") return bytes
  if (coding !== "gzip" && coding !== "x-gzip")
    throw badRequest(`Content-Encoding "${excerpt(coding)}" is not taken: send the body as gzip, or as it is`)
  return unzip(bytes, { maxOutputLength: most }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(most)
    throw badRequest("The body is not gzip, though Content-Encoding says so")
  })
}

function tooLarge(most: number): AppError {
  return new AppError(
    "too_large",
    `The body is larger than ${most / 1024 / 1024} MiB; send fewer leads at a time`,
  )
}
