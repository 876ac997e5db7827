import type { components } from "./schema.ts"

type ErrorBody = components["schemas"]["Error"]
/** Of the service's own errors; `unknown` is an answer that is not the service's, such as a proxy's page. */
export type ErrorCode = ErrorBody["code"] | "unknown"

/** An answer of 400 and above: programs go by `code`, people by `message`. */
export class LeaddbError extends Error {
  override readonly name = "LeaddbError"
  /** The HTTP status. */
  readonly status: number
  readonly code: ErrorCode
  /** The problem of each field, when there are several. */
  readonly details: NonNullable<ErrorBody["details"]>
  /** The name of the request in the service's log. */
  readonly requestId: string | undefined
  /** Seconds to wait before the next try, when the service says so. */
  readonly retryAfter: number | undefined

  constructor(response: Response, body: unknown) {
    const told = isErrorBody(body) ? body : undefined
    super(told?.message ?? `${response.status} ${response.statusText}`.trim())
    this.status = response.status
    this.code = told?.code ?? "unknown"
    this.details = told?.details ?? []
    this.requestId = response.headers.get("x-request-id") ?? undefined
    this.retryAfter = secondsToWait(response)
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === "object" && body !== null && "code" in body && "message" in body
}

/** Seconds to wait by Retry-After, which is in seconds or a date; undefined without one. */
export function secondsToWait({ headers }: Response): number | undefined {
  const text = headers.get("retry-after")
  if (text === null) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
