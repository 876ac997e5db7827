/** The one table of errors: what a code means over REST and for a tool. */
export const ERRORS = {
  bad_request: { status: 400, error: "Bad Request", tool: "VALIDATION_ERROR" },
  too_many_groups: { status: 400, error: "Bad Request", tool: "VALIDATION_ERROR" },
  file_too_costly: { status: 400, error: "Bad Request", tool: "VALIDATION_ERROR" },
  confirmation_required: { status: 400, error: "Bad Request", tool: "CONFIRMATION_REQUIRED" },
  unauthorized: { status: 401, error: "Unauthorized", tool: "UNAUTHORIZED" },
  forbidden: { status: 403, error: "Forbidden", tool: "UNAUTHORIZED" },
  leads_limit_reached: { status: 403, error: "Forbidden", tool: "CONFLICT" },
  storage_limit_reached: { status: 403, error: "Forbidden", tool: "CONFLICT" },
  not_found: { status: 404, error: "Not Found", tool: "RESOURCE_NOT_FOUND" },
  method_not_allowed: { status: 405, error: "Method Not Allowed", tool: "VALIDATION_ERROR" },
  conflict: { status: 409, error: "Conflict", tool: "CONFLICT" },
  suppressed: { status: 409, error: "Conflict", tool: "CONFLICT" },
  cursor_expired: { status: 410, error: "Gone", tool: "VALIDATION_ERROR" },
  precondition_failed: { status: 412, error: "Precondition Failed", tool: "CONFLICT" },
  too_large: { status: 413, error: "Payload Too Large", tool: "VALIDATION_ERROR", code: "bad_request" },
  misdirected: { status: 421, error: "Misdirected Request", tool: "VALIDATION_ERROR", code: "bad_request" },
  idempotency_key_reused: { status: 422, error: "Unprocessable Entity", tool: "VALIDATION_ERROR" },
  rate_limit_exceeded: { status: 429, error: "Too Many Requests", tool: "RATE_LIMITED" },
  internal_error: { status: 500, error: "Internal Server Error", tool: "INTERNAL_ERROR" },
  unavailable: { status: 503, error: "Service Unavailable", tool: "INTERNAL_ERROR" },
  outcome_unknown: { status: 503, error: "Service Unavailable", tool: "INTERNAL_ERROR" },
  storage_full: { status: 507, error: "Insufficient Storage", tool: "INTERNAL_ERROR" },
} as const satisfies Record<string, { status: number; error: string; tool: string; code?: string }>

export type ErrorKind = keyof typeof ERRORS

/** A problem of one input field: `field` is its path (`leads[3].rating`), `message` a full sentence part. */
export interface FieldProblem {
  field: string
  message: string
}

/**
 * An expected failure that a client caused or can act on. Its message is shown to the client as it is:
 * it says what was wrong, where, and what would be right. Anything else thrown is a defect and answers
 * as `internal_error` without details.
 */
export class AppError extends Error {
  readonly kind: ErrorKind
  readonly details: readonly FieldProblem[]
  readonly headers: Readonly<Record<string, string>>
  /** Further members of the answer, for programs. */
  readonly extra: Readonly<Record<string, string>>

  constructor(
    kind: ErrorKind,
    message: string,
    more: {
      details?: FieldProblem[]
      headers?: Record<string, string>
      extra?: Record<string, string>
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: more.cause })
    this.kind = kind
    this.details = more.details ?? []
    this.headers = more.headers ?? {}
    this.extra = more.extra ?? {}
  }

  get status(): number {
    return ERRORS[this.kind].status
  }

  /** The REST body: `{error, message, code}`, with `details` when several fields are wrong. */
  toRest(): { error: string; message: string; code: string; details?: readonly FieldProblem[] } {
    const row: { error: string; code?: string } = ERRORS[this.kind]
    const body = { error: row.error, message: this.message, code: row.code ?? this.kind, ...this.extra }
    return this.details.length > 1 ? { ...body, details: this.details } : body
  }

  /** The tool error: `{code, message, status}`. */
  toTool(): { code: string; message: string; status: number } {
    return { code: ERRORS[this.kind].tool, message: this.message, status: this.status, ...this.extra }
  }
}

/** The error of a client that sent something wrong: 400 `bad_request`. */
export function badRequest(message: string): AppError {
  return new AppError("bad_request", message)
}

/** The error of a question that takes more than so many milliseconds. */
export function tooLong(ms: number): AppError {
  return badRequest(
    `This question takes more than ${ms / 1000} s: narrow it with a filter that fewer leads match, or ask for less at a time`,
  )
}

/** 503 for what comes too late to be done. */
export function stopping(): AppError {
  return new AppError("unavailable", "The service is stopping; try again in a moment")
}

/** 404 for a thing that is missing or another account's: the two must be indistinguishable. */
export function notFound(what: string): AppError {
  return new AppError("not_found", `${what} not found`)
}

/** Any thrown value as the error to answer with; what is not an AppError tells nothing of itself. */
export function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  return new AppError("internal_error", "Something went wrong on our side; the request was not applied", {
    cause: thrown,
  })
}
