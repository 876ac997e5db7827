import { describe, expect } from "bun:test"
import { test } from "../support/app.ts"

const ADA = { name: "Ada GmbH", source: "fair", email: "ada@example.com", city: "Berlin", tags: ["a"] }

describe("POST /leads", () => {
  test("dry_run=true says what would happen and keeps nothing", async ({ call }) => {
    const fresh = await call("POST", "/leads?dry_run=true", ADA)
    expect(fresh.status).toBe(200)
    expect(fresh.body).toMatchObject({
      name: ADA.name,
      dry_run: true,
      message: expect.stringContaining("Dry run"),
    })
    expect((await call("GET", "/leads?total=true")).body.total).toBe(0)
    expect((await call("GET", "/changes")).body.count).toBe(0)
    const { body: lead } = await call("POST", "/leads", ADA)
    const merge = await call("POST", "/leads?dry_run=true", { ...ADA, city: "Bonn" })
    expect(merge.body).toMatchObject({
      id: lead.id,
      duplicate: true,
      dry_run: true,
      changed: { city: ["Berlin", "Bonn"] },
    })
    const { message: _, ...kept } = lead
    expect((await call("GET", `/leads/${lead.id}`)).body).toEqual(kept)
  })

  test("a merge says what it changed, attributes too", async ({ call }) => {
    const size = (value: number) => [{ name: "size", type: "number", value }]
    await call("POST", "/leads", { ...ADA, attributes: size(5) })
    const { body } = await call("POST", "/leads", {
      ...ADA,
      tags: ["b"],
      phone: "030 1",
      attributes: size(6),
    })
    expect(body.changed).toEqual({ tags: [["a"], ["b"]], phone: [null, "030 1"], "attr:size": [5, 6] })
  })
})
