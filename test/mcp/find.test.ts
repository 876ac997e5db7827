// find_tool and use_tool reach all tools from a list of two.
import { describe, expect, test } from "bun:test"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { openTestAccountForReading, type TestAccount } from "../support/app.ts"
import { LEAST } from "../support/lead.ts"
import { pluck } from "../support/pluck.ts"
import { at, call, listTools, rpc } from "./support.ts"

type Args = Record<string, unknown>

const FIND = "?tools=find"

const namesAt = async (service: TestAccount, query: string) =>
  pluck(await listTools(at(service, query)), "name")

describe("with ?tools=find", () => {
  const app = openTestAccountForReading(async (service) => {
    await service.call("POST", "/leads", LEAST)
  })
  const find = async (query: string, where = FIND) =>
    (await call(at(app(), where), "find_tool", { query })).data.tools as {
      name: string
      inputSchema?: Args
      input?: string
    }[]
  const use = (name: string, args: Args = {}, where = FIND) =>
    call(at(app(), where), "use_tool", { name, arguments: args })

  test("two tools are listed, and others beside them where they are asked for", async () => {
    expect(await namesAt(app(), FIND)).toEqual(["find_tool", "use_tool"])
    expect(await namesAt(app(), "?tools=find,get_stats")).toEqual(["find_tool", "use_tool", "get_stats"])
    expect(await namesAt(app(), "?tools=find&toolsets=audit")).toContain("list_changes")
    expect(await namesAt(app(), "")).not.toContain("find_tool")
    expect((await namesAt(app(), "?toolset=find")).slice(0, 3)).toEqual([
      "find_tool",
      "use_tool",
      "list_leads",
    ])
  })

  test.each([
    ["undo an import", "import_leads"],
    ["merge duplicates", "merge_duplicates"],
    ["delete a webhook", "delete_webhook"],
    ["failed deliveries", "list_webhook_deliveries"],
    ["make an API key", "create_api_key"],
    ["who must not be contacted", "list_suppressions"],
    ["add a tag to leads", "create_lead_tag"],
    ["segments", "list_segments"],
    ["count leads by city", "get_stats"],
    ["rename a tag", "create_lead_tag"],
    ["which emails may we contact", "list_suppressions"],
    ["import this table", "import_leads"],
    ["who changed this lead", "list_changes"],
    ["assign a lead to a colleague", "update_lead"],
    ["log a call", "log_activity"],
    ["log a meeting with a lead", "log_activity"],
    ["find duplicates", "list_duplicates"],
    ["send an email to a lead", "get_rendered_template"],
    ["schedule a follow-up", "update_lead"],
    ["fill a mail template for a lead", "get_rendered_template"],
  ])("%p finds %s first, in under 200 tokens", async (query, name) => {
    const tools = await find(query)
    expect(tools.length).toBeLessThanOrEqual(5)
    expect(tools[0]!.name).toBe(name)
    expect(tools[0]!.inputSchema ?? tools[0]!.input).toBeDefined()
    expect(countTokens(JSON.stringify({ data: { tools } }))).toBeLessThan(200)
  })

  test("from the default address, too, and calls what it finds", async () => {
    const [found] = await find("what was changed", "")
    expect(found!.name).toBe("list_changes")
    expect((await use("list_changes", { limit: 1 }, "")).data.count).toBe(1)
    const chosen = { name: "use_tool", arguments: { name: "list_changes" } }
    const { body } = await rpc(at(app(), "?tools=list_leads"), "tools/call", chosen)
    expect(body.error.message).toContain("Unknown tool")
  })

  test("the name of a tool finds it alone, with the whole of its input", async () => {
    const [tool, ...others] = await find("import_leads")
    expect(others).toEqual([])
    expect(JSON.stringify(tool!.inputSchema)).toContain("description")
  })

  test("words of no tool find none, and the answer says what to try", async () => {
    const { data } = await call(at(app(), FIND), "find_tool", { query: "zebra" })
    expect(data).toMatchObject({ tools: [], message: expect.stringContaining("Try a noun") })
    for (const wrong of [{}, { query: "" }, { query: "x".repeat(201) }, { query: "lead", more: 1 }])
      expect((await call(at(app(), FIND), "find_tool", wrong)).error.code).toBe("VALIDATION_ERROR")
  })

  test("use_tool calls any tool with its own answers and errors", async () => {
    expect((await use("list_changes")).data).toMatchObject({ count: 1 })
    expect((await use("list_leads", { limit: 1 })).data.leads[0].name).toBe(LEAST.name)
    expect((await use("get_lead", { id: "cl_nothing" })).error.code).toBe("RESOURCE_NOT_FOUND")
    expect((await use("delete_lead", { id: "cl_nothing" })).error.code).toBe("CONFIRMATION_REQUIRED")
    expect((await use("delete_laed")).error.message).toContain("Did you mean delete_lead")
    expect((await use("use_tool")).error.code).toBe("VALIDATION_ERROR")
    const wrong = await call(at(app(), FIND), "use_tool", { name: "get_stats", arguments: [] })
    expect(wrong.error.message).toContain("arguments must be an object")
  })

  test("use_tool keeps to guards, roles and what the address leaves out", async () => {
    const segment = { name: "Bonn", filter: ["and.eq.city.Bonn"] }
    expect((await use("create_segment", segment)).data.plan).toStartWith("pl_")
    expect((await use("create_api_key", { name: "x" }, `${FIND}&guard=plan`)).data.plan).toStartWith("pl_")
    const readOnly = await use("create_lead", LEAST, `${FIND}&read_only=true`)
    expect(readOnly.error).toMatchObject({ code: "UNAUTHORIZED", status: 403 })
    expect((await use("create_webhook", {}, `${FIND}&preset=safe`)).error.message).toContain("preset safe")
    expect(pluck(await find("webhook", `${FIND}&preset=safe`), "name")).not.toContain("create_webhook")
    const { body } = await rpc(at(app(), `${FIND}&exclude=get_stats`), "tools/call", {
      name: "use_tool",
      arguments: { name: "get_stats" },
    })
    expect(body.error.message).toContain("Unknown tool")
  })

  test("a viewer finds what a viewer may call, and is refused the rest", async () => {
    const asViewer = (name: string, args: Args) =>
      call(at(app(), FIND), name, args, { "X-Member-Role": "viewer" })
    const { data } = await asViewer("find_tool", { query: "webhook" })
    expect(pluck(data.tools, "name")).not.toContain("create_webhook")
    expect((await asViewer("use_tool", { name: "create_lead", arguments: LEAST })).error).toMatchObject({
      code: "UNAUTHORIZED",
      status: 403,
    })
  })
})
