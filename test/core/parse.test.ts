import { describe, expect, test } from "bun:test"
import * as v from "valibot"
import { LeadInput } from "../../src/lead/fields.ts"
import { parse } from "../../src/lead/parse.ts"
import { AppError } from "../../src/runtime/errors.ts"

const Input = v.strictObject({
  name: v.pipe(v.string("must be text"), v.nonEmpty("is required")),
  items: v.optional(v.array(v.strictObject({ size: v.number("must be a number") }), "must be a list")),
})

function problem(schema: v.GenericSchema, input: unknown): AppError {
  try {
    parse(schema, input)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error("taken")
}

describe("parse", () => {
  test("gives what the schema makes of the input", () => {
    expect(parse(Input, { name: "a", items: [{ size: 1 }] })).toEqual({ name: "a", items: [{ size: 1 }] })
  })

  const cases: [unknown, string][] = [
    [{}, "name is required"],
    [{ name: "" }, "name is required"],
    [{ name: 5 }, "name must be text"],
    [{ name: "a", items: "x" }, "items must be a list"],
    [{ name: "a", items: [{ size: 1 }, { size: "2" }] }, "items[1].size must be a number"],
    [{ name: "a", items: [{}] }, "items[0].size is required"],
    [{ name: "a", items: [5] }, "items[0] must be an object"],
    [
      { name: "a", items: [{ size: 1, sise: 2 }] },
      'items[0].sise is not known here. Did you mean "size"? Valid: size',
    ],
    [{ name: "a", nmae: 1 }, 'nmae is not known here. Did you mean "name"? Valid: name, items'],
    [{ name: "a", nam: 1 }, 'nam is not known here. Did you mean "name"? Valid: name, items'],
    [null, "The body must be a JSON object"],
    ["x", "The body must be a JSON object"],
  ]
  test.each(cases)("of %j says: %s", (input, message) => {
    const error = problem(Input, input)
    expect(error.message).toBe(message)
    expect(error.kind).toBe("bad_request")
  })

  test("gives one problem as the message and several as details, at most 20", () => {
    const one = problem(Input, {}).toRest()
    expect(one).toEqual({ error: "Bad Request", message: "name is required", code: "bad_request" })
    const two = problem(Input, { items: [{ size: "x" }] }).toRest()
    expect(two.message).toBe("name is required")
    expect(two.details).toEqual([
      { field: "name", message: "is required" },
      { field: "items[0].size", message: "must be a number" },
    ])
    const many = problem(Input, { name: "a", items: Array(50).fill({}) }).toRest()
    expect(many.details).toHaveLength(20)
  })

  test("keeps a long name of a field out of the message", () => {
    expect(problem(Input, { name: "a", ["x".repeat(5_000)]: 1 }).message.length).toBeLessThan(200)
  })

  test("of a lead explains where custom data goes", () => {
    const { message } = problem(LeadInput, { name: "a", source: "s", company_size: 5 })
    expect(message).toStartWith("company_size is not a lead field. ")
    expect(message).toContain("Lead fields are name, source, email")
    expect(message).toEndWith("Custom data goes into attributes")
  })
})
