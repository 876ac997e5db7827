import { AppError } from "../../runtime/errors.ts"
import { OPTIONS } from "./config.ts"

const FOLDER_TROUBLE = [
  "EACCES",
  "EPERM",
  "EROFS",
  "EEXIST",
  "ENOTDIR",
  "ENOSPC",
  "SQLITE_CANTOPEN",
  "SQLITE_READONLY",
  "SQLITE_READONLY_DIRECTORY",
]

/** The exit code of what was thrown: 2 for wrong usage, 1 for everything else. */
export function exitCode(thrown: unknown): 1 | 2 {
  return thrown instanceof AppError && thrown.kind === "bad_request" ? 2 : 1
}

/** Describes an error for a person. Only a defect of leaddb itself comes with its stack. */
export function explain(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  if (thrown instanceof TypeError || thrown instanceof RangeError || thrown instanceof ReferenceError) {
    return `unexpected error, a defect of leaddb\n${thrown.stack ?? thrown.message}`
  }
  const codes = [codeOf(thrown), codeOf(thrown.cause)]
  if (!codes.some((code) => FOLDER_TROUBLE.includes(code))) return thrown.message
  return `${thrown.message}; check the folder and its permissions, or choose another with --data or ${OPTIONS.data.env}`
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : ""
}
