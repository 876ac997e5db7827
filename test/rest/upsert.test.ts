import { describe, expect } from "bun:test"
import { openTestAccountForReading, test } from "../support/app.ts"

const service = openTestAccountForReading(async () => {})
const at = (key: string, value: string) => `/leads/by/${key}/${encodeURIComponent(value)}`

describe("PUT /leads/by/{email|source_id}/{value}", () => {
  test("creates the lead with 201, then updates it with 200, ignoring the email's case", async ({ call }) => {
    const first = await call("PUT", at("email", "Ann@x.de"), { name: "Ann", source: "crm", city: "Ulm" })
    expect([first.status, first.body.email, first.body.city]).toEqual([201, "Ann@x.de", "Ulm"])
    const again = await call("PUT", at("email", "ANN@X.DE"), {
      name: "Ann B",
      source: "crm",
      city: null,
    })
    expect([again.status, again.body.id]).toEqual([200, first.body.id])
    expect(again.body).toMatchObject({ name: "Ann B", email: "ANN@X.DE", city: null })
    expect((await call("GET", "/leads")).body.count).toBe(1)
  })

  test("takes any source_id, with slashes and in any script, exactly", async ({ call }) => {
    const value = "https://maps.example/ü?q=1 2"
    const { status, body } = await call("PUT", at("source_id", value), { name: "A", source: "w" })
    expect([status, body.source_id]).toEqual([201, value])
    expect((await call("PUT", at("source_id", value.toUpperCase()), { name: "A", source: "w" })).status).toBe(
      201,
    )
  })

  test("holds no other lead to be the same: neither name and city nor phone", async ({ call }) => {
    const lead = { name: "Nino", source: "w", phone: "030 1", city: "Ulm" }
    const { body } = await call("POST", "/leads", lead)
    const put = await call("PUT", at("source_id", "7"), lead)
    expect(put.status).toBe(201)
    expect(put.body.id).not.toBe(body.id)
  })

  test("upserts attributes by name and records the change", async ({ call }) => {
    const seats = (value: number) => [{ name: "seats", type: "number", value }]
    const { body } = await call("PUT", at("email", "a@x.de"), {
      name: "A",
      source: "w",
      attributes: seats(1),
    })
    const again = await call("PUT", at("email", "a@x.de"), { name: "A", source: "w", attributes: seats(2) })
    expect(again.body.attributes).toEqual([{ ...body.attributes[0], value: 2 }])
    const { changes } = (await call("GET", `/leads/${body.id}/changes`)).body
    expect(changes.map(({ action }: { action: string }) => action)).toEqual(["updated", "created"])
  })

  test.each([
    ["email", "a@x.de", { email: "b@x.de" }, "email in the body is another one than in the path"],
    ["email", "nobody", {}, "email must look like name@example.com"],
    ["email", "a@x.de", { name: "" }, "name is required"],
    ["email", "a@x.de", { town: "Ulm" }, "town"],
  ])("refuses %s %s with %p", async (key, value, more, why) => {
    const { status, body } = await service().call("PUT", at(key, value), { name: "A", source: "w", ...more })
    expect([status, body.message]).toEqual([400, expect.stringContaining(why)])
  })
})
