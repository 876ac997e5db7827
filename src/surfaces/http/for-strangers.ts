// Errors on public pages, whose visitors have nothing to do with the service: its state goes to the log alone.
import { AppError, asAppError } from "../../runtime/errors.ts"
import { type Log, shownPath } from "../../runtime/log.ts"
import type { Trace } from "../ops/observer.ts"

type Named = Pick<Trace, "id" | "method" | "path">

/** Logs why a request failed. */
export function logFailure(log: Log, { id, method, path }: Named, error: AppError, thrown: unknown): void {
  log.error(error.message, { method, path: shownPath(path), request_id: id }, thrown)
}

/**
 * The error to show to a visitor: 503 with `sentence` where the service cannot do it now, because its disk is full or its
 * database away. The cause of that and of defects is logged.
 */
export function forStrangers(thrown: unknown, sentence: string, trace: Named, log: Log): AppError {
  const error = asAppError(thrown)
  if (error.status < 500) return error
  logFailure(log, trace, error, thrown)
  if (error.kind === "internal_error") return error
  return new AppError("unavailable", sentence, { headers: { ...error.headers }, cause: thrown })
}
