// Every request of the dashboard goes through here: the public REST API with the session's cookie.

import { signal } from "@preact/signals"
import { address, type Fetched, fetchText, type Query } from "./first-request.ts"
import { t } from "./text.ts"

export { address, BASE, type Query } from "./first-request.ts"

/** A refusal of the service, in its own words. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
    readonly requestId: string,
    readonly body: unknown = undefined,
    /** Seconds after which it can be asked again; 0 where it does not say. */
    readonly retryAfter = 0,
  ) {
    super(message)
  }
}

interface Ask {
  query?: Query | undefined
  body?: unknown
  /** A file in place of a JSON body. */
  file?: { data: Blob; type: string }
  signal?: AbortSignal
  /** Asked by the dashboard itself, not for what the page shows: neither kept for curl nor counted as a write. */
  isQuiet?: boolean
}

/** Whether the service is out of reach; the shell says so and tries again. */
export const isOffline = signal(false)
/** Whether the session has ended since the page was opened. */
export const isSignedOut = signal(false)
/** Counts the requests of this tab that write, and the jobs that it has waited for. */
export const written = signal(0)
/** The last reading request of this page, for "copy as curl". */
export const lastRead = signal("")

/** How often a request that was not carried out is sent again, and after how many seconds at most. */
const TRIES = 5
const PAUSE_MAX = 2

/** The answer's JSON. A service that is too busy for a moment is asked again. Throws ApiError, also where the service cannot be reached (status 0), and AbortError. */
export async function ask<T>(
  method: string,
  path: string,
  { query, body, file, signal, isQuiet = false }: Ask = {},
): Promise<T> {
  const url = address(path, query)
  if (method === "GET" && !isQuiet) lastRead.value = url
  const init = {
    ...(signal && { signal }),
    ...(file && { body: file.data, headers: { "Content-Type": file.type } }),
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json" },
    }),
  }
  for (let tries = 0; ; tries++) {
    try {
      const fetched = await send(method, url, init)
      if (method !== "GET" && !isQuiet) written.value++
      return answerOf<T>(fetched)
    } catch (error) {
      const after = error instanceof ApiError && error.code === "unavailable" ? error.retryAfter : 0
      if (after === 0 || after > PAUSE_MAX || tries === TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, after * 1_000))
    }
  }
}

/** Begins a sign-in with the provider, by an invitation. Answers with the address that leads there. */
export async function beginAtProvider(invite: string): Promise<{ location: string }> {
  const headers = { "Content-Type": "application/json" }
  return answerOf(await send("POST", "/oidc/sign-in", { body: JSON.stringify({ invite }), headers }))
}

function answerOf<T>({ response, text }: Fetched): T {
  if (response.status === 204) return undefined as T
  const isJson = response.headers.get("content-type")?.includes("json")
  const answer = isJson ? JSON.parse(text) : undefined
  if (response.ok) return answer as T
  throw refusal(response, answer)
}

async function send(method: string, url: string, init: RequestInit): Promise<Fetched> {
  const asked = method === "GET" ? globalThis.leaddbAsked?.get(url) : undefined
  globalThis.leaddbAsked?.delete(url)
  try {
    const fetched = await (asked ?? fetchText(url, { method, ...init }))
    init.signal?.throwIfAborted()
    isOffline.value = false
    return fetched
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error
    isOffline.value = true
    throw new ApiError(t("The service cannot be reached"), 0, "offline", "")
  }
}

function refusal(response: Response, answer: { message?: string; code?: string } | undefined): ApiError {
  const { status } = response
  const code = answer?.code ?? ""
  const isSigningIn = /\/members\/|\/(sessions|sign-in)$/.test(response.url)
  if (status === 401 && !isSigningIn) {
    isSignedOut.value = true
  }
  const message = answer?.message ?? t("The service answered {status}", { status })
  const { headers } = response
  const after = Number(headers.get("retry-after"))
  return new ApiError(message, status, code, headers.get("x-request-id") ?? "", answer, after)
}

export const get = <T>(path: string, query?: Query, signal?: AbortSignal) =>
  ask<T>("GET", path, { query, ...(signal && { signal }) })
/** Reads what the dashboard needs beside what the page shows. */
export const peek = <T>(path: string, query?: Query, signal?: AbortSignal) =>
  ask<T>("GET", path, { query, isQuiet: true, ...(signal && { signal }) })
export const post = <T>(path: string, body: unknown = {}, query?: Query) =>
  ask<T>("POST", path, { body, query })
export const put = <T>(path: string, body: unknown) => ask<T>("PUT", path, { body })
export const patch = <T>(path: string, body: unknown) => ask<T>("PATCH", path, { body })
export const remove = <T>(path: string) => ask<T>("DELETE", path)

/** A reading request as it is typed into a terminal. */
export const curl = (url: string): string =>
  `curl '${location.origin}${url.replaceAll("'", "%27")}' -H "X-API-Key: $KEY"`

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError"
}
