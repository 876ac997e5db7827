import { describe, expect, test } from "bun:test"
import * as v from "valibot"
import { LeadListOutput } from "../../src/domain/leads/list/lead-output.ts"
import { openTestAccount, openTestAccountForReading } from "../support/app.ts"

const service = openTestAccountForReading(async ({ call }) => {
  for (const [i, city] of ["Berlin", "Berlin", "Paris"].entries()) {
    const attributes = [
      { name: "seats", type: "number", value: i },
      { name: "chain", type: "text", value: "Nord" },
    ]
    await call("POST", "/leads", { name: `L${i}`, source: "test", city, tags: ["x"], attributes })
  }
})
const list = async (query: string) => (await service().call("GET", `/leads?${query}`)).body

describe("GET /leads with fields", () => {
  test("gives the id and these, in the order of whole leads", async () => {
    const { leads, count } = await list("fields=score,city,name")
    expect(count).toBe(3)
    expect(leads[0]).toEqual({ id: expect.stringMatching(/^cl_/), name: "L0", city: "Berlin", score: 0 })
    expect(Object.keys(leads[0])).toEqual(["id", "name", "city", "score"])
    // As the document has it, from which strict clients are made.
    v.parse(LeadListOutput, await list("fields=score,city,name"))
  })

  test("gives single attributes by name, and all of them as attributes", async () => {
    const { leads } = await list("fields=attr:seats&fields=tags&sort_by=name")
    expect(leads[1]).toEqual({
      id: leads[1].id,
      tags: ["x"],
      attributes: [{ id: expect.any(String), name: "seats", type: "number", value: 1 }],
    })
    expect((await list("fields=attributes")).leads[0].attributes).toHaveLength(2)
  })

  test("reads on with the cursor as without", async () => {
    const first = await list("fields=name&limit=2")
    expect(first.has_more).toBe(true)
    expect((await list(`fields=name&limit=2&cursor=${first.next_cursor}`)).leads).toEqual([
      { id: expect.any(String), name: "L2" },
    ])
  })

  test.each([
    ["fields=nam", 'Did you mean "name"?'],
    ["fields=secret", 'unknown field "secret"'],
    ["fields=attr:", 'unknown field "attr:"'],
  ])("refuses %s", async (query, why) => {
    const { status, body } = await service().call("GET", `/leads?${query}`)
    expect([status, body.message]).toEqual([400, expect.stringContaining(why)])
  })
})

describe("GET /leads with total", () => {
  test.each([
    ["total=true&limit=1", 3],
    ["total=true&limit=1&filter=and.eq.city.berlin", 2],
    ["total=true&filter=and.gt.attr:seats.5", 0],
  ])("%s counts all that match", async (query, total) => {
    expect((await list(query)).total).toBe(total)
  })

  test("is left out unless it is asked for", async () => {
    expect(await list("limit=1")).not.toHaveProperty("total")
  })
})

describe("warnings", () => {
  test.each([
    ["filter=and.gt.attr:seat.5", 'no lead has an attribute "seat": did you mean "attr:seats"?'],
    ["sort_by=attr:zzz", 'no lead has an attribute "zzz": attributes are such as "chain", "seats"'],
  ])("%s names what no lead has", async (query, warning) => {
    const { leads, warnings } = await list(query)
    expect(leads.length).toBe(query.startsWith("sort") ? 3 : 0)
    expect(warnings).toEqual([expect.stringContaining(warning)])
  })

  test("are there for groups, too, and left out where there are none", async () => {
    const { body } = await service().call("GET", "/leads/aggregate?group_by=attr:seat")
    expect(body.warnings).toEqual([expect.stringContaining("attr:seats")])
    expect(await list("filter=and.gt.attr:seats.5")).not.toHaveProperty("warnings")
  })

  test("may be in any script", async () => {
    const { warnings } = await list(`filter=${encodeURIComponent("and.eq.attr:größe.x")}`)
    expect(warnings).toEqual([expect.stringContaining('no lead has an attribute "größe"')])
  })

  test("say so where there are no attributes at all", async () => {
    const { call } = await openTestAccount()
    const { body } = await call("GET", "/leads?filter=and.eq.attr:a.1")
    expect(body.warnings).toEqual(['no lead has an attribute "a": no lead has any attribute'])
  })
})

describe("a status that does not exist", () => {
  test.each(["and.eq.status.open", "and.neq.status.open", "and.in.status.new,lost"])(
    "is refused in %s",
    async (filter) => {
      const { status, body } = await service().call("GET", `/leads?filter=${filter}`)
      expect([status, body.message]).toEqual([400, expect.stringContaining("there is no status")])
    },
  )

  test("ignores case, as filters do", async () => {
    expect((await list("filter=and.eq.status.NEW")).count).toBe(3)
  })
})
