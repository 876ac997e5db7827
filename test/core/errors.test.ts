import { expect, test } from "bun:test"
import { asAppError, badRequest, notFound } from "../../src/runtime/errors.ts"

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
