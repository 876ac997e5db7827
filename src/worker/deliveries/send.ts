import pRetry from "p-retry"
import type { Clock } from "../../runtime/clock.ts"
import {
  type AddressPolicy,
  isPublicAddress,
  type Lookup,
  resolveTarget,
  type Target,
} from "../net/address-guard.ts"
import { fromFetch, isNetworkFailure, startDeadline, unlessAborted } from "../net/network-failure.ts"

const KEPT_BYTES = 1024

interface AnswerText {
  /** The first 1 KiB, read as UTF-8; what is not text there is replaced by U+FFFD. */
  text: string
  /** Why the answer broke off before its end or its first 1 KiB. */
  broken?: string
}

/** Reads the start of an answer's body and cancels the rest. The fetch's own signal cuts a slow one. */
async function readAnswer(response: Response): Promise<AnswerText> {
  if (!response.body) return { text: "" }
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  let room = KEPT_BYTES
  try {
    while (room > 0) {
      const { done, value } = await reader.read()
      if (done) break
      const part = value.subarray(0, room)
      room -= part.length
      // Streaming keeps back a character that the limit has cut in two.
      text += decoder.decode(part, { stream: true })
    }
    if (room === 0) await reader.cancel()
    return { text: printable(text) }
  } catch (thrown) {
    const failure = fromFetch(thrown)
    if (!isNetworkFailure(failure)) throw failure
    return { text: printable(text), broken: failure.message }
  }
}

/** Without control characters: they would end a text early in SQLite, or play with a terminal. */
function printable(text: string): string {
  return text.replace(/[^\P{Cc}\t\n\r]/gu, "\u{fffd}")
}

/** Time limit for the receiver's whole answer. */
const ANSWER_WITHIN_MS = 5000
/** Tries again after 100 and 400 ms when no connection came about; Bun does not itself when a reused one is stale. */
const QUICK_TRIES = { retries: 2, minTimeout: 100, factor: 4 }
const REDIRECTS = new Set([301, 302, 303, 307, 308])

export interface SendRequest {
  url: string
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer>
  policy: AddressPolicy
  clock: Pick<Clock, "monotonic">
  /** Instead of the system's resolver. */
  lookup?: Lookup
  /** For the whole attempt, from the lookup to the last byte that is kept; 5,000 by default. */
  timeoutMs?: number
  /** PEM of the only authorities to trust, instead of the system's. */
  ca?: string
}

/** The outcome of one attempt. Every expected failure is one; only a defect throws. */
export interface Outcome {
  /** A 2xx answer arrived in time. */
  ok: boolean
  /** HTTP status, null without an answer. */
  code: number | null
  /** Why it failed, for people: `connection refused`, `answered 500`; null when it did not. */
  error: string | null
  /** Whole milliseconds the attempt took. */
  milliseconds: number
  /** The first 1 KiB of the answer's body. */
  answer: string
  /** Whether the answer is from the public network: no other one is shown. */
  isPublic: boolean
  /** The `Retry-After` header as it came. */
  retryAfter: string | null
}

/**
 * Makes one attempt: a POST to an address that the policy allows, redirects not followed, proxies and compression
 * ignored. Connection errors are tried again at once within the attempt, on the host's next address if it has one.
 * An abort of `signal` ends it as a failure.
 */
export async function send(request: SendRequest, signal?: AbortSignal): Promise<Outcome> {
  const start = request.clock.monotonic()
  const deadline = startDeadline(request.timeoutMs ?? ANSWER_WITHIN_MS, signal)
  try {
    const result = await attempt(request, deadline.signal)
    return { ...result, milliseconds: Math.round(request.clock.monotonic() - start) }
  } finally {
    deadline.end()
  }
}

type Result = Omit<Outcome, "milliseconds">

async function attempt(request: SendRequest, signal: AbortSignal): Promise<Result> {
  try {
    const target = await unlessAborted(resolveTarget(request.url, request.policy, request.lookup), signal)
    if (!target.ok) return unanswered(target.reason)
    const response = await post(request, target, signal)
    const isPublic = target.addresses.every(isPublicAddress)
    return { ...answered(response, await readAnswer(response)), isPublic }
  } catch (thrown) {
    if (isNetworkFailure(thrown)) return unanswered(thrown.message)
    throw thrown
  }
}

function post(request: SendRequest, target: Target, signal: AbortSignal): Promise<Response> {
  const tryOnce = async (nth: number) => {
    const { address, family } = target.addresses[(nth - 1) % target.addresses.length]!
    try {
      return await postTo(family === 6 ? `[${address}]` : address, request, target.url, signal)
    } catch (thrown) {
      // p-retry never repeats a TypeError that it does not know, and Bun's network errors are such.
      throw fromFetch(thrown)
    }
  }
  const shouldRetry = ({ error }: { error: Error }) => isNetworkFailure(error) && error.again
  return pRetry(tryOnce, { ...QUICK_TRIES, signal, shouldRetry })
}

function postTo(host: string, request: SendRequest, url: URL, signal: AbortSignal): Promise<Response> {
  const pinned = new URL(url)
  pinned.hostname = host
  return fetch(pinned, {
    method: "POST",
    headers: { ...request.headers, Host: url.host },
    body: request.body,
    redirect: "manual",
    proxy: false,
    decompress: false,
    signal,
    ...(url.protocol === "https:" && { tls: tlsFor(url, request.ca) }),
  })
}

function tlsFor({ hostname }: URL, ca: string | undefined) {
  // Checked against this name; sent as SNI without a final dot (RFC 6066, 3), and by Bun not at all when an address.
  const serverName = hostname.replace(/\.$/, "")
  return { rejectUnauthorized: true, serverName, ...(ca !== undefined && { ca }) }
}

function unanswered(error: string): Result {
  return { ok: false, code: null, error, answer: "", isPublic: true, retryAfter: null }
}

function answered(response: Response, { text, broken }: AnswerText): Omit<Result, "isPublic"> {
  const { status: code, ok: success } = response
  const result = { code, answer: text, retryAfter: response.headers.get("retry-after") }
  if (!success) {
    const note = REDIRECTS.has(code) ? " (redirects are not followed)" : ""
    return { ok: false, error: `answered ${code}${note}`, ...result }
  }
  if (broken !== undefined) return { ok: false, error: `answered ${code}, then ${broken}`, ...result }
  return { ok: true, error: null, ...result }
}
