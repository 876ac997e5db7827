// Answers of the REST API: of an operation, of a refusal.
import { promisify } from "node:util"
import { gzip as gzipInPool } from "node:zlib"
import { SignedIn } from "../../access/signed-in.ts"
import type { Operation, Visit } from "../../domain/operation.ts"
import { LIST_STYLES, type ListStyle } from "../../lead/list-style.ts"
import { isObject } from "../../lead/parse.ts"
import { type AppError, asAppError, badRequest, type ErrorKind } from "../../runtime/errors.ts"
import { namesTag, tagOf } from "../../runtime/etag.ts"
import type { Log } from "../../runtime/log.ts"
import { Download, EventStream, JsonText } from "../../text/json-text.ts"
import { excerpt } from "../../text/text.ts"
import { sessionCookie } from "../http/auth.ts"
import { logFailure } from "../http/for-strangers.ts"
import { EVENT_STREAM } from "../http/request.ts"
import type { Trace } from "../ops/observer.ts"
import type { Rendered } from "./idempotency.ts"

// Compresses JSON answers for clients that ask for it.

/** Bytes from which an answer is compressed: a shorter one fits into a packet or two as it is. */
const COMPRESSED_FROM = 1024
/** Bytes that take about a millisecond; longer answers are compressed on a thread of the pool. */
const AT_ONCE = 256 * 1024

const gzipAsync = promisify(gzipInPool)

type Coding = "gzip" | "zstd"
type Bytes = Uint8Array<ArrayBuffer>

/** The coding that a client prefers, zstd where it takes both alike; undefined for none. */
function codingOf(accepted: string | null): Coding | undefined {
  if (accepted === null || accepted === "" || accepted === "identity") return undefined
  let best: Coding | undefined
  let most = 0
  for (const part of accepted.toLowerCase().split(",", 20)) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim())
    if (name !== "gzip" && name !== "zstd" && name !== "x-gzip") continue
    const quality = parameters.find((parameter) => parameter.startsWith("q="))
    const weight = quality === undefined ? 1 : Number(quality.slice(2))
    if (weight > most || (weight === most && weight > 0 && name === "zstd")) {
      best = name === "zstd" ? "zstd" : "gzip"
      most = weight
    }
  }
  return best
}

/** The compressed body: at once where that is quick. */
function compressed(body: string | Bytes, coding: Coding): Bytes | Promise<Bytes> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body
  if (bytes.length <= AT_ONCE)
    return coding === "zstd" ? asBytes(Bun.zstdCompressSync(bytes)) : Bun.gzipSync(bytes, { level: 1 })
  return coding === "zstd"
    ? Bun.zstdCompress(bytes).then(asBytes)
    : gzipAsync(bytes, { level: 1 }).then(asBytes)
}

function asBytes(buffer: Buffer): Bytes {
  return new Uint8Array(buffer.buffer as ArrayBuffer, buffer.byteOffset, buffer.byteLength)
}

/** JSON, as text or as its UTF-8. */
type Body = JsonText["body"]
/** Headers of an answer. */
export type HeaderFields = Readonly<Record<string, string>>
export const NO_HEADERS: HeaderFields = {}

export function respond(
  trace: Trace,
  operation: Operation,
  answer: unknown,
  limit: HeaderFields,
  visit: Visit,
  request: Request,
): Response | Promise<Response> {
  if (answer instanceof SignedIn) {
    const headers = { ...limit, "Set-Cookie": sessionCookie(answer, visit), "Cache-Control": "no-store" }
    if (answer.body === undefined) return reply(trace, null, 204, headers)
    return json(trace, JSON.stringify(answer.body), operation.status ?? 200, headers)
  }
  if (answer === undefined) return reply(trace, null, 204, limit)
  if (answer instanceof Download) {
    return reply(trace, answer.stream, 200, {
      "Content-Type": answer.contentType,
      "Content-Disposition": `attachment; filename="${answer.fileName}"`,
      ...limit,
    })
  }
  if (answer instanceof EventStream) return reply(trace, answer.stream, 200, { ...EVENT_STREAM, ...limit })
  const isText = answer instanceof JsonText
  const status = (isText ? answer.status : undefined) ?? operation.status ?? 200
  const body = isText ? answer.body : JSON.stringify(answer)
  return respondJson(trace, operation, body, status, limit, request)
}

