// Calls in two steps: what would happen, and the same call with the plan.
import { describe, expect, test } from "bun:test"
import { openHeldAccount, type TestAccount } from "../support/app.ts"
import { LEAST } from "../support/lead.ts"
import { at, call, listTools, rpc } from "./support.ts"

type Args = Record<string, unknown>

async function openAt(query = "") {
  const service = await openHeldAccount()
  const tool = (name: string, args: Args = {}, where = query, key = service.key) =>
    callAt(service, where, name, args, key)
  return { ...service, tool }
}

/** An answer of a first step, with its plan apart: matchers of expect would take its place in the answer. */
async function callAt(
  { app }: Pick<TestAccount, "app">,
  query: string,
  name: string,
  args: Args,
  key: string,
) {
  const called = await call(at({ app, key }, query), name, args)
  return { ...called, plan: called.data?.plan as string }
}

const many = (n: number, more: object = {}) =>
  Array.from({ length: n }, (_, i) => ({ name: `Lead ${i}`, source: "web", city: "Bonn", ...more }))

async function fill(service: { call: TestAccount["call"] }, n: number) {
  await service.call("POST", "/leads/batch", { leads: many(n) })
}

const PLANNED = { plan: expect.stringMatching(/^pl_[\w-]{24}$/), expires_in: 600 }

describe("with guard=plan", () => {
  const GUARD = "?guard=plan"

  test("a change of more than 50 leads shows them first, and the plan does exactly that, once", async () => {
    const { tool, call, ...service } = await openAt(GUARD)
    await fill({ call, ...service }, 60)
    const args = { filter: ["and.eq.city.Bonn"], data: { status: "disqualified" } }
    const { data: shown, plan } = await tool("batch_update_leads", args)
    expect(shown.message).toContain(plan)
    expect(shown).toMatchObject({ matched: 60, ...PLANNED })
    expect(shown.sample).toHaveLength(5)
    expect((await call("GET", "/leads?filter=and.eq.status.disqualified&total=true")).body.total).toBe(0)
    const { data: done } = await tool("batch_update_leads", { ...args, plan })
    expect(done).toMatchObject({ matched: 60, success: 60 })
    const again = await tool("batch_update_leads", { ...args, plan })
    expect(again.error).toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("plan is not known"),
    })
  })

  test("50 leads and fewer are written at once", async () => {
    const { tool, call, ...service } = await openAt(GUARD)
    await fill({ call, ...service }, 50)
    const { data } = await tool("batch_update_leads", { filter: ["and.eq.city.Bonn"], data: { city: "Ulm" } })
    expect(data).toMatchObject({ success: 50 })
    expect((await tool("batch_create_leads", { leads: many(3) })).data.success).toBe(3)
    expect((await tool("batch_create_leads", { leads: many(51) })).data).toMatchObject({
      matched: 51,
      ...PLANNED,
    })
  })

  test("a plan holds for its arguments, its count, its key and ten minutes", async () => {
    const { tool, call, clock, ...service } = await openAt(GUARD)
    await fill({ call, ...service }, 60)
    const args = { filter: ["and.eq.city.Bonn"], data: { status: "contacted" } }
    const planned = async () => (await tool("batch_update_leads", args)).plan
    const plan = await planned()
    const other = await tool("batch_update_leads", { ...args, data: { status: "new" }, plan })
    expect(other.error.message).toContain("other arguments")
    const { key } = (await call("POST", "/api-keys", { name: "second" })).body
    const foreign = await tool("batch_update_leads", { ...args, plan }, GUARD, key)
    expect(foreign.error.code).toBe("VALIDATION_ERROR")
    await call("POST", "/leads", { name: "New one", source: "web", city: "Bonn" })
    expect((await tool("batch_update_leads", { ...args, plan })).error).toMatchObject({
      code: "CONFLICT",
      status: 409,
    })
    const late = await planned()
    clock.advance(601_000)
    expect((await tool("batch_update_leads", { ...args, plan: late })).error.message).toContain("10 minutes")
    expect((await tool("batch_update_leads", { ...args, plan: 7 })).error.message).toContain(
      "plan must be text",
    )
    expect((await call("GET", "/leads?filter=and.eq.status.contacted&total=true")).body.total).toBe(0)
  })

  test.each([
    ["create_webhook", { url: "http://127.0.0.1:9/hook", events: ["lead.created"], secret: "hidden-one" }],
    ["create_api_key", { name: "agent", role: "viewer" }],
  ])("%s shows itself first, without secrets", async (name, args) => {
    const { tool } = await openAt(GUARD)
    const { data, plan } = await tool(name, args)
    expect(data).toMatchObject({ matched: 1, ...PLANNED })
    expect(JSON.stringify(data)).not.toContain("hidden-one")
    const { data: done } = await tool(name, { ...args, plan })
    expect(done.id).toMatch(/^(wh|key)_/)
  })

  test("what is deleted is shown in place of confirm, and what is not there is not found", async () => {
    const { tool, call } = await openAt(GUARD)
    const { id } = (await call("POST", "/leads", LEAST)).body
    const { data, plan } = await tool("delete_lead", { id, confirm: true })
    expect(data).toMatchObject({ matched: 1, sample: [{ id }], ...PLANNED })
    expect((await call("GET", `/leads/${id}`)).status).toBe(200)
    expect((await tool("delete_lead", { id, plan })).data).toEqual({ id, deleted: true })
    expect((await tool("delete_lead", { id })).error.code).toBe("RESOURCE_NOT_FOUND")
    expect((await tool("delete_lead", {})).error.code).toBe("VALIDATION_ERROR")
  })

  test("the role is asked before anything is shown", async () => {
    const { tool, call } = await openAt(GUARD)
    const { key } = (await call("POST", "/api-keys", { name: "viewer", role: "viewer" })).body
    expect((await tool("create_api_key", { name: "x" }, GUARD, key)).error.code).toBe("UNAUTHORIZED")
  })

  test("a dry run needs no plan, scores of many leads do, and its tools list one", async () => {
    const { tool, call, ...service } = await openAt(GUARD)
    await fill({ call, ...service }, 60)
    const dry = await tool("batch_update_leads", {
      filter: ["and.eq.city.Bonn"],
      data: { city: "Ulm" },
      dry_run: true,
    })
    expect(dry.data).toMatchObject({ matched: 60, dry_run: true })
    expect((await tool("update_all_scores", {})).data).toMatchObject({ matched: 60, ...PLANNED })
    const cards = await listTools(at(service, GUARD))
    const withPlan = cards
      .filter(({ inputSchema }) => "plan" in inputSchema.properties)
      .map(({ name }) => name)
    expect(withPlan).toEqual(expect.arrayContaining(["delete_lead", "create_webhook", "batch_update_leads"]))
    expect(withPlan).not.toContain("update_note")
    expect(cards.some(({ inputSchema }) => "confirm" in inputSchema.properties)).toBe(false)
  })
})

