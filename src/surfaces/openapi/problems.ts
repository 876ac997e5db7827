// The answers that say what went wrong, from the table of errors: one shared response for each status.

import type { Operation } from "../../domain/operation.ts"
import { AppError, ERRORS, type ErrorKind } from "../../runtime/errors.ts"
import { declaredErrors } from "../rest/answer.ts"
import { headersOf } from "./headers.ts"
import { ref } from "./schemas.ts"
import type { Answered, Ref, Schema } from "./types.ts"

/** Descriptions and example messages by the kind of error; kinds that no route answers with are left out. */
const WORDS: Partial<Record<ErrorKind, [description: string, message: string]>> = {
  bad_request: [
    "A parameter or the body is wrong: the message names the field and what would be right.",
    "limit must be a whole number from 1 to 1,000",
  ],
  too_many_groups: [
    "",
    "There are more than 50,000 groups: group by fewer fields, or filter the leads first",
  ],
  file_too_costly: ["", "Reading the file takes too much time or memory: split it, or save it anew as CSV"],
  unauthorized: [
    "The key is missing, unknown, revoked or expired.",
    "An API key is required: send it in the X-API-Key header",
  ],
  forbidden: [
    "The role does not allow it, the plan's leads or its storage are used up, or `X-Proxy-Secret` or `Origin` is wrong.",
    "viewer role cannot modify data",
  ],
  leads_limit_reached: ["", "The free plan keeps at most 100 leads and all are used"],
  storage_limit_reached: ["", "The free plan keeps at most 50 MB and all are used"],
  not_found: ["Missing, or another account's.", "Lead not found"],
  conflict: [
    "It conflicts with existing data, or with `suppressed` the email or phone is on the do-not-contact list: the message says with what. Also while a request with the same `Idempotency-Key` is running.",
    "Duplicate email: another lead of this account has this email. Find it with filter=and.eq.email.<value> and change or delete it first",
  ],
  suppressed: ["", "The email anna@example.com is on the do-not-contact list (sup_019a): asked by phone"],
  cursor_expired: [
    "The cursor is no longer valid: the message says how to start again.",
    "The database was restored since this cursor was given",
  ],
  precondition_failed: [
    "The lead is not the one that `If-Match` names: read it again.",
    "The lead has changed since it was read with the ETag in If-Match: read it again, then send the change with its new ETag",
  ],
  too_large: [
    "The body is larger than 1 MiB, 8 MiB for batches or 2 GiB for files.",
    "The body is larger than 1 MiB; send fewer leads at a time",
  ],
  misdirected: [
    "The Host header names a host that is not served here; `LEADDB_ALLOWED_HOSTS` adds names.",
    'Host "evil.example" is not served here: add it to LEADDB_ALLOWED_HOSTS, or set LEADDB_PUBLIC_URL',
  ],
  idempotency_key_reused: [
    "The `Idempotency-Key` was used for another request in the last 24 hours.",
    "This Idempotency-Key was used for another request: take a new key for each request, and the same only to send it again",
  ],
  rate_limit_exceeded: [
    "The account has used up its requests; `Retry-After` says when to come back.",
    "The free plan takes 100 requests per 10 minutes; try again in 42 s",
  ],
  internal_error: [
    "A defect on our side; nothing was applied.",
    "Something went wrong on our side; the request was not applied",
  ],
  unavailable: [
    "Overloaded, stopping, or the database cannot be written now: try again in a moment. With `outcome_unknown` the connection to the database was lost while it saved, and the change is kept or not: repeat the request with the same `Idempotency-Key` to find out.",
    "More is asked of the service than it can do now; try again in a moment",
  ],
  outcome_unknown: ["", "The connection to the database was lost while it saved: the change is kept or not"],
  storage_full: [
    "The disk is full: nothing was saved. Reading still works.",
    "The disk is full: nothing was saved. Reading still works",
  ],
}

/** The errors that a route may answer with, by status: one shared response for all codes of a status. */
export function problemsOf(operation: Operation, method: string, hasBody: boolean): Record<string, Ref> {
  const kinds = declaredErrors(operation, method, hasBody)
  return Object.fromEntries(
    kinds.map((kind) => [ERRORS[kind].status, { $ref: `#/components/responses/${nameOf(kind)}` }]),
  )
}

/** `Not Found` of the table as `NotFound`. */
function nameOf(kind: ErrorKind): string {
  return ERRORS[kind].error.replaceAll(" ", "")
}

/** The shared responses. */
export function problemResponses(): Record<string, Answered> {
  const all: Record<string, Answered> = {}
  for (const [kind, [description, message]] of Object.entries(WORDS) as [ErrorKind, [string, string]][]) {
    const isLater = kind === "rate_limit_exceeded" || kind === "unavailable"
    all[nameOf(kind)] ??= {
      description,
      headers: isLater ? headersOf("Retry-After") : headersOf(),
      content: {
        "application/json": { schema: ref("Error"), example: new AppError(kind, message).toRest() },
      },
    }
  }
  return all
}

/** The body of every error answer. */
export function errorSchema(): Schema {
  const codes = (Object.keys(WORDS) as ErrorKind[]).map((kind) => new AppError(kind, "").toRest().code)
  return {
    type: "object",
    properties: {
      error: { type: "string", description: "The status in words." },
      message: { type: "string", description: "What was wrong, where, and what would be right." },
      code: {
        type: "string",
        enum: [...new Set([...codes, "method_not_allowed"])],
        description: "For programs.",
      },
      merged_into: {
        type: "string",
        description: "There when the lead was merged: the id of the one that stayed.",
      },
      details: {
        type: "array",
        description: "There when several fields are wrong.",
        items: {
          type: "object",
          properties: {
            field: { type: "string", description: "Path of the field, such as `leads[3].rating`." },
            message: { type: "string", description: "What is wrong with it." },
          },
          required: ["field", "message"],
        },
      },
    },
    required: ["error", "message", "code"],
  }
}
