// Answers of the REST API: of an operation, of a refusal.

import { promisify } from "node:util"
import { gzip as gzipInPool } from "node:zlib"
import { SignedIn } from "../../access/signed-in.ts"
import type { Operation, Visit } from "../../domain/operation.ts"
import { type AppError, asAppError } from "../../runtime/errors.ts"
import { namesTag, tagOf } from "../../runtime/etag.ts"
import { type Log, shownPath } from "../../runtime/log.ts"
import { Download, EventStream, JsonText } from "../../text/json-text.ts"
import { sessionCookie } from "../http/browser-session.ts"
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
  if (answer instanceof EventStream) return reply(trace, answer.stream, 200, { ...STREAM, ...limit })
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
  if (body.length < COMPRESSED_FROM) {
    if (!isTagged) return json(trace, body, status, limit)
    const fields = { ...limit, ETag: `"${tagOf(body)}"` }
    return isKnown(method, headers, body)
      ? reply(trace, null, 304, fields)
      : json(trace, body, status, fields)
  }
  const coding = codingOf(headers.get("accept-encoding"))
  const fields: Record<string, string> = { ...limit, Vary: "Accept-Encoding" }
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

/** True for a client that reads what it has already. */
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

const STREAM: HeaderFields = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
}

/** A 401 names how to authenticate; browsers ask nobody for a bearer token. */
const CHALLENGE: HeaderFields = { "WWW-Authenticate": 'Bearer realm="leaddb"' }

/** The answer to what was thrown. A defect is logged, and the client learns no more than that there is one. */
export function failed(trace: Trace, thrown: unknown, log: Log, limit: HeaderFields = {}): Response {
  const error = asAppError(thrown)
  if (error.status >= 500) {
    const { id, method, path } = trace
    log.error(error.message, { method, path: shownPath(path), request_id: id }, thrown)
  }
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
  trace.isStream = trace.isFile || headers["Content-Type"]?.startsWith(STREAM["Content-Type"]!) === true
  return named(trace, body, status, { ...headers, "X-Request-Id": trace.id })
}

/** An answer that names its request with the other headers: one set later costs as much as all of them at once. */
function named(
  trace: Trace,
  body: Body | ReadableStream | null,
  status: number,
  headers: HeaderFields,
): Response {
  trace.named = new Response(body, { status, headers })
  return trace.named
}
