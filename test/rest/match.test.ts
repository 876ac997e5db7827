import { describe, expect, test } from "bun:test"
import { call as callTool } from "../mcp/support.ts"
import { openTestAccount } from "../support/app.ts"
import { compared } from "../support/settled.ts"

const NINO = {
  name: "Trattoria Da Nino",
  source: "fair",
  email: "nino@danino.example",
  source_id: "7",
  phone: "+49 30 1234567",
  website: "https://danino.example",
  city: "Berlin",
  address: "Torstraße 12",
}

async function open() {
  const service = await openTestAccount()
  const { call } = service
  const id: string = (await call("POST", "/leads", NINO)).body.id
  const match = async (leads: unknown) => (await call("POST", "/leads/match", { leads })).body.results
  const settled = () => compared(call)
  return { ...service, id, match, settled }
}

describe("POST /leads/match", () => {
  test.each([
    ["the same email", { email: "NINO@danino.example" }, "same email"],
    ["the same source_id", { source_id: "7" }, "same source_id"],
    [
      "the same phone and a similar name",
      { name: "Trattoria da Nino", phone: "0049 30 1234567" },
      "same phone and similar name",
    ],
    ["the same name and city", { name: "trattoria da nino", city: "BERLIN" }, "same name and city"],
  ])("finds a lead by %s", async (_, lead, text) => {
    const { match, id } = await open()
    const [result] = await match([lead])
    expect(result).toMatchObject({ index: 0, match: "exact", lead_id: id })
    expect(result.reasons.map((reason: { text: string }) => reason.text)).toEqual([text])
    expect(result.probability).toBeGreaterThan(0)
    expect(result.probability).toBeLessThanOrEqual(1)
  })

  test("finds likely leads with a probability and reasons, and none for others", async () => {
    const { match, id, settled } = await open()
    await settled()
    const results = await match([
      { name: "Da Nino Trattoria Srl", address: "Torstrasse 12", city: "Berlin", website: "danino.example" },
      { name: "Completely Other", city: "Ulm" },
      { phone: "+49 30 1234567" },
      {},
    ])
    expect(results[0]).toMatchObject({ index: 0, match: "likely", lead_id: id })
    expect(results[0].probability).toBeGreaterThanOrEqual(0.5)
    expect(results[0].reasons.length).toBeGreaterThan(0)
    expect(results.slice(1, 2)).toEqual([{ index: 1, match: "none" }])
    expect(results[3]).toEqual({ index: 3, match: "none" })
  })

  test("writes nothing, and counts as one request", async () => {
    const { call, match } = await open()
    const trail = (await call("GET", "/changes")).body.count
    const many = Array.from({ length: 1_000 }, (_, i) => ({ name: `Lead ${i}`, email: `lead${i}@x.example` }))
    const results = await match(many)
    expect(results).toHaveLength(1_000)
    expect(results.every((result: { match: string }) => result.match === "none")).toBe(true)
    expect((await call("GET", "/leads")).body.count).toBe(1)
    expect((await call("GET", "/changes")).body.count).toBe(trail)
  })

  test.each([
    [{ leads: [] }, /at least one lead/],
    [{ leads: Array.from({ length: 1_001 }, () => ({})) }, /at most 1,000 leads/],
    [{ leads: [{}, { email: "none" }] }, /leads\[1\]\.email must look like/],
    [{ leads: [{ nmae: "x" }] }, /leads\[0\]\.nmae is not a lead field/],
    [{ leads: ["x"] }, /leads\[0\] must be a JSON object/],
    [{}, /leads is required/],
  ])("refuses a wrong request and says where: %#", async (body, message) => {
    const { call } = await open()
    const answer = await call("POST", "/leads/match", body)
    expect([answer.status, answer.body.code]).toEqual([400, "bad_request"])
    expect(answer.body.message).toMatch(message)
  })

  test("a viewer may ask, and the tool answers the same", async () => {
    const service = await open()
    const { call, as, id } = service
    const viewer = as((await call("POST", "/api-keys", { name: "v", role: "viewer" })).body.key)
    const leads = [{ email: NINO.email }]
    const { body } = await viewer("POST", "/leads/match", { leads })
    expect(body.results[0].lead_id).toBe(id)
    const { data } = await callTool(service, "match_leads", { leads }, { "X-MCP-Toolsets": "duplicates" })
    expect(data).toEqual(body)
  })
})