/** JSON with its ETag where the operation has one, compressed where that is asked for and worth it. */
export function respondJson(
  trace: Trace,
  { isTagged }: Operation,
  body: Body,
  status: number,
  limit: HeaderFields,
  { method, headers }: Request,
): Response | Promise<Response> {
  const isSmall = body.length < COMPRESSED_FROM
  if (isSmall && !isTagged) return json(trace, body, status, limit)
  const coding = isSmall ? undefined : codingOf(headers.get("accept-encoding"))
  const fields: Record<string, string> = { ...limit }
  if (!isSmall) fields.Vary = "Accept-Encoding"
  if (isTagged) {
    fields.ETag = coding === undefined ? `"${tagOf(body)}"` : `"${tagOf(body)}-${coding}"`
    if (isKnown(method, headers, body)) return reply(trace, null, 304, fields)
  }
  if (coding === undefined) return json(trace, body, status, fields)
  fields["Content-Encoding"] = coding
  const packed = compressed(body, coding)
  return packed instanceof Promise
    ? packed.then((bytes) => json(trace, bytes, status, fields))
    : json(trace, packed, status, fields)
}

/** Whether the client has this body already. */
function isKnown(method: string, headers: Headers, body: Body): boolean {
  if (method !== "GET") return false
  const named = headers.get("if-none-match")
  return named !== null && namesTag(named, tagOf(body), "weak")
}

/** The answer of an operation that writes. */
export function renderedOf(operation: Operation, answer: unknown): Rendered {
  if (answer === undefined) return { status: 204, body: null }
  const isText = answer instanceof JsonText
  const status = (isText ? answer.status : undefined) ?? operation.status ?? 200
  return { status, body: isText ? answer.text : JSON.stringify(answer) }
}

/** A 401 names how to authenticate; browsers ask nobody for a bearer token. */
const CHALLENGE: HeaderFields = { "WWW-Authenticate": 'Bearer realm="leaddb"' }

/** The answer to what was thrown. A defect is logged, and the client learns no more than that there is one. */
export function failed(trace: Trace, thrown: unknown, log: Log, limit: HeaderFields = {}): Response {
  const error = asAppError(thrown)
  if (error.status >= 500) logFailure(log, trace, error, thrown)
  return refusal(trace, error, limit)
}

export function refusal(trace: Trace, error: AppError, limit: HeaderFields = {}): Response {
  const challenge = error.status === 401 ? CHALLENGE : undefined
  return json(trace, JSON.stringify(error.toRest()), error.status, {
    ...challenge,
    ...error.headers,
    ...limit,
  })
}

function json(trace: Trace, body: Body, status: number, more: HeaderFields): Response {
  return named(trace, body, status, { "Content-Type": "application/json", ...more, "X-Request-Id": trace.id })
}

export function reply(
  trace: Trace,
  body: Body | ReadableStream | null,
  status: number,
  headers: HeaderFields,
): Response {
  trace.isFile = "Content-Disposition" in headers && body !== null
  trace.isStream = trace.isFile || headers["Content-Type"]?.startsWith(EVENT_STREAM["Content-Type"]) === true
  return named(trace, body, status, { ...headers, "X-Request-Id": trace.id })
}

/** Sets the id of the request with the other headers: one set later costs as much as all of them at once. */
function named(
  trace: Trace,
  body: Body | ReadableStream | null,
  status: number,
  headers: HeaderFields,
): Response {
  trace.named = new Response(body, { status, headers })
  return trace.named
}

/** Errors of every route: input, rights, limits, and the state of the service. */
const SHARED: readonly ErrorKind[] = [
  "bad_request",
  "forbidden",
  "misdirected",
  "rate_limit_exceeded",
  "internal_error",
  "unavailable",
]
/** Errors of every route that writes. */
const OF_WRITES: readonly ErrorKind[] = ["storage_full", "outcome_unknown"]
/** Errors of routes that take an `Idempotency-Key`: it names another request, or one that is under way. */
const OF_KEPT: readonly ErrorKind[] = ["conflict", "idempotency_key_reused"]

/** Whether a route keeps its answer for a request that is sent again with the same `Idempotency-Key`. */
export function keepsAnswers({ access }: Operation, method: string): boolean {
  // The answer of an operation that signs in carries a secret and is never kept.
  return (access === "write" || access === "owner") && method !== "GET"
}

