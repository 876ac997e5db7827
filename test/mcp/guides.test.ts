import { describe, expect } from "bun:test"
import { checkExpression } from "../../src/expression/index.ts"
import { FILTER_GUIDE, INSTRUCTIONS, SCORING_GUIDE } from "../../src/surfaces/mcp/guides.ts"
import { openTestAccountForReading, test } from "../support/app.ts"
import { parseFilters } from "../support/filters.ts"
import { LEAST } from "../support/lead.ts"
import { pluck } from "../support/pluck.ts"
import { call, rpc } from "./support.ts"

describe("what agents are told is so", () => {
  test("the instructions stay below the length that clients cut at", () => {
    expect(INSTRUCTIONS.length).toBeLessThan(2_048)
  })

  test("every filter that is shown is taken", () => {
    const filters =
      (INSTRUCTIONS + FILTER_GUIDE).match(/\b(and|or)\.[a-z_]+\.[^\s`]+(?=`|, and|\. |:|$)/g) ?? []
    expect(filters.length).toBeGreaterThan(10)
    for (const filter of filters) expect(() => parseFilters([filter.replace(/[,.]$/, "")])).not.toThrow()
  })

  test("every expression that is shown is taken", () => {
    const examples = [...SCORING_GUIDE.matchAll(/^- `(.*)`$/gm)].map((match) => match[1]!)
    examples.push(
      "rating > 4 ? 20 : 0",
      'contains(website, "shop") * 10',
      "attr_size / 10",
      'has(tags, "vip")',
    )
    expect(examples.length).toBeGreaterThan(8)
    for (const example of examples) expect([example, checkExpression(example).ok]).toEqual([example, true])
    for (const example of examples.slice(-4, -1)) expect(INSTRUCTIONS).toContain(example)
  })
})

describe("resources", () => {
  test("two guides and a template are listed, and read", async (service) => {
    const { resources } = (await rpc(service, "resources/list")).result
    const { resourceTemplates } = (await rpc(service, "resources/templates/list")).result
    expect(pluck(resourceTemplates, "uriTemplate")).toEqual([
      "leads://{id}",
      "export://{ticket}",
      "segments://{id}",
      "jobs://{id}",
    ])
    expect(pluck(resources, "uri")).toEqual(["guide://filters", "guide://scoring"])
    for (const { uri, mimeType } of resources) {
      const { contents } = (await rpc(service, "resources/read", { uri })).result
      expect(contents).toEqual([{ uri, mimeType, text: expect.stringMatching(/^# /) }])
    }
    const { data } = await call(service, "create_lead", LEAST)
    const { contents } = (await rpc(service, "resources/read", { uri: `leads://${data.id}` })).result
    const whole = Object.entries(JSON.parse(contents[0].text)).filter(([, value]) => value !== null)
    const { contactable, ...lead } = (await call(service, "get_lead", { id: data.id })).data
    expect([contactable, Object.fromEntries(whole)]).toEqual([true, lead])
  })

  test.for(["leads://none", "leads://", "guide://nothing", "file:///etc/passwd", "x"])(
    "%s is not there",
    async (uri, service) => {
      const { error } = (await rpc(service, "resources/read", { uri })).body
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(uri) })
    },
  )
})

describe("prompts", () => {
  const app = openTestAccountForReading(async () => {})

  test("write out common jobs with the tools that do them", async () => {
    const { prompts } = (await rpc(app(), "prompts/list")).result
    expect(pluck(prompts, "name")).toEqual([
      "qualify_leads",
      "find_duplicates",
      "weekly_report",
      "log_meeting",
      "clean_up",
      "call_list",
    ])
    for (const { name } of prompts) {
      const { messages } = (await rpc(app(), "prompts/get", { name })).result
      expect(messages[0].content.text).toMatch(/list_leads|get_stats/)
      expect(messages[0].content.text).not.toContain("undefined")
    }
  })

  test("take arguments; empty ones are as if left out", async () => {
    const text = async (args: object) =>
      (await rpc(app(), "prompts/get", { name: "qualify_leads", arguments: args })).result.messages[0].content
        .text
    expect(await text({ status: "contacted" })).toContain("and.eq.status.contacted")
    expect(await text({ status: " " })).toContain("and.eq.status.new")
  })

  test("an unknown one is told which there are", async () => {
    const { error } = (await rpc(app(), "prompts/get", { name: "report" })).body
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("weekly_report") })
  })

  test.each([
    [
      { type: "ref/prompt", name: "qualify_leads" },
      { name: "status", value: "con" },
      ["contacted", "converted"],
    ],
    [{ type: "ref/prompt", name: "qualify_leads" }, { name: "criteria", value: "x" }, []],
    [{ type: "ref/prompt", name: "no_prompt" }, { name: "x", value: "" }, []],
    [{ type: "ref/resource", uri: "leads://{id}" }, { name: "id", value: "cl_" }, []],
  ])("completes %j %j", async (ref, argument, values) => {
    expect((await rpc(app(), "completion/complete", { ref, argument })).result.completion.values).toEqual(
      values,
    )
  })
})