describe("a plain key", () => {
  test("keeps the contract of the 33 tools: no plan, and confirm where something is deleted", async () => {
    const { tool, call } = await openAt()
    const { data: key } = await tool("create_api_key", { name: "agent" })
    expect(key.key).toStartWith("ldb_")
    const { id } = (await call("POST", "/leads", LEAST)).body
    expect((await tool("delete_lead", { id })).error.code).toBe("CONFIRMATION_REQUIRED")
    expect((await tool("delete_lead", { id, confirm: true })).data).toEqual({ id, deleted: true })
  })

  test("shows what tools beyond them would do", async () => {
    const { tool, call } = await openAt("?toolsets=all")
    const { batch_id } = (await call("POST", "/leads/batch", { leads: many(2) })).body
    const { data: shown, plan } = await tool("revert_changes", { batch_id })
    expect(shown).toMatchObject({ matched: 2, ...PLANNED })
    expect((await call("GET", "/leads?total=true")).body.total).toBe(2)
    expect((await tool("revert_changes", { batch_id, plan })).data).toMatchObject({ reverted: 2 })
    const file = { content: "name,email\nAda,ada@example.com\n", source: "list" }
    const { data: rows, plan: filePlan } = await tool("import_leads", file)
    expect(rows).toMatchObject({ matched: 1, created: 1, ...PLANNED })
    expect((await tool("import_leads", { ...file, plan: filePlan })).data).toMatchObject({
      created: 1,
      merged: 0,
    })
    const made = await tool("create_segment", { name: "Bonn", filter: ["and.eq.city.Bonn"] })
    expect(made.data).toMatchObject(PLANNED)
  })

  test("with guard plan asks like a guarded address, and no address lifts it", async () => {
    const { tool, call } = await openAt()
    const made = (await call("POST", "/api-keys", { name: "agent", guard: "plan" })).body
    expect(made.guard).toBe("plan")
    for (const query of ["", "?guard=off"])
      expect((await tool("create_api_key", { name: "more" }, query, made.key)).data).toMatchObject(PLANNED)
    const [plain, marked] = (await call("GET", "/api-keys")).body
    expect([plain.guard, marked.guard]).toEqual([undefined, "plan"])
  })
})

describe("single tools", () => {
  test("are chosen by tools and left out by exclude", async () => {
    const service = await openAt()
    const names = async (query: string) => (await listTools(at(service, query))).map(({ name }) => name)
    expect(await names("?tools=get_stats,list_leads,list_changes")).toEqual([
      "list_leads",
      "get_stats",
      "list_changes",
    ])
    expect(await names("?exclude=create_webhook,create_api_key")).toHaveLength(31)
    const { error } = await service
      .tool("list_leads", { limit: 1 }, "?tools=get_stats")
      .catch((e) => ({ error: e }))
    expect(String(error)).toContain("Unknown tool")
    const bad = await rpc(at(service, "?exclude=create_webhok"), "ping")
    expect(bad.body.error.message).toContain('Did you mean "create_webhook"')
  })

  test("preset=safe has no way out: no webhooks, no keys, no links to exports", async () => {
    const service = await openAt("?preset=safe&toolsets=all")
    const cards = await listTools(at(service, "?preset=safe&toolsets=all"))
    expect(cards.filter(({ name }) => /webhook|api_key/.test(name))).toEqual([])
    expect(cards.find(({ name }) => name === "list_leads")!.inputSchema.properties).not.toHaveProperty(
      "format",
    )
    const hook = await service.tool("create_webhook", { url: "http://127.0.0.1:9/" })
    expect(hook.error).toMatchObject({
      code: "UNAUTHORIZED",
      message: expect.stringContaining("preset safe"),
    })
    expect((await service.tool("list_leads", { format: "csv" })).error.message).toContain("preset safe")
    expect((await service.tool("list_leads")).isError).toBe(false)
    expect((await rpc(at(service, "?preset=sage"), "ping")).status).toBe(400)
  })
})