/** Every error that a route of an operation may answer with: its own and those that it shares with others. */
export function declaredErrors(operation: Operation, method: string, hasBody: boolean): ErrorKind[] {
  const { access, errors = [] } = operation
  const writes = access !== "read" && method !== "GET"
  const kinds: readonly ErrorKind[] = [
    ...SHARED,
    ...(access === "open" ? [] : (["unauthorized"] as const)),
    ...(hasBody ? (["too_large"] as const) : []),
    ...(writes ? OF_WRITES : []),
    ...(keepsAnswers(operation, method) ? OF_KEPT : []),
    ...errors,
  ]
  return [...new Set(kinds)]
}

// The object style: requests and answers in the shapes of published client libraries. A request asks for it by header or
// by its key; LEADDB_LIST_STYLE is the default of keys. Requests of browser sessions are always in the array style.

/** The property that holds the list, by the operation that answers it. */
export const LIST_NAMES: ReadonlyMap<string, string> = new Map([
  ["list_notes", "notes"],
  ["list_attributes", "attributes"],
  ["list_scoring_rules", "rules"],
  ["list_webhooks", "webhooks"],
])
/** Operations whose answers give the times of webhooks as ISO texts. */
export const WITH_WEBHOOK_TIMES: ReadonlySet<string> = new Set([
  "list_webhooks",
  "create_webhook",
  "get_webhook",
  "update_webhook",
])
/** The field that a body stands for which is no object, or an object without this field. */
const BARE_FIELDS: ReadonlyMap<string, string> = new Map([["update_attribute", "value"]])
/** Times of a lead as published clients send them back; the API ignores them as it does their snake forms. */
const CAMEL_TIMES = ["createdAt", "updatedAt", "lastInteractionAt"]

/** The style of a request with a key. Throws `bad_request` for an unknown style. */
export function listStyleOf(headers: Headers, ofKey: ListStyle | null, fallback: ListStyle): ListStyle {
  const asked = headers.get("x-list-style")
  if (asked === null) return ofKey ?? fallback
  const chosen = LIST_STYLES.find((style) => style === asked.trim().toLowerCase())
  if (!chosen) throw badRequest(`X-List-Style must be ${LIST_STYLES.join(" or ")}, not "${excerpt(asked)}"`)
  return chosen
}

/** Returns a function that turns a body of this operation in the object style into one of the API. */
export function bodyReader({ name, input }: Operation): (body: unknown) => unknown {
  const bare = BARE_FIELDS.get(name)
  const fields = Object.keys((input as { entries?: object }).entries ?? {})
  const isLead = fields.includes("last_interaction_at")
  return (body) => {
    if (bare !== undefined && body !== undefined && !(isObject(body) && bare in body)) return { [bare]: body }
    if (!isObject(body)) return body
    if (isLead) return withoutCamelTimes(body)
    const { leads, data } = body
    return {
      ...body,
      ...(fields.includes("leads") && Array.isArray(leads) && { leads: leads.map(withoutCamelTimes) }),
      ...(fields.includes("data") && isObject(data) && { data: withoutCamelTimes(data) }),
    }
  }
}

function withoutCamelTimes(lead: unknown): unknown {
  if (!isObject(lead) || !CAMEL_TIMES.some((name) => name in lead)) return lead
  return Object.fromEntries(Object.entries(lead).filter(([name]) => !CAMEL_TIMES.includes(name)))
}

/** An answer as an object with the list in it, and the times of webhooks as ISO texts; any other as it is. */
export function inObjectStyle({ name }: Operation, answer: unknown): unknown {
  const list = LIST_NAMES.get(name)
  const told = !WITH_WEBHOOK_TIMES.has(name)
    ? answer
    : Array.isArray(answer)
      ? answer.map(withTexts)
      : withTexts(answer)
  return list !== undefined && Array.isArray(told) ? { [list]: told } : told
}

function withTexts(webhook: unknown): unknown {
  if (!isObject(webhook)) return webhook
  const { created_at, updated_at } = webhook
  return { ...webhook, created_at: isoText(created_at), updated_at: isoText(updated_at) }
}

function isoText(seconds: unknown): unknown {
  return typeof seconds === "number" ? new Date(seconds * 1000).toISOString() : seconds
}
