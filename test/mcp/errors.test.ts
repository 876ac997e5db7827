import { describe, expect } from "bun:test"
import { operations } from "../../src/domain/operations/index.ts"
import { AppError } from "../../src/runtime/errors.ts"
import { toolError } from "../../src/surfaces/mcp/errors.ts"
import { openTestAccount, openTestAccountForReading, openTestApp, test } from "../support/app.ts"
import { FULL, LEAST, NO_LEAD } from "../support/lead.ts"
import { call, rpc } from "./support.ts"

const LONG = "x".repeat(5_000)
const STATUSES = { VALIDATION_ERROR: 400, RESOURCE_NOT_FOUND: 404, CONFLICT: 409 }

describe("errors name the parameter, what it takes, and the tool that goes on", () => {
  const app = openTestAccountForReading(async (service) => {
    await call(service, "create_lead", FULL)
    await call(service, "create_lead", { ...LEAST, email: "b@x.y" })
  })

  test.each<[string, unknown, keyof typeof STATUSES, ...(string | RegExp)[]]>([
    ["get_lead", {}, "VALIDATION_ERROR", "id is required"],
    ["get_lead", { ids: [NO_LEAD] }, "VALIDATION_ERROR", "id"],
    ["get_lead", { id: NO_LEAD }, "RESOURCE_NOT_FOUND", "list_leads"],
    ["get_lead", { id: LONG }, "RESOURCE_NOT_FOUND", "list_leads"],
    ["update_lead", { id: NO_LEAD, city: "x" }, "RESOURCE_NOT_FOUND", "list_leads"],
    ["create_note", { lead_id: NO_LEAD, content: "x" }, "RESOURCE_NOT_FOUND", "list_leads"],
    ["update_note", { id: "note_none", content: "x" }, "RESOURCE_NOT_FOUND", "list_notes"],
    ["delete_note", { id: "note_none", confirm: true }, "RESOURCE_NOT_FOUND", "list_notes"],
    ["get_scoring_rule", { id: "x" }, "RESOURCE_NOT_FOUND", "list_scoring_rules"],
    ["delete_webhook", { id: "x", confirm: true }, "RESOURCE_NOT_FOUND", "list_webhooks"],
    ["create_webhook", { url: "ftp://x.y" }, "VALIDATION_ERROR", "url", "https"],
    ["list_leads", { segment: "seg_x" }, "VALIDATION_ERROR", "the dashboard lists them"],
    ["list_leads", { sort: "relevance" }, "VALIDATION_ERROR", "sort relevance needs q"],
    ["delete_api_key", { id: "x", confirm: true }, "RESOURCE_NOT_FOUND", "list_api_keys"],
    ["create_lead", {}, "VALIDATION_ERROR", "name is required"],
    ["create_lead", { ...LEAST, emal: "a@b.c" }, "VALIDATION_ERROR", "emal", 'Did you mean "email"'],
    ["create_lead", { ...LEAST, [LONG]: 1 }, "VALIDATION_ERROR", "is not a lead field"],
    [
      "create_lead",
      { ...LEAST, email: "b@x.y", source_id: FULL.source_id },
      "CONFLICT",
      "source_id",
      "list_leads",
    ],
    ["create_scoring_rule", { name: "r", expression: "rating *" }, "VALIDATION_ERROR", "expression"],
    ["create_api_key", { name: "k", role: "admin" }, "VALIDATION_ERROR", "role", "viewer, editor, owner"],
    ["list_leads", { limit: 1_001 }, "VALIDATION_ERROR", "limit", "1 to 1,000"],
    ["list_leads", { sort_by: "name" }, "VALIDATION_ERROR", "sort_by", "sort"],
    ["list_leads", { filter: 3 }, "VALIDATION_ERROR", "filter must be a list"],
    ["list_leads", { filter: ["city=x"] }, "VALIDATION_ERROR", "and.eq.city.Berlin"],
    ["list_leads", { filter: [`and.eq.${LONG}.x`] }, "VALIDATION_ERROR", "unknown field"],
    ["list_leads", { cursor: "x" }, "VALIDATION_ERROR", "next_cursor", /same filter, sort and sort_order/],
    ["list_leads", { format: "pdf" }, "VALIDATION_ERROR", "format", "csv, json, xlsx"],
    ["create_lead_tag", { id: NO_LEAD }, "VALIDATION_ERROR", "tag is required"],
  ])("%s %j", async (name, args, code, ...parts) => {
    const { error, isError } = await call(app(), name, args)
    expect(isError).toBe(true)
    expect(error).toEqual({ code, status: STATUSES[code], message: expect.any(String) })
    for (const part of parts) expect(error.message).toMatch(typeof part === "string" ? literal(part) : part)
    // What was sent is shown as its beginning.
    expect(error.message).not.toContain("x".repeat(200))
    expect(error.message).not.toMatch(/\n|\bat .*\.ts/)
  })
})

