// Public addresses are read by people who have nothing to do with the service: its state is told to the log alone.
import { AppError, asAppError } from "../../runtime/errors.ts"
import { type Log, shownPath } from "../../runtime/log.ts"
import type { Trace } from "../ops/observer.ts"

type Named = Pick<Trace, "id" | "method" | "path">

/** Logs why a request failed. */
export function logFailure(log: Log, { id, method, path }: Named, error: AppError, thrown: unknown): void {
  log.error(error.message, { method, path: shownPath(path), request_id: id }, thrown)
}

/**
 * What a visitor is told of what was thrown: `sentence`, and 503, where the service cannot do it now, be its disk full or
 * its database away. That and defects are logged as they are.
 */
export function forStrangers(thrown: unknown, sentence: string, trace: Named, log: Log): AppError {
  const error = asAppError(thrown)
  if (error.status < 500) return error
  logFailure(log, trace, error, thrown)
  if (error.kind === "internal_error") return error
  return new AppError("unavailable", sentence, { headers: { ...error.headers }, cause: thrown })
}
