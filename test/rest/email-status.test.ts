// What is known of a lead's email.
import { describe, expect } from "bun:test"
import { test } from "../support/app.ts"
import { LEAST } from "../support/lead.ts"

describe("email_status", () => {
  test.for([
    ["jane@gmail.com", "ok"],
    ["Jane@GMAIL.com", "ok"],
    ["info@acme.de", "role"],
    ["Info+fair@acme.de", "role"],
    ["postmaster@acme.de", "role"],
    ["sales@gmail.com", "role"],
    ["x@mailinator.com", "disposable"],
    ["x@sub.mailinator.com", "disposable"],
    ["info@mailinator.com", "disposable"],
    ["jane@acme.de", "unknown"],
    ["jane@müller.de", "unknown"],
    ["jane@localhost", "unknown"],
    [".jane@gmail.com", "unknown"],
    [`${"x".repeat(65)}@gmail.com`, "unknown"],
    [null, null],
  ])("of %s is %s", async ([email, status], { call }) => {
    const { body } = await call("POST", "/leads", { ...LEAST, email })
    expect(body.email_status).toBe(status)
  })

  test("follows the email, and cannot be set as a field", async ({ call }) => {
    const { body: lead } = await call("POST", "/leads", {
      ...LEAST,
      email: "a@gmail.com",
      email_status: "bounced",
    })
    expect(lead.email_status).toBe("ok")
    const put = async (fields: object) => (await call("PUT", `/leads/${lead.id}`, fields)).body.email_status
    expect(await put({ email: "info@acme.de" })).toBe("role")
    expect(await put({ email_status: "ok" })).toBe("role")
    expect(await put({ email: null })).toBe(null)
    const merged = await call("POST", "/leads/batch", { leads: [{ ...LEAST, email: "x@mailinator.com" }] })
    const { body: other } = await call("GET", `/leads/${merged.body.created[0].id}`)
    expect(other.email_status).toBe("disposable")
  })

  test("is filtered, sorted, exported and read by rules", async ({ call }) => {
    for (const email of ["a@gmail.com", "info@acme.de", "x@mailinator.com"])
      await call("POST", "/leads", { name: email, source: "s", email })
    await call("POST", "/scoring-rules", { name: "reachable", expression: 'email_status == "ok" ? 50 : 0' })
    await call("POST", "/leads/score/batch")
    const names = async (query: string) =>
      (await call("GET", `/leads?${query}`)).body.leads.map(({ name }: { name: string }) => name)
    expect(
      await names("filter=and.in.email_status.role,disposable&sort_by=email_status&sort_order=DESC"),
    ).toEqual(["info@acme.de", "x@mailinator.com"])
    expect(await names("filter=and.gte.score.50")).toEqual(["a@gmail.com"])
    const { body: csv } = await call("GET", "/leads/export?format=csv&fields=name,email_status")
    expect(csv).toContain("info@acme.de,role")
  })

  test("survives an import of our own export, and is not an attribute", async ({ call }) => {
    const file = "name,source,email,email_status\nAda,s,ada@gmail.com,bounced\n"
    await call("POST", "/leads/import", file, { "Content-Type": "text/csv" })
    const [lead] = (await call("GET", "/leads")).body.leads
    expect([lead.email_status, lead.attributes]).toEqual(["ok", []])
  })

  test("of a merged lead is that of the email it keeps", async ({ call }) => {
    const make = async (email: string | null) =>
      (await call("POST", "/leads", { name: crypto.randomUUID(), source: "s", email })).body.id as string
    const [bare, full] = [await make(null), await make("info@acme.de")]
    await call("POST", `/leads/${full}/email-status`, { status: "bounced" })
    const { body } = await call("POST", "/leads/merge", { survivor: bare, losers: [full] })
    expect(body.survivor).toMatchObject({ email: "info@acme.de", email_status: "bounced" })
    const { body: undone } = await call("POST", `/merges/${body.merge_id}/undo`)
    expect(undone.survivor.email_status).toBe(null)
    expect(undone.losers[0].email_status).toBe("bounced")
  })
})

describe("POST /leads/{id}/email-status", () => {
  test("tells of a bounce, which the trail keeps and a new email forgets", async ({ call }) => {
    const { body: lead } = await call("POST", "/leads", { ...LEAST, email: "a@gmail.com" })
    const path = `/leads/${lead.id}/email-status`
    const { status, body } = await call("POST", path, { status: "bounced" })
    expect([status, body.email_status]).toEqual([200, "bounced"])
    const { body: trail } = await call("GET", `/leads/${lead.id}/changes`)
    const last = trail.changes.find(({ action }: { action: string }) => action === "updated")
    expect([last.before.email_status, last.after.email_status]).toEqual(["ok", "bounced"])
    expect((await call("PUT", `/leads/${lead.id}`, { city: "Ulm" })).body.email_status).toBe("bounced")
    expect((await call("PUT", `/leads/${lead.id}`, { email: "b@gmail.com" })).body.email_status).toBe("ok")
  })

  test.for([
    [{ status: "gone" }, "status must be one of ok, role, disposable, no_mx, bounced, unknown"],
    [{}, "status is required"],
  ])("refuses %j", async ([sent, message], { call }) => {
    const { body: lead } = await call("POST", "/leads", { ...LEAST, email: "a@gmail.com" })
    const { status, body } = await call("POST", `/leads/${lead.id}/email-status`, sent)
    expect([status, body.message]).toEqual([400, message])
  })

  test("refuses a lead without an email", async ({ call }) => {
    const { body: lead } = await call("POST", "/leads", LEAST)
    expect((await call("POST", `/leads/${lead.id}/email-status`, { status: "bounced" })).status).toBe(400)
  })
})
