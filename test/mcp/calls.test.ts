import { describe, expect } from "bun:test"
import { openTestAccount, type TestAccount } from "../support/app.ts"
import { FULL, LEAD_ID, LEAST } from "../support/lead.ts"
import { testWith } from "../support/test-with.ts"
import { type Called, call } from "./support.ts"

const test = testWith(open)

const ATTRIBUTE = { name: "size", type: "number", value: 50 } as const

/** A service with one full lead, and its tools under a short name. */
async function open() {
  const service = await openTestAccount()
  const tool = (name: string, args: unknown = {}): Promise<Called> => call(service, name, args)
  const { data: lead } = await tool("create_lead", { ...FULL, attributes: [ATTRIBUTE] })
  return { service, tool, lead, rest: (path: string) => body(service, path) }
}

async function body(service: TestAccount, path: string) {
  return (await service.call("GET", path)).body
}

/** A lead of REST as tools give it. */
function withoutNulls(lead: object): object {
  return Object.fromEntries(Object.entries(lead).filter(([, value]) => value !== null))
}

describe("leads", () => {
  test("create_lead answers as POST /leads, and get_lead and leads/{id} are the same", async () => {
    const { lead, tool, rest } = await open()
    const { message, ...stored } = lead
    expect(message).toBe("Lead created")
    expect(stored).toMatchObject({ ...FULL, id: expect.stringMatching(LEAD_ID), attributes: [ATTRIBUTE] })
    expect((await tool("get_lead", { id: lead.id })).data).toEqual({ ...stored, contactable: true })
    expect(withoutNulls(await rest(`/leads/${lead.id}`))).toEqual(stored)
  })

  test("create_lead merges a duplicate and says so", async ({ lead, tool }) => {
    const { data } = await tool("create_lead", { ...LEAST, email: FULL.email.toUpperCase(), city: "Bonn" })
    expect(data).toMatchObject({ id: lead.id, duplicate: true, city: "Bonn" })
  })

  test("update_lead changes what is sent and clears what is null", async ({ lead, tool, rest }) => {
    const { data } = await tool("update_lead", { id: lead.id, status: "qualified", phone: null, city: "" })
    expect(data).toMatchObject({ status: "qualified", name: FULL.name })
    expect([data.phone, data.city]).toEqual([undefined, undefined])
    const { changed, ...whole } = data
    expect(withoutNulls(await rest(`/leads/${lead.id}`))).toEqual(whole)
    expect(Object.keys(changed)).toEqual(expect.arrayContaining(["status", "phone", "city"]))
  })

  test("delete_lead answers with the id", async ({ lead, tool, service }) => {
    expect((await tool("delete_lead", { id: lead.id, confirm: true })).data).toEqual({
      id: lead.id,
      deleted: true,
    })
    expect((await service.call("GET", `/leads/${lead.id}`)).status).toBe(404)
  })

  test("create_lead_tag adds a tag, once in any case", async ({ lead, tool, rest }) => {
    const { data } = await tool("create_lead_tag", { id: lead.id, tag: "  Warm " })
    expect(data.tags).toEqual([...FULL.tags, "Warm"])
    const { changes } = await rest(`/leads/${lead.id}/changes`)
    expect((await tool("create_lead_tag", { id: lead.id, tag: "wARM" })).data).toEqual(data)
    expect((await rest(`/leads/${lead.id}/changes`)).changes).toEqual(changes)
    expect(changes[0]).toMatchObject({ action: "updated" })
  })

  test("create_lead_tag keeps to the limits of tags", async ({ lead, tool }) => {
    await tool("update_lead", { id: lead.id, tags: Array.from({ length: 100 }, (_, i) => `t${i}`) })
    expect((await tool("create_lead_tag", { id: lead.id, tag: "T5" })).isError).toBe(false)
    expect((await tool("create_lead_tag", { id: lead.id, tag: "more" })).error.message).toContain("100")
    expect((await tool("create_lead_tag", { id: lead.id, tag: " " })).error.code).toBe("VALIDATION_ERROR")
    expect((await tool("create_lead_tag", { id: lead.id, tag: "x".repeat(201) })).error.message).toContain(
      "200",
    )
  })
})

describe("batches", () => {
  test("create answers as over REST, update and delete name what failed alone", async ({ tool, rest }) => {
    const { data: made } = await tool("batch_create_leads", {
      leads: [LEAST, { name: "no source" }, { ...LEAST, name: "C" }],
    })
    expect(made).toMatchObject({
      total: 3,
      success: 2,
      failed: 1,
      errors: [{ index: 1, message: "source is required" }],
    })
    const ids: string[] = made.created.map((lead: { id: string }) => lead.id)
    const { data: updated } = await tool("batch_update_leads", { ids, data: { status: "contacted" } })
    expect(updated).toMatchObject({ matched: 2, success: 2, failed: 0, errors: [] })
    expect(await rest(`/leads/${ids[1]}`)).toMatchObject({ status: "contacted", name: "C" })
    const { data: deleted } = await tool("batch_delete_leads", { ids: [...ids, "cl_none"], confirm: true })
    expect(deleted).toMatchObject({ matched: 3, success: 2, failed: 1 })
    expect(deleted.errors).toEqual([{ lead_id: "cl_none", message: "Lead not found" }])
  })

  test("failures that do not fit are cut, and the answer says so", async () => {
    const service = await openTestAccount()
    const ids = Array.from({ length: 1_000 }, () => `cl_${crypto.randomUUID()}`)
    const { data, content } = await call(service, "batch_update_leads", { ids, data: { status: "new" } })
    expect(data.failed).toBe(1_000)
    expect(data.errors.length).toBeWithin(100, 1_000)
    expect(content[0].text).toContain(`errors: These are ${data.errors.length} of 1000`)
  })
})

