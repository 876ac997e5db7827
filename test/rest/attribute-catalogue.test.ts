import { describe, expect } from "bun:test"
import { openTestAccount, test } from "../support/app.ts"

const lead = (name: string, ...attributes: [string, string, unknown][]) => ({
  name,
  source: "test",
  attributes: attributes.map(([name, type, value]) => ({ name, type, value })),
})

describe("GET /attributes", () => {
  test("tells names, types, numbers of leads, ranges and commonest values, most leads first", async () => {
    const { call } = await openTestAccount()
    const leads = [
      lead("A", ["seats", "number", 40], ["chain", "text", "Nord"], ["langs", "list", ["de", "En"]]),
      lead("B", ["seats", "number", -2.5], ["chain", "text", "NORD"], ["open", "bool", true]),
      lead("C", ["seats", "text", "many"], ["langs", "list", ["en"]], ["raw", "object", { a: 1 }]),
      lead("D", ["seats", "number", 7], ["chain", "text", "Süd"]),
    ]
    expect((await call("POST", "/leads/batch", { leads })).status).toBe(201)
    expect((await call("GET", "/attributes")).body).toEqual([
      {
        name: "chain",
        type: "text",
        leads: 3,
        values: [
          { value: "Nord", count: 2 },
          { value: "Süd", count: 1 },
        ],
      },
      { name: "seats", type: "number", leads: 3, min: -2.5, max: 40 },
      {
        name: "langs",
        type: "list",
        leads: 2,
        values: [
          { value: "En", count: 2 },
          { value: "de", count: 1 },
        ],
      },
      { name: "open", type: "bool", leads: 1 },
      { name: "raw", type: "object", leads: 1 },
      { name: "seats", type: "text", leads: 1, values: [{ value: "many", count: 1 }] },
    ])
  })

  test("tells no values where nearly each lead has another, and counts beyond a slice", async ({ call }) => {
    for (let from = 0; from < 3_000; from += 1_000) {
      const leads = Array.from({ length: 1_000 }, (_, i) =>
        lead(`L${from + i}`, ["code", "text", `c${from + i}`], ["half", "text", i % 2 ? "odd" : "even"]),
      )
      expect((await call("POST", "/leads/batch", { leads })).status).toBe(201)
    }
    expect((await call("GET", "/attributes")).body).toEqual([
      { name: "code", type: "text", leads: 3_000 },
      {
        name: "half",
        type: "text",
        leads: 3_000,
        values: [
          { value: "even", count: 1_500 },
          { value: "odd", count: 1_500 },
        ],
      },
    ])
  })

  test("tells of each change of a lead at once", async ({ call }) => {
    const names = async () => (await call("GET", "/attributes")).body.map((one: { name: string }) => one.name)
    const { body } = await call("POST", "/leads", lead("A", ["seats", "number", 1]))
    expect(await names()).toEqual(["seats"])
    expect(await names()).toEqual(["seats"])
    await call("POST", `/leads/${body.id}/attributes`, { name: "floor", type: "number", value: 2 })
    expect(await names()).toEqual(["floor", "seats"])
    await call("DELETE", `/leads/${body.id}`)
    expect(await names()).toEqual([])
    const { batch_id } = (await call("POST", "/leads/batch", { leads: [lead("B", ["seats", "number", 1])] }))
      .body
    expect(await names()).toEqual(["seats"])
    expect((await call("POST", "/changes/revert", { batch_id })).body.reverted).toBe(1)
    expect(await names()).toEqual([])
  })

  test("is empty where no lead has any", async ({ call }) => {
    expect((await call("GET", "/attributes")).body).toEqual([])
  })
})
