// Translates errors of PostgreSQL and the network into the service's errors.
import { AppError } from "../../../runtime/errors.ts"

/** SQLSTATEs of a server that is going, coming, full of connections or no longer the primary. */
const AWAY = /^(08...|57P0[123]|53300|25006)$/
/** Codes of the driver, where no server answered. */
const UNREACHED = /^ERR_POSTGRES_(CONNECTION|LIFETIME|IDLE|EXPECTED_CONNECTION|UNEXPECTED_MESSAGE)/
/** Those of them where no connection came to be, which the driver has waited for: nobody else is to wait as long again. */
const NEVER_THERE = /^ERR_POSTGRES_CONNECTION_(FAILED|REFUSED|TIMEOUT)/
/** Deadlocks and serialisation: what was undone may simply be done again. */
const AGAIN = /^40(001|P01)$/

/** A lock that was waited for longer than a statement may, and a statement that took longer. */
const LOCKED = "55P03"
const TOO_LONG = "57014"

interface DatabaseError extends Error {
  code: string
  /** The SQLSTATE. */
  errno?: string
  constraint?: string
}

/** No answer came, or there is no connection to ask on. */
export class Stalled extends Error {
  readonly code = "ERR_POSTGRES_CONNECTION_TIMEOUT"
}

function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_POSTGRES_")
}

/** The SQLSTATE of an error of the server. */
export function sqlState(error: unknown): string | undefined {
  return isDatabaseError(error) ? error.errno : undefined
}

/** The index or constraint that refused a row because there is one like it. */
export function violated(error: unknown): string | undefined {
  return sqlState(error) === "23505" ? (error as DatabaseError).constraint : undefined
}

/** Whether the connection is of no use any more. */
export function isLost(error: unknown): boolean {
  if (!isDatabaseError(error)) return false
  return error.errno ? AWAY.test(error.errno) : UNREACHED.test(error.code)
}

/** Whether a connection was lost that was there: on another it may go well. */
export function wasCut(error: unknown): boolean {
  return isLost(error) && !NEVER_THERE.test((error as DatabaseError).code)
}

export function mayBeRepeated(error: unknown): boolean {
  return AGAIN.test(sqlState(error) ?? "")
}

/** Rows that there may be one of, by the index that sees to it. */
const ONCE: Readonly<Record<string, string>> = {
  leads_email: "Duplicate email",
  leads_source_id: "Duplicate source_id",
}

/** Whether the server ended a statement that took too long, or was to end. */
export function wasTooLong(error: unknown): boolean {
  return sqlState(error) === TOO_LONG
}

/** Whether a lock was not to be had in time: that says nothing of the server. */
export function isLocked(error: unknown): boolean {
  return sqlState(error) === LOCKED
}

/** The client's error where all connections stayed in use. */
export function databaseBusy(): AppError {
  const message = "All connections to the database are in use: nothing was saved. Try again in a moment"
  return new AppError("unavailable", message, { headers: { "Retry-After": "2" } })
}

/** The client's error when the database could not do the work; other errors are returned unchanged. */
export function asStorageError(error: unknown): unknown {
  const duplicate = ONCE[violated(error) ?? ""]
  if (duplicate) return new AppError("conflict", duplicate, { cause: error })
  if (sqlState(error) === "53100") {
    const message = "The database's disk is full: nothing was saved. Reading still works"
    return new AppError("storage_full", message, { cause: error })
  }
  if (isLocked(error)) {
    const message = "Another write of this account takes long: nothing was saved. Try again in a moment"
    return new AppError("unavailable", message, { headers: { "Retry-After": "2" }, cause: error })
  }
  if (isLost(error) || mayBeRepeated(error) || wasTooLong(error)) {
    const message = "The database cannot be reached at the moment: nothing was saved. Try again in a moment"
    return new AppError("unavailable", message, { headers: { "Retry-After": "1" }, cause: error })
  }
  return error
}

/** The client's error when the connection was lost during a commit. */
export function outcomeUnknown(cause: unknown): AppError {
  const message =
    "The connection to the database was lost at the moment of saving: it may have been saved or not. " +
    "Look, or send it again with the same Idempotency-Key"
  return new AppError("outcome_unknown", message, { headers: { "Retry-After": "1" }, cause })
}