describe("notes and attributes", () => {
  test("a note is created, listed, changed and deleted", async ({ lead, tool, rest }) => {
    const { data: note } = await tool("create_note", { lead_id: lead.id, content: "Called" })
    expect(note).toMatchObject({ lead_id: lead.id, content: "Called" })
    expect((await tool("list_notes", { lead_id: lead.id })).data).toEqual([note])
    const { data: changed } = await tool("update_note", { id: note.id, content: "Called twice" })
    expect(await rest(`/leads/${lead.id}/notes`)).toEqual([changed])
    expect((await tool("delete_note", { id: note.id, confirm: true })).data).toEqual({
      id: note.id,
      deleted: true,
    })
    expect((await tool("list_notes", { lead_id: lead.id })).data).toEqual([])
  })

  test.each([
    ["text", "red"],
    ["number", 1.5],
    ["bool", false],
    ["list", ["a", "b"]],
    ["object", { deep: { er: 1 } }],
  ])("an attribute of type %s is created, listed, changed and deleted", async (type, value) => {
    const { lead, tool } = await open()
    const lead_id = lead.id
    const { data: made } = await tool("create_attribute", { lead_id, name: "extra", type, value })
    expect(made).toMatchObject({ name: "extra", type, value })
    expect((await tool("list_attributes", { lead_id })).data).toEqual([
      expect.objectContaining(ATTRIBUTE),
      made,
    ])
    expect((await tool("update_attribute", { lead_id, id: made.id, value })).data).toEqual(made)
    const { data } = await tool("delete_attribute", { lead_id, id: made.id, confirm: true })
    expect(data).toEqual({ id: made.id, deleted: true })
  })
})

test("scoring a rule is created, read, changed, applied and deleted", async ({ lead, tool, rest }) => {
  const { data: rule } = await tool("create_scoring_rule", {
    name: "Rating",
    expression: "rating * 10",
    weight: 2,
  })
  expect((await tool("get_scoring_rule", { id: rule.id })).data).toEqual(rule)
  const { data: changed } = await tool("update_scoring_rule", { id: rule.id, priority: 5, weight: 1 })
  expect(changed).toMatchObject({ priority: 5, weight: 1, expression: "rating * 10" })
  expect((await tool("list_scoring_rules")).data).toEqual([changed])
  const { data: scored } = await tool("update_lead_score", { id: lead.id, explain: true })
  expect(scored).toMatchObject({ id: lead.id, score: 45, rules: [{ id: rule.id, contribution: 45 }] })
  expect((await rest(`/leads/${lead.id}`)).score).toBe(45)
  expect((await tool("update_all_scores")).data).toEqual({ count: 1, changed: 0 })
  expect((await tool("delete_scoring_rule", { id: rule.id, confirm: true })).data.deleted).toBe(true)
})

describe("webhooks", () => {
  test("one is created, listed and deleted, and no answer holds its secret", async ({ tool, rest }) => {
    const hook = { url: "http://127.0.0.1:9/hook", events: ["lead.created"], secret: "hush-hush" }
    const made = await tool("create_webhook", hook)
    expect(made.data).toMatchObject({ url: hook.url, events: hook.events, has_secret: true, active: true })
    expect(JSON.stringify(made.content)).not.toContain(hook.secret)
    const listed = await tool("list_webhooks")
    expect(listed.data).toEqual([{ ...made.data, last_deliveries: [] }])
    expect(await rest("/webhooks")).toEqual([made.data])
    const { id } = made.data
    expect((await tool("delete_webhook", { id, confirm: true })).data).toEqual({ id, deleted: true })
    expect((await tool("list_webhooks")).data).toEqual([])
  })
})

describe("API keys and analytics", () => {
  test("a key is created with its text once, listed without, and revoked at once", async () => {
    const { tool, service } = await open()
    const { data: made } = await tool("create_api_key", { name: "agent", role: "viewer" })
    const { key, ...record } = made
    expect(key).toMatch(/^ldb_\w{38}$/)
    expect((await tool("list_api_keys")).data).toContainEqual(record)
    expect((await call({ app: service.app, key }, "get_stats")).data.total_leads).toBe(1)
    expect((await tool("delete_api_key", { id: record.id, confirm: true })).data).toEqual({
      id: record.id,
      deleted: true,
    })
    expect((await service.as(key)("GET", "/leads")).status).toBe(401)
  })

  test("get_stats, list_categories and list_cities answer as over REST", async ({ tool, rest }) => {
    const { requests, ...stats } = (await tool("get_stats")).data
    expect(stats).toEqual(await rest("/stats"))
    expect(requests).toEqual({ limit: null, left: null, resets_at: null })
    expect((await tool("list_categories", { limit: 1 })).data).toEqual([
      { category: FULL.category, count: 1 },
    ])
    expect((await tool("list_cities")).data).toEqual([{ city: FULL.city, count: 1 }])
  })
})
