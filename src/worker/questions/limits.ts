// What both sides of the reader threads say of their limits.
import { type AppError, badRequest } from "../../core/errors.ts"

/** The error of a question that takes more than its time. */
export function tooLong(ms: number): AppError {
  return badRequest(
    `This question takes more than ${ms / 1000} s: narrow it with a filter that fewer leads match, or ask for less at a time`,
  )
}
