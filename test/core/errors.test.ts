import { describe, expect, test } from "bun:test"
import { AppError, asAppError, badRequest, type ErrorKind, notFound } from "../../src/runtime/errors.ts"

describe("one table of errors", () => {
  const table: [ErrorKind, status: number, code: string, tool: string][] = [
    ["bad_request", 400, "bad_request", "VALIDATION_ERROR"],
    ["confirmation_required", 400, "confirmation_required", "CONFIRMATION_REQUIRED"],
    ["unauthorized", 401, "unauthorized", "UNAUTHORIZED"],
    ["forbidden", 403, "forbidden", "UNAUTHORIZED"],
    ["leads_limit_reached", 403, "leads_limit_reached", "CONFLICT"],
    ["storage_limit_reached", 403, "storage_limit_reached", "CONFLICT"],
    ["not_found", 404, "not_found", "RESOURCE_NOT_FOUND"],
    ["conflict", 409, "conflict", "CONFLICT"],
    ["too_large", 413, "bad_request", "VALIDATION_ERROR"],
    ["rate_limit_exceeded", 429, "rate_limit_exceeded", "RATE_LIMITED"],
    ["internal_error", 500, "internal_error", "INTERNAL_ERROR"],
  ]
  test.each(table)("%s", (kind, status, code, tool) => {
    const error = new AppError(kind, "why")
    expect(error.status).toBe(status)
    expect(error.toRest()).toEqual({ error: expect.any(String), message: "why", code })
    expect(error.toTool()).toEqual({ code: tool, message: "why", status })
  })

  test("what is thrown on purpose is itself, anything else an internal error that tells nothing", () => {
    const known = badRequest("x")
    expect(asAppError(known)).toBe(known)
    expect(notFound("Lead")).toMatchObject({ kind: "not_found", message: "Lead not found" })
    for (const thrown of [new Error("SECRET at db.ts:5"), "SECRET", { SECRET: 1 }, undefined, null]) {
      const error = asAppError(thrown)
      expect(error.kind).toBe("internal_error")
      expect(JSON.stringify([error.toRest(), error.toTool()])).not.toContain("SECRET")
      expect(error.cause).toBe(thrown)
    }
  })
})
