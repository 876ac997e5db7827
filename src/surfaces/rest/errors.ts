import type { Operation } from "../../domain/operation.ts"
import type { ErrorKind } from "../../runtime/errors.ts"

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
