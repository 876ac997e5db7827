import { describe, expect, test } from "bun:test"
import { openTestAccount } from "../support/app.ts"
import { LEAST, NO_LEAD } from "../support/lead.ts"

const MAIL = {
  name: "Offer",
  subject: "An offer\nfor {{ company }}",
  body: "Dear {{name}},\n\n{{attr:seats}} seats in {{city}}: {{tags}}, {{owner}}, {{next_step_at}} & more?\n{{sender}}",
}

async function open(fields: object = {}) {
  const account = await openTestAccount()
  const { call } = account
  const lead = (await call("POST", "/leads", { ...LEAST, ...fields })).body.id
  const template = (await call("POST", "/templates", MAIL)).body
  const render = async (headers?: Record<string, string>) =>
    call("GET", `/templates/${template.id}/render?lead_id=${lead}`, undefined, headers)
  return { ...account, lead, template, render }
}

describe("templates", () => {
  test("are kept, changed and deleted", async () => {
    const { call, template } = await open()
    expect(template.id).toStartWith("tpl_")
    expect(template).toMatchObject(MAIL)
    expect((await call("GET", `/templates/${template.id}`)).body).toEqual(template)
    const changed = await call("PUT", `/templates/${template.id}`, { ...template, subject: "Hi" })
    expect(changed.body).toMatchObject({ ...MAIL, subject: "Hi" })
    expect((await call("GET", "/templates")).body).toEqual([changed.body])
    expect((await call("DELETE", `/templates/${template.id}`)).status).toBe(204)
    expect((await call("GET", "/templates")).body).toEqual([])
    expect((await call("PUT", `/templates/${template.id}`, { name: "x" })).status).toBe(404)
  })

  const WRONG: [object, string][] = [
    [
      { body: "{{nmae}}" },
      "body has {{nmae}}, which is no field of a lead. Did you mean {{name}}? Valid: id, name, ",
    ],
    [{ subject: "{{attr:}}" }, "subject has {{attr:}}, which is no field of a lead."],
    [{ subject: "{{}}" }, "subject has {{}}, which is no field of a lead."],
    [{ body: "x".repeat(20_001) }, "body must be at most 20,000 characters"],
    [{ subject: "" }, "subject is required"],
  ]
  test("that name what is no field are refused when they are saved", async () => {
    const { call, template } = await open()
    for (const [change, message] of WRONG) {
      const made = await call("POST", "/templates", { ...MAIL, ...change })
      expect([made.status, made.body.message]).toEqual([400, expect.stringContaining(message)])
      const changed = await call("PUT", `/templates/${template.id}`, change)
      expect([changed.status, changed.body.message]).toEqual([400, expect.stringContaining(message)])
    }
    expect((await call("GET", "/templates")).body).toEqual([template])
  })
})

describe("a template for a lead", () => {
  test("has its values, and an address that opens the mail", async () => {
    const { call, lead, render } = await open({
      ...{ name: "Anna {{city}}", email: "anna+x@example.com", company: "Müller & Co", tags: ["a", "b"] },
      ...{ city: "Köln", next_step_at: "2026-11-30T23:30:00Z" },
      attributes: [{ name: "seats", type: "number", value: 20 }],
    })
    await call("PATCH", "/account", { time_zone: "Europe/Berlin" })
    const member = (await call("POST", "/members", { name: "Eva", role: "editor" })).body.id
    await call("PUT", `/leads/${lead}`, { owner: member })
    const { status, body } = await render({ "X-Actor-Id": "Jo" })
    expect(status).toBe(200)
    const text = "Dear Anna {{city}},\n\n20 seats in Köln: a, b, Eva, 2026-12-01 & more?\nJo"
    expect(body).toMatchObject({ subject: "An offer for Müller & Co", body: text })
    expect(body).toMatchObject({ to: "anna+x@example.com", missing: [] })
    const mail = new URL(body.mailto)
    expect(decodeURIComponent(mail.pathname)).toBe("anna+x@example.com")
    expect(mail.searchParams.get("subject")).toBe(body.subject)
    expect(mail.searchParams.get("body")).toBe(text.replaceAll("\n", "\r\n"))
  })

  test("tells which values are missing", async () => {
    const { render } = await open()
    const { body } = await render()
    expect(body).toMatchObject({
      ...{ subject: "An offer for", to: null, mailto: null },
      missing: ["company", "attr:seats", "city", "tags", "owner", "next_step_at", "sender"],
    })
  })

  test("is refused where the lead must not be contacted, with the entry that says so", async () => {
    const { call, lead, template, render } = await open({ email: "anna@example.com", phone: "+4930111222" })
    const entry = (await call("POST", "/suppressions", { value: "+49 30 111222", reason: "asked" })).body
    const { status, body } = await render()
    expect([status, body.code]).toEqual([409, "suppressed"])
    expect(body.message).toBe(`The phone +49 30 111222 is on the do-not-contact list (${entry.id}): asked`)
    await call("DELETE", `/suppressions/${entry.id}`)
    expect((await render()).status).toBe(200)
    const none = await call("GET", `/templates/${template.id}/render?lead_id=${NO_LEAD}`)
    expect([none.status, none.body.message]).toEqual([404, "Lead not found"])
    expect((await call("GET", `/templates/tpl_none/render?lead_id=${lead}`)).body.message).toBe(
      "Template not found",
    )
  })

  test("never gets longer than can be sent", async () => {
    const { call, lead } = await open({ description: "x".repeat(50_000) })
    const body = "{{description}}".repeat(1_000)
    const { id } = (await call("POST", "/templates", { ...MAIL, body })).body
    const answer = await call("GET", `/templates/${id}/render?lead_id=${lead}`)
    expect([answer.status, answer.body.message]).toEqual([
      400,
      "With the values of this lead the template is longer than 100,000 characters",
    ])
  })
})
