import { describe, expect, test } from "bun:test"
import { openTestAccountForReading, type TestAccount } from "../support/app.ts"
import { LEAST } from "../support/lead.ts"
import { pluck } from "../support/pluck.ts"
import { at, listTools, rpc } from "./support.ts"

const namesAt = async (service: TestAccount, query: string, headers?: Record<string, string>) =>
  pluck(await listTools(at(service, query), headers), "name")

describe("tools beyond the default ones", () => {
  const app = openTestAccountForReading(async (service) => {
    await service.call("POST", "/leads", LEAST)
  })

  test("come with the toolsets that the address or a header names", async () => {
    const usual = await namesAt(app(), "")
    expect(usual).toHaveLength(33)
    const audit = await namesAt(app(), "?toolsets=audit")
    expect(audit.slice(0, 33)).toEqual(usual)
    expect(audit.slice(33)).toEqual(expect.arrayContaining(["list_changes", "revert_changes"]))
    const two = await namesAt(app(), "?toolsets=audit", { "X-MCP-Toolsets": "webhooks, imports" })
    expect(two).toEqual(expect.arrayContaining(["list_changes", "test_webhook", "import_leads"]))
    expect(await namesAt(app(), "?toolsets=all")).toEqual(expect.arrayContaining(two))
  })

  test("can be called by who asked for them, and by nobody else", async () => {
    const call = { name: "list_changes", arguments: {} }
    const { result } = await rpc(at(app(), "?toolsets=audit"), "tools/call", call)
    expect(result.structuredContent.data).toMatchObject({ count: 1 })
    const { body } = await rpc(at(app(), ""), "tools/call", call)
    expect(body.error).toMatchObject({ code: -32602, message: expect.stringContaining("?toolsets=audit") })
  })

  test("an unknown set is refused with those that there are", async () => {
    const { status, body } = await rpc(at(app(), "?toolsets=audits"), "tools/list")
    expect(status).toBe(400)
    expect(body.error.message).toMatch(/"audits".*Did you mean "audit".*webhooks, all/)
    expect((await rpc(at(app(), "?read_only=maybe"), "tools/list")).status).toBe(400)
  })

  test("import_leads takes a file as text", async () => {
    const content = "name,email\nAda,ada@example.com\n"
    const args = { content, source: "list", dry_run: true }
    const { result } = await rpc(at(app(), "?toolsets=imports"), "tools/call", {
      name: "import_leads",
      arguments: args,
    })
    expect(result.structuredContent.data).toMatchObject({ dry_run: true, created: 1, rejected: 0 })
  })
})

describe("who may only read", () => {
  const app = openTestAccountForReading(async () => {})

  test("?read_only=true leaves out what changes anything", async () => {
    const tools = await listTools(at(app(), "?read_only=true&toolsets=all"))
    expect(tools.length).toBeGreaterThan(10)
    expect(tools.every(({ annotations }) => annotations.readOnlyHint)).toBe(true)
    const call = { name: "create_lead", arguments: LEAST }
    const { result } = await rpc(at(app(), "?read_only=true"), "tools/call", call)
    expect(result.structuredContent.error).toMatchObject({ code: "UNAUTHORIZED", status: 403 })
    expect(result.structuredContent.error.message).toContain("read_only")
  })

  test.each([
    ["viewer", ["list_leads", "get_stats"], ["create_lead", "list_api_keys", "revert_changes"]],
    ["editor", ["list_leads", "create_lead", "revert_changes"], ["list_api_keys", "create_api_key"]],
  ])("a %s sees what it may call", async (role, shown, hidden) => {
    const seen = await namesAt(app(), "?toolsets=all", { "X-Member-Role": role })
    expect(seen).toEqual(expect.arrayContaining(shown))
    for (const name of hidden) expect(seen).not.toContain(name)
  })
})