function literal(text: string): RegExp {
  return new RegExp(RegExp.escape(text))
}

test("an attribute that is taken points to update_attribute", async (service) => {
  const { data: lead } = await call(service, "create_lead", {
    ...LEAST,
    attributes: [{ name: "a", type: "bool", value: true }],
  })
  const again = { lead_id: lead.id, name: "a", type: "bool", value: false }
  const { error } = await call(service, "create_attribute", again)
  expect(error).toMatchObject({
    code: "CONFLICT",
    status: 409,
    message: expect.stringContaining("update_attribute"),
  })
  const missing = await call(service, "update_attribute", { lead_id: lead.id, id: "x", value: 1 })
  expect(missing.error).toMatchObject({
    code: "RESOURCE_NOT_FOUND",
    message: expect.stringContaining("list_attributes"),
  })
})

test("a full plan is a conflict with status 403", async (service) => {
  const { key } = await service.addAccount({ plan: "free", limits: { leads_limit: 1 } })
  const small = { app: service.app, key }
  await call(small, "create_lead", LEAST)
  const { error } = await call(small, "create_lead", { ...LEAST, name: "B" })
  expect(error).toMatchObject({
    code: "CONFLICT",
    status: 403,
    message: expect.stringContaining("free plan"),
  })
})

test("an unknown tool is an error of the protocol that names the nearest one", async (service) => {
  const { body, status } = await rpc(service, "tools/call", { name: "list_lead", arguments: {} })
  expect(status).toBe(200)
  expect(body.error).toEqual({ code: -32602, message: 'Unknown tool "list_lead". Did you mean list_leads?' })
  for (const name of ["", "__proto__", "constructor", LONG, "list_changes", "export_leads"]) {
    const { error } = (await rpc(service, "tools/call", { name, arguments: {} })).body
    expect(error.code).toBe(-32602)
    expect(error.message.length).toBeLessThan(300)
  }
})

test("arguments that are no object are an error of the protocol", async (service) => {
  for (const args of [[], "x", 5]) {
    expect((await rpc(service, "tools/call", { name: "get_stats", arguments: args })).body.error.code).toBe(
      -32602,
    )
  }
  expect((await rpc(service, "tools/call", { name: "get_stats" })).result.isError).toBeUndefined()
})

test("a defect says nothing of itself", async () => {
  const service = await openTestApp({ log: "off" })
  const broken = operations.find(({ name }) => name === "list_cities")!
  const { run } = broken
  broken.run = () => Promise.reject(new TypeError("secret internals"))
  try {
    const { error } = await call(service, "list_cities")
    expect(error).toEqual({
      code: "INTERNAL_ERROR",
      status: 500,
      message: expect.not.stringContaining("secret"),
    })
  } finally {
    broken.run = run
  }
})

test("a message is told whole, however long", () => {
  const names = Array.from({ length: 100 }, (_, i) => `field_${i}`).join(", ")
  expect(toolError(new AppError("bad_request", `Valid: ${names}`)).message).toBe(`Valid: ${names}`)
})

describe("parameters that do not fit their method are the client's mistake", () => {
  test.each<[string, unknown]>([
    ["tools/call", {}],
    ["tools/call", { name: "get_lead", arguments: "x" }],
    ["resources/read", {}],
    ["resources/read", { uri: 5 }],
    ["prompts/get", { "": {} }],
    ["completion/complete", { ref: { type: "nope" } }],
    ["initialize", { protocolVersion: 1 }],
  ])("%s with %j", async (method, params) => {
    const { body } = await rpc(await openTestAccount(), method, params)
    expect(body.error.code).toBe(-32602)
    expect(body.error.message).toMatch(/^Invalid /)
    expect(body.error.message).not.toContain("[\n")
  })
})
