// Which emails are the same, and which are no key at all.
import { describe, expect } from "bun:test"
import { openTestAccount, test } from "../support/app.ts"
import { pluck } from "../support/pluck.ts"

const encoded = encodeURIComponent

const SAME: [stored: string, written: string][] = [
  ["anna@example.com", "mailto:Anna@example.com?subject=Hello"],
  ["anna@example.com", "<anna@example.com>"],
  ["anna@example.com", '"anna@example.com"'],
  ["anna@example.com", "anna@example.com."],
  ["anna@example.com", "anna@example.com;"],
  ["anna@example.com", "an\u00adna@exam\u200bple.com"],
  ["anna@example.com", "\u202aanna@example.com\u202c"],
  ["anna@example.com", "\ufeffanna@example.com"],
  ["anna@müller.example", "anna@xn--mller-kva.example"],
  ["anna@MÜLLER.example", "anna@mu\u0308ller.example"],
  ["anna@xn--mller-kva.example", "anna@MÜLLER.example"],
  ["josé@пример.example", "JOSÉ@xn--e1afmkfd.example"],
]

describe("an email written otherwise", () => {
  test.each(SAME)("%s and %j are one: pushes, filters, upserts, the list", async (stored, written) => {
    const { call } = await openTestAccount()
    const { id } = (await call("POST", "/leads", { name: "A", source: "test", email: stored })).body
    const pushed = (await call("POST", "/leads", { name: "B", source: "test", email: written })).body
    expect(pushed).toMatchObject({ id, duplicate: true })
    for (const email of [stored, written]) {
      const found = await call("GET", `/leads?filter=${encoded(`and.eq.email.${email}`)}`)
      expect([email, found.body.count]).toEqual([email, 1])
    }
    const entry = await call("POST", "/suppressions", { kind: "email", value: stored })
    expect(entry.status).toBe(201)
    expect((await call("POST", "/suppressions", { kind: "email", value: written })).body.id).toBe(
      entry.body.id,
    )
    const refused = await call("POST", "/leads", { name: "C", source: "test", email: written })
    expect([refused.status, refused.body.code]).toEqual([409, "suppressed"])
    expect((await call("GET", "/leads?contactable=true")).body.count).toBe(0)
  })

  test("is one among a lead's further ones and in a batch", async ({ call }) => {
    const emails = [{ value: "a@first.example" }, { value: "b@müller.example" }]
    const { id } = (await call("POST", "/leads", { name: "A", source: "test", emails })).body
    const lead = { name: "B", source: "test", email: "<B@xn--mller-kva.example>" }
    const { created } = (await call("POST", "/leads/batch", { leads: [lead, lead] })).body
    expect(created).toMatchObject([
      { id, duplicate: true },
      { id, duplicate: true },
    ])
    const part = encoded("and.ends_with.email.@xn--mller-kva.example")
    expect((await call("GET", `/leads?filter=${part}`)).body.count).toBe(1)
  })

  test.each([
    ["müller.example", "anna@mail.xn--mller-kva.example"],
    ["xn--mller-kva.example", "anna@müller.example"],
    ["@MÜLLER.example", "anna@xn--mller-kva.example."],
  ])("an entry for the domain %s stops %s, before and after", async (domain, email) => {
    const { call } = await openTestAccount()
    await call("POST", "/leads", { name: "A", source: "test", email })
    expect((await call("POST", "/suppressions", { value: domain })).body.kind).toBe("domain")
    expect((await call("POST", "/leads", { name: "A", source: "test", email })).status).toBe(409)
    expect((await call("GET", "/leads?contactable=false")).body.count).toBe(1)
  })

  test("websites of one domain are one in filters", async ({ call }) => {
    const sites = ["https://müller.example/a", "https://xn--mller-kva.example/a"]
    for (const website of sites) await call("POST", "/leads", { name: website, source: "test", website })
    for (const filter of [
      `eq.website.${sites[0]}`,
      `eq.website.${sites[1]}`,
      "contains.website.müller",
      "starts_with.website.https://mü",
      "contains.website.xn--mller-kva.example",
    ])
      expect([filter, (await call("GET", `/leads?filter=${encoded(`and.${filter}`)}`)).body.count]).toEqual([
        filter,
        2,
      ])
  })
})

const UNUSABLE = ["jürgen@müller", "info@localhost", "a@b.", "x@y"]

describe("an email without a dot in its domain", () => {
  test.each(UNUSABLE)("%s merges nobody, and is told", async (email) => {
    const { call } = await openTestAccount()
    const push = (name: string) => call("POST", "/leads", { name, source: "test", email })
    const first = await push("Anna Adler")
    expect(first.body).toMatchObject({
      email,
      warnings: [expect.stringContaining(`email "${email}" has no dot`)],
    })
    const second = await push("Bernd Bär")
    expect([second.status, second.body.email]).toEqual([201, email])
    const leads = ["C", "D"].map((name) => ({ name, source: "test", email }))
    const batch = await call("POST", "/leads/batch", { leads })
    expect(batch.body).toMatchObject({ success: 2, created: [{ warnings: [expect.any(String)] }, {}] })
    expect((await call("GET", `/leads?filter=${encoded(`and.eq.email.${email}`)}`)).body.count).toBe(4)
    expect((await call("GET", "/leads?filter=and.is_empty.email")).body.count).toBe(0)
    const ids = pluck((await call("GET", "/leads?sort_by=email&sort_order=DESC")).body.leads, "id")
    expect(new Set(ids).size).toBe(4)
    await call("PUT", `/leads/${first.body.id}`, { email: "anna@example.com" })
    const back = await call("PUT", `/leads/${first.body.id}`, { email })
    expect([back.status, back.body.email]).toEqual([200, email])
    expect(
      (await call("PUT", `/leads/by/email/${encoded(email)}`, { name: "E", source: "test" })).status,
    ).toBe(400)
    await call("POST", "/suppressions", { kind: "email", value: email })
    expect((await push("F")).status).toBe(409)
  })

  test("is no reason to merge as a further one either", async ({ call }) => {
    const emails = (first: string) => [{ value: first }, { value: "jürgen@müller" }]
    for (const first of ["a@first.example", "b@second.example"]) {
      const { status } = await call("POST", "/leads", { name: first, source: "test", emails: emails(first) })
      expect(status).toBe(201)
    }
  })

  test("is told by an import, which merges nobody", async ({ call }) => {
    const csv =
      "name,email,phone\nAnna,jürgen@müller,+49 30 1234567\nBernd,jürgen@müller,\nCarl,jürgen@müller,\n"
    const { body } = await call("POST", "/leads/import?source=test", csv, { "Content-Type": "text/csv" })
    expect(body).toMatchObject({ created: 3, merged: 0 })
    expect(JSON.stringify(body.warnings)).toContain("no lead is recognised by it")
  })

  test("leaves the phone to recognise a row of the same file, also where doubts are asked about", async () => {
    const { call } = await openTestAccount()
    const csv = "name,email,phone\nAnna Adler,jürgen@müller,+49 30 1234567\n"
    const send = () =>
      call("POST", "/leads/import?source=test&on_duplicate=ask", csv, { "Content-Type": "text/csv" })
    expect((await send()).body).toMatchObject({ created: 1 })
    expect((await send()).body).toMatchObject({ created: 0, merged: 1, merged_by: { phone: 1 } })
  })
})
