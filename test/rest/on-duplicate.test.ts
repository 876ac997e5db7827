import { describe, expect, test } from "bun:test"
import { openTestAccount } from "../support/app.ts"

const OLD = {
  name: "Ada",
  source: "web",
  email: "ada@x.de",
  tags: ["vip"],
  attributes: [{ name: "seats", type: "number", value: 4 }],
}
const NEW = {
  name: "Ada L",
  source: "fair",
  email: "ADA@x.de",
  city: "Ulm",
  tags: ["VIP", "fair"],
  attributes: [
    { name: "seats", type: "number", value: 9 },
    { name: "hall", type: "text", value: "3" },
  ],
}
const attributes = (lead: { attributes: { name: string; value: unknown }[] }) =>
  Object.fromEntries(lead.attributes.map(({ name, value }) => [name, value]))

describe("on_duplicate", () => {
  test.each([
    [
      "overwrite",
      { name: "Ada L", source: "fair", email: "ADA@x.de", city: "Ulm", tags: ["VIP", "fair"] },
      { seats: 9, hall: "3" },
    ],
    [
      "fill",
      { name: "Ada", source: "web", email: "ada@x.de", city: "Ulm", tags: ["vip"] },
      { seats: 4, hall: "3" },
    ],
    ["skip", { name: "Ada", source: "web", city: null, tags: ["vip"] }, { seats: 4 }],
  ])("%s says what a push changes, one by one and in a batch", async (policy, fields, values) => {
    for (const path of ["/leads", "/leads/batch"]) {
      const { call } = await openTestAccount()
      const { body: old } = await call("POST", "/leads", OLD)
      const body = path === "/leads" ? NEW : { leads: [NEW] }
      const pushed = await call("POST", `${path}?on_duplicate=${policy}`, body)
      expect([200, 201]).toContain(pushed.status)
      const { body: lead } = await call("GET", `/leads/${old.id}`)
      expect(lead).toMatchObject(fields)
      expect(attributes(lead)).toEqual(values)
      const { body: trail } = await call("GET", `/leads/${old.id}/changes`)
      expect(trail.count).toBe(policy === "skip" ? 1 : 2)
    }
  })

  test("of an import adds tags, replaces them when told, and leaves kept fields alone", async () => {
    const { call } = await openTestAccount()
    const { body: old } = await call("POST", "/leads", OLD)
    const send = (query: string) =>
      call("POST", `/leads/import?${query}`, "name,source,email,tags,seats\nBea,fair,ada@x.de,fair|VIP,9\n", {
        "Content-Type": "text/csv",
      })
    const lead = async () => (await call("GET", `/leads/${old.id}`)).body
    await send("keep=name,source")
    expect(await lead()).toMatchObject({ name: "Ada", source: "web", tags: ["vip", "fair"] })
    await send("keep=name&keep=attr:seats&tags=replace")
    expect(await lead()).toMatchObject({ name: "Ada", source: "fair", tags: ["fair", "VIP"] })
    expect((await send("on_duplicate=skip")).body).toMatchObject({ skipped: 1, merged: 0 })
    const wrong = await send("keep=nam")
    expect([wrong.status, wrong.body.message]).toEqual([400, expect.stringContaining("must be lead fields")])
  })
})
