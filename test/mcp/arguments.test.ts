// Arguments in the forms that agents send them.
import { describe, expect } from "bun:test"
import { openTestAccount } from "../support/app.ts"
import { testWith } from "../support/test-with.ts"
import { call } from "./support.ts"

async function open() {
  const service = await openTestAccount()
  const { body } = await service.call("POST", "/leads", {
    ...{ name: "Nino", source: "web", city: "Bonn", tags: ["a", "b"] },
    attributes: [{ name: "seats", type: "number", value: 4 }],
  })
  const tool = (name: string, args: object) => call(service, name, args)
  const lead = async () => (await service.call("GET", `/leads/${body.id}`)).body
  return { ...service, id: body.id as string, tool, lead }
}

const valuesOf = (attributes: { name: string; value: unknown }[]) =>
  Object.fromEntries(attributes.map(({ name, value }) => [name, value]))

const test = testWith(open)

test("a tool that reads takes nothing and an empty text for an optional argument left out, and one text for a list", async () => {
  const { tool, id } = await open()
  const args = { filter: "and.eq.city.Bonn", q: "", limit: null, segment: null, fields: "name" }
  expect((await tool("list_leads", args)).data.leads).toEqual([{ id, name: "Nino" }])
  expect((await tool("get_lead", { id, include: "notes" })).data.notes).toEqual([])
  expect((await tool("get_lead", { id: "" })).error.code).toBe("RESOURCE_NOT_FOUND")
})

test("arguments that only differ in form are taken", async ({ tool, id, lead }) => {
  const many = { ids: id, data: { add_tags: "c" } }
  expect((await tool("batch_update_leads", many)).data).toMatchObject({ success: 1, failed: 0 })
  expect((await lead()).tags).toEqual(["a", "b", "c"])
  expect((await tool("create_lead_tag", { lead_id: id, tag: "d" })).data.tags).toContain("d")
  expect((await tool("create_note", { id, content: "met" })).data.lead_id).toBe(id)
  expect((await tool("list_notes", { id })).data).toHaveLength(1)
  expect((await tool("update_note", { lead_id: id, content: "x" })).error.code).toBe("VALIDATION_ERROR")
  const leads = [{ name: "Second", source: "web", rating: 5, tags: "vip" }]
  expect((await tool("batch_create_leads", { leads })).data.success).toBe(1)
  const names = (await tool("list_leads", { sort: "-rating", fields: "name" })).data.leads
  expect(names.map(({ name }: { name: string }) => name)).toEqual(["Second", "Nino"])
  const used = { name: "get_lead", arguments: JSON.stringify({ lead_id: id }) }
  expect((await tool("use_tool", used)).data.id).toBe(id)
  expect((await tool("use_tool", { ...used, arguments: "{" })).error.message).toContain("must be an object")
})

test("leads are merged into one that is among them", async ({ tool, id }) => {
  const { data } = await tool("create_lead", { name: "Luigi", source: "web" })
  expect(
    (await tool("batch_update_leads", { ids: [id, data.id], merge_into: id })).data.merge_id,
  ).toStartWith("mrg_")
  expect((await tool("batch_update_leads", { ids: [id], merge_into: id })).error.message).toContain(
    "another lead",
  )
})

test("a field of a lead in the wrong place is told the right one", async ({ tool, id }) => {
  const messageOf = async (name: string, args: object) => (await tool(name, args)).error.message
  expect(await messageOf("list_leads", { status: "new" })).toContain(
    "filter, such as and.eq.status.VALUE. Valid: filter, q",
  )
  expect(await messageOf("list_leads", { filter: "and.status.eq.new" })).toContain(
    "before the field: eq.status",
  )
  expect(await messageOf("list_leads", { filter: "and.eq.seats.4" })).toContain("attribute is attr:seats")
  expect(await messageOf("batch_update_leads", { undo: "last" })).toContain("get_stats with of: batches")
  expect(await messageOf("batch_update_leads", { ids: [id], status: "new" })).toContain(
    "It goes into data. Valid: ids",
  )
})

describe("attributes", () => {
  test.for([
    ["by name", { size: "L", rooms: 3 }],
    [
      "as a list without types",
      [
        { name: "size", value: "L" },
        { name: "rooms", value: 3 },
      ],
    ],
    [
      "as a list",
      [
        { name: "size", type: "text", value: "L" },
        { name: "rooms", type: "number", value: 3 },
      ],
    ],
  ])("%s, of a new lead and of one that is there", async ([_, attributes], { tool, id, lead }) => {
    const created = (await tool("create_lead", { name: "Luigi", source: "web", attributes })).data
    expect(valuesOf(created.attributes)).toEqual({ size: "L", rooms: 3 })
    expect((await tool("update_lead", { id, attributes })).isError).toBe(false)
    expect(valuesOf((await lead()).attributes)).toEqual({ seats: 4, size: "L", rooms: 3 })
  })
})

test("attributes and tags of many leads change beside their fields, in one batch that is undone", async () => {
  const service = await open()
  const { tool, id, lead } = service
  const data = {
    status: "contacted",
    attributes: { seats: 5, size: "L" },
    add_tags: ["c", "A"],
    remove_tags: ["b"],
  }
  const { data: answer } = await tool("batch_update_leads", { ids: [id], data })
  expect(answer).toMatchObject({ success: 1, failed: 0 })
  const after = await lead()
  expect([after.status, after.tags, valuesOf(after.attributes)]).toEqual([
    "contacted",
    ["a", "c"],
    { seats: 5, size: "L" },
  ])
  expect((await tool("batch_update_leads", { undo: answer.batch_id })).isError).toBe(false)
  const undone = await lead()
  expect([undone.status, undone.tags, valuesOf(undone.attributes)]).toEqual(["new", ["a", "b"], { seats: 4 }])
  const wrong = await tool("batch_update_leads", { ids: [id], data: { attributes: { seats: "many" } } })
  expect(wrong.data.failed).toBe(1)
  expect((await tool("update_lead", { id, add_tags: ["d"], remove_tags: ["a"] })).data.tags).toEqual([
    "b",
    "d",
  ])
})

test("nothing found is explained, a lone or is told, and a segment goes by its name", async () => {
  const { tool, call } = await open()
  const messageOf = async (args: object) => (await tool("list_leads", args)).data.message
  expect(await messageOf({ filter: ["and.eq.city.Bon", "and.eq.status.new"] })).toBe(
    "No lead matches and.eq.city.Bon, alone or with other filters",
  )
  expect(await messageOf({ q: "zzzqq" })).toBe("No lead has any of these words")
  const { data } = await tool("list_leads", { filter: ["and.eq.status.new", "or.eq.city.Bonn"] })
  expect([data.count, data.warnings]).toEqual([1, [expect.stringContaining('acts as "and"')]])
  await call("POST", "/segments", { name: "In Bonn", filter: ["and.eq.city.Bonn"] })
  expect((await tool("list_leads", { segment: "in bonn" })).data.count).toBe(1)
  expect((await tool("list_leads", { segment: "in ulm" })).error.message).toContain('no segment "in ulm"')
})

test("leads of a batch take attributes in the same forms", async ({ tool, call: rest }) => {
  const forms = [{ size: "L" }, [{ name: "size", value: "L" }], [{ name: "size", type: "text", value: "L" }]]
  const leads = forms.map((attributes, i) => ({ name: `Lead ${i}`, source: "web", attributes }))
  const { data } = await tool("batch_create_leads", { leads })
  expect(data).toMatchObject({ success: 3, failed: 0 })
  expect((await rest("GET", "/leads?filter=and.eq.attr:size.L&total=true")).body.total).toBe(3)
})
